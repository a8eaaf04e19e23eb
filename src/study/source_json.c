/* JSON of fio and of iperf3. */
#include <stdio.h>
#include <string.h>

#include "src/base/quantity.h"
#include "src/study/source.h"

/* fio prints warnings before its JSON. */
static json_t *parse(const char *text, size_t n)
{
	const char *begin = text;
	while (begin && *begin != '{')
		begin = (begin = strchr(begin, '\n')) ? begin + 1 : NULL;
	return begin ? json_loadb(begin, n - (size_t)(begin - text),
	                          JSON_DISABLE_EOF_CHECK, NULL)
	             : NULL;
}

static double number_of(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

static const char *const directions[] = {"read", "write"};

/* Options of a job, its own or global ones. */
static const char *job_option(const json_t *root, const json_t *job, const char *key)
{
	const char *own = text_of(json_object_get(job, "job options"), key);
	return own[0] ? own : text_of(json_object_get(root, "global options"), key);
}

static bool is_random(const json_t *root, const json_t *job)
{
	const char *rw = job_option(root, job, "rw");
	return strncmp(rw[0] ? rw : job_option(root, job, "readwrite"), "rand", 4) == 0;
}

/* Sequential jobs are the block phases of Bonnie, if only one job is such a phase. */
static void name_phase(char *name, size_t room, const json_t *root, const json_t *job,
                       const char *direction)
{
	const char *own = text_of(job, "jobname");
	bool alone = !is_random(root, job);
	size_t i;
	const json_t *other;
	json_array_foreach(json_object_get(root, "jobs"), i, other)
	{
		if (strcmp(text_of(other, "jobname"), own) != 0 &&
		    number_of(json_object_get(other, direction), "total_ios") > 0 &&
		    !is_random(root, other))
			alone = false;
	}
	if (alone)
		snprintf(name, room, "%s",
		         strcmp(direction, "read") == 0 ? "block-input"
		                                        : "block-output");
	else
		snprintf(name, room, "%.40s/%s", own, direction);
}

/* Jobs of one name ran side by side: their rates add up. */
static int add_job(struct source *s, const json_t *root, const json_t *job,
                   const char *direction)
{
	const json_t *io = json_object_get(job, direction);
	bool random = is_random(root, job);
	struct figure f = {.unit = random ? UNIT_OPS_S : UNIT_KIB_S,
	                   .cpu = number_of(job, "usr_cpu") +
	                          number_of(job, "sys_cpu")};
	if (!(number_of(io, "total_ios") > 0))
		return 0;
	size_parse(job_option(root, job, "size"), &f.size, NULL);
	name_phase(f.phase, sizeof f.phase, root, job, direction);
	f.failed = number_of(job, "error") != 0;
	double value =
	        random ? number_of(io, "iops") : number_of(io, "bw_bytes") / 1024;
	if (!random && !(value > 0)) /* before fio 3 */
		value = number_of(io, "bw");
	struct figure *at = source_figure(s, &f);
	if (!at || f.failed)
		return at ? 0 : -1;
	if (at->n > 0) {
		at->values[0] += value;
		return 0;
	}
	return figure_add(at, value);
}

/* Options that the driver has too get its names and units. */
static void take_options(struct source *s, const json_t *options)
{
	static const struct same {
		const char *fio, *name;
	} same[] = {{"bs", "request_size"},
	            {"blocksize", "request_size"},
	            {"size", "size"}};
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)options, key, value)
	{
		size_t i = 0, n = sizeof same / sizeof *same;
		uint64_t bytes;
		while (i < n && strcmp(key, same[i].fio) != 0)
			i++;
		const char *text = json_string_value(value);
		if (i < n && text && size_parse(text, &bytes, NULL) == 0)
			json_object_set_new(s->facts, same[i].name,
			                    json_integer((json_int_t)bytes));
		else if (!json_object_get(s->facts, key))
			json_object_set(s->facts, key, value);
	}
}

int source_fio(struct source *s, const char *text, size_t n, struct err *e)
{
	json_t *root = parse(text, n);
	const json_t *jobs = json_object_get(root, "jobs"), *job;
	int r = json_object_get(root, "fio version") && json_is_array(jobs);
	size_t i;
	if (r)
		json_array_foreach(jobs, i, job)
		{
			for (int d = 0; d < 2; d++)
				if (add_job(s, root, job, directions[d]) < 0)
					r = -1;
			take_options(s, json_object_get(job, "job options"));
		}
	if (r == 1) {
		s->kind = "fio JSON";
		take_options(s, json_object_get(root, "global options"));
		json_object_set(s->facts, "fio", json_object_get(root, "fio version"));
	}
	json_decref(root);
	return r < 0 ? err_set(e, ERR_ENVIRONMENT, "out of memory") : r;
}

int source_iperf3(struct source *s, const char *text, size_t n, struct err *e)
{
	json_t *root = parse(text, n);
	const json_t *start = json_object_get(root, "start");
	const json_t *end = json_object_get(root, "end");
	const json_t *test = json_object_get(start, "test_start");
	int r = json_object_get(start, "test_start") && end;
	if (r) {
		/* what arrived, where it is told */
		const json_t *sum = json_object_get(end, "sum_received");
		double rate = number_of(sum, "bits_per_second");
		if (!(rate > 0))
			rate = number_of(json_object_get(end, "sum"),
			                 "bits_per_second");
		struct figure f = {.phase = PHASE_LINK, .unit = UNIT_KIB_S};
		const json_t *cpu = json_object_get(end, "cpu_utilization_percent");
		f.cpu = cpu ? number_of(cpu, "host_total") : -1;
		struct figure *at = source_figure(s, &f);
		if (!at || figure_add(at, rate / 8 / 1024) < 0)
			r = err_set(e, ERR_ENVIRONMENT, "out of memory");
		s->kind = "iperf3 JSON";
		json_object_set(s->facts, "protocol",
		                json_object_get(test, "protocol"));
		json_object_set(s->facts, "streams",
		                json_object_get(test, "num_streams"));
		json_object_set(s->facts, "reverse", json_object_get(test, "reverse"));
		json_object_set(s->facts, "iperf3", json_object_get(start, "version"));
	}
	json_decref(root);
	return r;
}
