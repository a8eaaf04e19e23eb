#include "src/run/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "src/base/clock.h"

static json_t *cpu_model(void)
{
	char line[512];
	json_t *model = NULL;
	FILE *f = fopen("/proc/cpuinfo", "re");
	while (f && !model && fgets(line, sizeof line, f)) {
		char *colon = strchr(line, ':');
		if (strncmp(line, "model name", 10) == 0 && colon)
			model = json_string(colon + 1 + strspn(colon + 1, " \t"));
		if (model) { /* without its newline */
			const char *text = json_string_value(model);
			json_t *cut = json_stringn(text, strcspn(text, "\n"));
			json_decref(model);
			model = cut;
		}
	}
	if (f)
		fclose(f);
	return model;
}

json_t *facts_host(void)
{
	struct utsname u;
	if (uname(&u) < 0)
		return json_object();
	return json_pack("{s:s, s:s, s:s, s:i, s:o*, s:I}", "name", u.nodename,
	                 "kernel", u.release, "machine", u.machine, "cpus",
	                 (int)sysconf(_SC_NPROCESSORS_ONLN), "cpu_model", cpu_model(),
	                 "memory_bytes",
	                 (json_int_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE));
}

json_t *facts_clock(void)
{
	return json_pack("{s:I, s:I}", "realtime_ns", (json_int_t)clock_real_ns(),
	                 "monotonic_ns", (json_int_t)clock_mono_ns());
}

json_t *facts_lab(void)
{
	const char *state = getenv("CELLBENCH_LAB");
	char path[4096];
	if (!state)
		return NULL;
	snprintf(path, sizeof path, "%s/lab.json", state);
	json_t *lab = json_load_file(path, 0, NULL);
	const char *host = getenv("CELLBENCH_HOST");
	if (lab && host)
		json_object_set_new(lab, "this_host", json_string(host));
	return lab;
}
