#include "src/report/run_csv.h"

#include <math.h>
#include <string.h>

/* A field, in quotes where it must be (RFC 4180). */
static void field(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', out);
}

static void ns_field(bool known, int64_t ns, FILE *out)
{
	fputc(',', out);
	if (known)
		fprintf(out, "%lld", (long long)ns);
}

/* The end of a row; what is not known is empty. */
static void cpu_fields(const struct run_phase *p, FILE *out)
{
	const struct run_cpu *c = &p->cpu;
	double machine = run_phase_machine(p);
	ns_field(true, p->cpu_ns, out);
	ns_field(c->has_split, c->user_ns, out);
	ns_field(c->has_split, c->system_ns, out);
	ns_field(c->has_machine, c->machine_busy_ns, out);
	ns_field(c->has_machine, c->machine_time_ns, out);
	fputc(',', out);
	if (isfinite(machine))
		fprintf(out, "%.4f", machine);
	ns_field(c->has_server, c->server_ns, out);
	fputc('\n', out);
}

void run_csv_print(const struct run *r, FILE *out)
{
	fprintf(out,
	        "run,cache,phase,failed,passes,bytes,operations,call_ns,stored_ns,"
	        "kib_per_s,kib_per_s_without_close,operations_per_s,cpu_percent,"
	        "latency_p50_ns,latency_p95_ns,latency_p99_ns,latency_max_ns,short,"
	        "cold_proven,verified,cpu_ns,cpu_user_ns,cpu_system_ns,machine_busy_ns,"
	        "machine_time_ns,machine_busy_share,server_cpu_ns\n");
	for (size_t i = 0; i < r->nphases; i++) {
		const struct run_phase *p = &r->phases[i];
		const struct run_latency *l = &p->latency;
		fprintf(out, "%s,%s,", r->id, p->cache);
		field(p->name, out);
		fprintf(out, ",%d,%zu,%llu,%llu,%lld,%lld", p->failed,
		        p->npasses ? p->npasses : 1, (unsigned long long)p->bytes,
		        (unsigned long long)p->operations, (long long)p->call_ns,
		        (long long)p->stored_ns);
		fprintf(out, ",%.3f,%.3f,%.3f,%.2f", run_phase_kib_s(p),
		        run_phase_kib_s_call(p), run_phase_ops_s(p), run_phase_cpu(p));
		if (l->count)
			fprintf(out, ",%lld,%lld,%lld,%lld", (long long)l->p50_ns,
			        (long long)l->p95_ns, (long long)l->p99_ns,
			        (long long)l->max_ns);
		else
			fputs(",,,,", out);
		fprintf(out, ",%d,%d,%d", run_phase_short(p), p->cold_proven,
		        p->verified);
		cpu_fields(p, out);
	}
}

void source_csv_print(const struct source *s, FILE *out)
{
	fprintf(out, "source,part,setting,cache,size,phase,unit,value,cpu_percent,"
	             "failed\n");
	for (size_t i = 0; i < s->n; i++) {
		const struct figure *f = &s->figures[i];
		size_t lines = f->n ? f->n : 1; /* a missing one is a line too */
		for (size_t k = 0; k < lines; k++) {
			const char *const texts[] = {s->name, f->part, f->setting,
			                             f->cache};
			for (size_t t = 0; t < 4; t++) {
				field(texts[t], out);
				fputc(',', out);
			}
			if (f->size)
				fprintf(out, "%llu", (unsigned long long)f->size);
			fputc(',', out);
			field(f->phase, out);
			fprintf(out, ",%s,", unit_names[f->unit]);
			if (k < f->n)
				fprintf(out, "%.6g", f->values[k]);
			fputc(',', out);
			if (f->cpu >= 0)
				fprintf(out, "%.4g", f->cpu);
			fprintf(out, ",%d\n", f->failed);
		}
	}
}
