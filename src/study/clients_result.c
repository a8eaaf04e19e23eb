/* What n clients did together, from what each did. */
#include <stdio.h>
#include <string.h>

#include "src/run/latency.h"
#include "src/run/run.h"
#include "src/study/clients.h"

enum { RANKS = 1024 };

double clients_jain(const double *rates, size_t n)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < n; i++) {
		sum += rates[i];
		squares += rates[i] * rates[i];
	}
	return squares > 0 ? sum * sum / ((double)n * squares) : 0;
}

bool clients_host(const char *list, int n, char *word, size_t size)
{
	static const char parting[] = ", \t\n";
	for (const char *p = list + strspn(list, parting); *p;) {
		size_t len = strcspn(p, parting);
		if (n-- == 0) {
			snprintf(word, size, "%.*s", (int)len, p);
			return len < size;
		}
		p += len;
		p += strspn(p, parting);
	}
	return false;
}

static json_t *phase_record(const struct run_phase *p)
{
	return json_pack("{s:s, s:s, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:b, s:o}",
	                 "name", p->name, "cache", p->cache, "id", p->id, "begin_ns",
	                 (json_int_t)p->begin_ns, "end_ns", (json_int_t)p->end_ns,
	                 "stored_ns", (json_int_t)p->stored_ns, "cpu_ns",
	                 (json_int_t)p->cpu_ns, "bytes", (json_int_t)p->bytes,
	                 "operations", (json_int_t)p->operations, "failed", p->failed,
	                 "not_cold", run_phase_not_cold(p), "latency",
	                 run_latency_json(&p->latency));
}

json_t *clients_record(const char *dir)
{
	struct run r = {0};
	struct err e = {0};
	json_t *o = NULL;
	if (run_load(&r, dir, &e) == 0) {
		json_t *phases = json_array();
		for (size_t i = 0; i < r.nphases; i++)
			json_array_append_new(phases, phase_record(&r.phases[i]));
		o = json_pack("{s:s, s:O, s:o}", "status", run_status_names[r.status],
		              "problems", r.problems, "phases", phases);
	}
	run_fini(&r);
	return o;
}

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static const char *text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : "";
}

/* The phase CACHE/NAME of a rank that finished it, or NULL. */
static const json_t *phase_of(const json_t *rank, const char *cache, const char *name)
{
	size_t i;
	const json_t *p;
	json_array_foreach(
	        json_object_get(rank, "phases"), i,
	        p) if (strcmp(text(p, "cache"), cache) == 0 &&
	               strcmp(text(p, "name"), name) ==
	                       0) return json_is_true(json_object_get(p, "failed"))
	        ? NULL
	        : p;
	return NULL;
}

/* The sum of a key over the marks of all passes of CACHE/NAME ("CACHE/NAME#2" is the
 * second), or -1 where a pass does not know it. */
static double sum_of_marks(const json_t *marks, const char *cache, const char *name,
                           const char *key)
{
	char first[96];
	double sum = -1;
	size_t i;
	const json_t *m;
	int n = snprintf(first, sizeof first, "%s/%s", cache, name);
	json_array_foreach(marks, i, m)
	{
		const char *mark = text(m, "name");
		const json_t *v = json_object_get(m, key);
		if (n < 0 || strncmp(mark, first, (size_t)n) != 0 ||
		    (mark[n] != '\0' && mark[n] != '#'))
			continue;
		if (!json_is_number(v))
			return -1;
		sum = (sum < 0 ? 0 : sum) + json_number_value(v);
	}
	return sum;
}

/* Of the operations of all ranks; null where one's are not known. */
static json_t *joint_latency(const json_t *ranks, const char *cache, const char *name)
{
	struct run_latency all = {0};
	size_t i;
	const json_t *rank;
	bool known = true;
	json_array_foreach(ranks, i, rank)
	{
		const json_t *p = phase_of(rank, cache, name);
		if (p)
			known &= run_latency_add_json(&all,
			                              json_object_get(p, "latency"));
	}
	json_t *o = known ? run_latency_json(&all) : json_null();
	hist_free(&all.hist);
	return o;
}

/* CPU time of the server and of the machine that it and rank 0 run on.  whole: all
 * ranks are in the figures, so all that the server did was for them. */
static void add_cpu(json_t *o, const json_t *marks, bool whole)
{
	const char *cache = text(o, "cache"), *name = text(o, "name");
	double mib = number(o, "bytes") / 1048576, wall = number(o, "seconds");
	double server = sum_of_marks(marks, cache, name, "server_cpu_ns");
	double busy = sum_of_marks(marks, cache, name, "machine_busy_ns");
	double all = sum_of_marks(marks, cache, name, "machine_time_ns");
	const struct {
		const char *key;
		bool known;
		double value;
	} figures[] = {
	        {"client_cpu_s_per_mib", mib > 0,
	         number(o, "client_cpu_ns") / 1e9 / mib},
	        {"server_cpu_ns", server >= 0, server},
	        {"server_cpu_share", server >= 0 && wall > 0, server / 1e9 / wall},
	        {"server_cpu_s_per_mib", server >= 0 && mib > 0 && whole,
	         server / 1e9 / mib},
	        /* a few ticks are no share: as run_phase_machine */
	        {"machine_busy_share", busy >= 0 && all >= 2e8, busy / all},
	};
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		if (figures[i].known)
			json_object_set_new(o, figures[i].key,
			                    json_real(figures[i].value));
}

/* They began together, so the slowest client's time is that of all. */
static json_t *joint_phase(const json_t *ranks, const json_t *marks, const char *cache,
                           const char *name)
{
	double rates[RANKS], bytes = 0, operations = 0, cpu = 0, sum = 0, wall = 0;
	size_t n = 0, i;
	const json_t *rank;
	json_t *each = json_array();
	json_array_foreach(ranks, i, rank)
	{
		const json_t *p = phase_of(rank, cache, name);
		double s = p ? number(p, "stored_ns") / 1e9 : 0;
		if (!p || n == RANKS || s <= 0)
			continue;
		bool by_bytes = number(p, "bytes") > 0;
		rates[n] = by_bytes ? number(p, "bytes") / 1024 / s
		                    : number(p, "operations") / s;
		json_array_append_new(each, json_real(rates[n]));
		bytes += number(p, "bytes");
		operations += number(p, "operations");
		cpu += number(p, "cpu_ns");
		wall = s > wall ? s : wall;
		sum += rates[n++];
	}
	if (n == 0) {
		json_decref(each);
		return NULL;
	}
	double total = bytes > 0 ? bytes / 1024 : operations;
	json_t *o = json_pack(
	        "{s:s, s:s, s:i, s:s, s:f, s:f, s:o, s:f, s:f, s:f, s:f, s:f, s:f}",
	        "name", name, "cache", cache, "ranks", (int)n, "unit",
	        bytes > 0 ? "KiB/s" : "ops/s", "rate", wall > 0 ? total / wall : 0,
	        "rate_sum", sum, "rates", each, "jain", clients_jain(rates, n),
	        "seconds", wall, "bytes", bytes, "operations", operations,
	        "client_cpu_ns", cpu, "client_cpu_share",
	        wall > 0 ? cpu / 1e9 / wall : 0);
	add_cpu(o, marks, n == json_array_size(ranks));
	json_object_set_new(o, "latency", joint_latency(ranks, cache, name));
	return o;
}

static bool is_known(const json_t *phases, const char *cache, const char *name)
{
	size_t i;
	const json_t *p;
	json_array_foreach(phases, i,
	                   p) if (strcmp(text(p, "cache"), cache) == 0 &&
	                          strcmp(text(p, "name"), name) == 0) return true;
	return false;
}

json_t *clients_phases(const json_t *ranks, const json_t *marks)
{
	json_t *phases = json_array();
	size_t i, k;
	const json_t *rank, *p;
	json_array_foreach(ranks, i, rank)
	        json_array_foreach(json_object_get(rank, "phases"), k, p)
	{
		const char *cache = text(p, "cache"), *name = text(p, "name");
		json_t *joint = is_known(phases, cache, name)
		                        ? NULL
		                        : joint_phase(ranks, marks, cache, name);
		if (joint)
			json_array_append_new(phases, joint);
	}
	return phases;
}

static uint64_t times(uint64_t n, double factor)
{
	return (uint64_t)((double)n * factor + 0.5);
}

/* Every client does the same work, so one's parts stand for all. */
static void join_phase(struct run_phase *p, const json_t *joint)
{
	double factor = p->bytes > 0 ? number(joint, "bytes") / (double)p->bytes
	                             : number(joint, "ranks");
	p->read_bytes = times(p->read_bytes, factor);
	p->written_bytes = times(p->written_bytes, factor);
	p->bytes = (uint64_t)number(joint, "bytes");
	p->operations = (uint64_t)number(joint, "operations");
	p->stored_ns = (int64_t)(1e9 * number(joint, "seconds") + 0.5);
	p->call_ns = p->stored_ns; /* the last call of all is not told */
	p->cpu_ns = (int64_t)number(joint, "client_cpu_ns");
	p->cpu.has_split = false;
	/* all that the server did was for these bytes */
	p->cpu.has_server = json_object_get(joint, "server_cpu_s_per_mib") != NULL;
	p->cpu.server_ns = (int64_t)number(joint, "server_cpu_ns");
	hist_free(&p->latency.hist);
	p->latency = run_latency_from_json(json_object_get(joint, "latency"));
}

void clients_join(struct run *r, const json_t *record)
{
	const json_t *joint;
	size_t i;
	json_array_foreach(json_object_get(record, "phases"), i, joint)
	{
		if (number(joint, "ranks") < 2)
			continue;
		for (size_t k = 0; k < r->nphases; k++)
			if (strcmp(r->phases[k].name, text(joint, "name")) == 0 &&
			    strcmp(r->phases[k].cache, text(joint, "cache")) == 0)
				join_phase(&r->phases[k], joint);
	}
}
