#include "src/run/cpu.h"

#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "src/base/clock.h"

/* What `lab.json` calls a file server's processes. */
static const char *const server_names[] = {"fileserver", "dafileserver"};

static bool is_server(const char *name)
{
	for (size_t i = 0; name && i < sizeof server_names / sizeof *server_names; i++)
		if (strcmp(name, server_names[i]) == 0)
			return true;
	return false;
}

/* Whether the process's words, one blank between, are these. */
static bool has_command(long pid, const char *command)
{
	char path[64], words[4096];
	snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
	FILE *f = pid > 0 && command ? fopen(path, "re") : NULL;
	if (!f)
		return false;
	size_t n = fread(words, 1, sizeof words - 1, f);
	fclose(f);
	while (n > 0 && words[n - 1] == '\0')
		n--;
	for (size_t i = 0; i < n; i++)
		if (words[i] == '\0')
			words[i] = ' ';
	words[n] = '\0';
	return strcmp(words, command) == 0;
}

void cpu_servers_of_lab(struct cpu_servers *s, const json_t *lab)
{
	size_t i;
	const json_t *server;
	*s = (struct cpu_servers){0};
	json_array_foreach(json_object_get(lab, "servers"), i, server)
	{
		const char *name = json_string_value(json_object_get(server, "name"));
		const char *command =
		        json_string_value(json_object_get(server, "command"));
		long pid = (long)json_integer_value(json_object_get(server, "pid"));
		if (s->n < CPU_SERVERS && is_server(name) && has_command(pid, command))
			s->pids[s->n++] = pid;
	}
}

/* CPU time of all threads of a process, those that ended included, or -1. */
static int64_t process_ns(long pid)
{
	clockid_t clock;
	struct timespec t;
	if (clock_getcpuclockid((pid_t)pid, &clock) != 0 ||
	    clock_gettime(clock, &t) < 0)
		return -1;
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

int cpu_parse(FILE *f, struct cpu_reading *out)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COLUMNS };
	unsigned long long v[COLUMNS] = {0};
	/* guest time follows, and is in that of user and nice already */
	int n = fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[USER],
	               &v[NICE], &v[SYSTEM], &v[IDLE], &v[IOWAIT], &v[IRQ], &v[SOFTIRQ],
	               &v[STEAL]);
	long ticks = sysconf(_SC_CLK_TCK);
	if (n < IDLE + 1 || ticks <= 0)
		return -1;
	uint64_t busy = v[USER] + v[NICE] + v[SYSTEM] + v[IRQ] + v[SOFTIRQ];
	uint64_t all = busy + v[IDLE] + v[IOWAIT] + v[STEAL];
	out->busy_ns = (int64_t)busy * (NS_PER_S / ticks);
	out->time_ns = (int64_t)all * (NS_PER_S / ticks);
	return 0;
}

void cpu_read(const struct cpu_servers *s, struct cpu_reading *out)
{
	FILE *f = fopen("/proc/stat", "re");
	*out = (struct cpu_reading){-1, -1, s->n > 0 ? 0 : -1};
	if (f) {
		cpu_parse(f, out);
		fclose(f);
	}
	for (size_t i = 0; i < s->n; i++) {
		int64_t ns = process_ns(s->pids[i]);
		out->server_ns =
		        ns < 0 || out->server_ns < 0 ? -1 : out->server_ns + ns;
	}
}

/* Whether both counters are there and stepped forward. */
static bool between(int64_t begin, int64_t end, int64_t *out)
{
	*out = begin >= 0 && end >= begin ? end - begin : 0;
	return begin >= 0 && end >= begin;
}

void cpu_between(const struct cpu_reading *begin, const struct cpu_reading *end,
                 struct run_cpu *out)
{
	out->has_machine =
	        between(begin->busy_ns, end->busy_ns, &out->machine_busy_ns) &
	        between(begin->time_ns, end->time_ns, &out->machine_time_ns);
	out->has_server = between(begin->server_ns, end->server_ns, &out->server_ns);
}

void cpu_add(struct run_cpu *sum, const struct run_cpu *pass, bool first)
{
	if (first) {
		*sum = *pass;
		return;
	}
	sum->has_split &= pass->has_split;
	sum->has_machine &= pass->has_machine;
	sum->has_server &= pass->has_server;
	sum->user_ns += pass->user_ns;
	sum->system_ns += pass->system_ns;
	sum->machine_busy_ns += pass->machine_busy_ns;
	sum->machine_time_ns += pass->machine_time_ns;
	sum->server_ns += pass->server_ns;
}

static json_t *ns_json(bool known, int64_t ns)
{
	return known ? json_integer(ns) : json_null();
}

json_t *cpu_json(const struct run_cpu *c)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "driver_user_ns",
	                 ns_json(c->has_split, c->user_ns), "driver_system_ns",
	                 ns_json(c->has_split, c->system_ns), "machine_busy_ns",
	                 ns_json(c->has_machine, c->machine_busy_ns), "machine_time_ns",
	                 ns_json(c->has_machine, c->machine_time_ns), "server_ns",
	                 ns_json(c->has_server, c->server_ns));
}

static bool take_ns(const json_t *o, const char *key, int64_t *to)
{
	const json_t *v = json_object_get(o, key);
	*to = json_integer_value(v);
	return json_is_integer(v);
}

struct run_cpu cpu_from_json(const json_t *o)
{
	struct run_cpu c = {0};
	c.has_split = take_ns(o, "driver_user_ns", &c.user_ns) &
	              take_ns(o, "driver_system_ns", &c.system_ns);
	c.has_machine = take_ns(o, "machine_busy_ns", &c.machine_busy_ns) &
	                take_ns(o, "machine_time_ns", &c.machine_time_ns);
	c.has_server = take_ns(o, "server_ns", &c.server_ns);
	return c;
}
