/* The command line of a run: `cellbench clients`, by mpirun where there are several,
 * with the options of `cellbench run` that the cell's values stand for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/study/clients.h"
#include "src/study/study_lab.h"

/* The links that the lab has: their first client and the server's interface. */
static const struct lab_link {
	const char *name, *interface;
} lab_links[] = {{"ether", "eth0"}, {"atm", "atm0"}};

static const struct lab_link *lab_link_of(const struct study *s, const char *host)
{
	for (size_t i = 0; s->job->lab && i < sizeof lab_links / sizeof *lab_links; i++)
		if (strcmp(lab_links[i].name, host) == 0)
			return &lab_links[i];
	return NULL;
}

/* The setting, or else the name of the link where that is one of the lab's. */
static const char *first_host(const struct study *s, const struct cell *c)
{
	const char *host = study_job_get(s->job, c, SET_HOST);
	if (host)
		return host;
	return lab_link_of(s, c->value[AXIS_LINK]) ? c->value[AXIS_LINK] : "";
}

void study_hosts(const struct study *s, const struct cell *c, char *hosts, size_t size)
{
	const char *host = first_host(s, c);
	int n = atoi(c->value[AXIS_CLIENTS]);
	size_t used = (size_t)snprintf(hosts, size, "%s", host);
	if (!lab_link_of(s, host))
		return;
	for (int i = 2; i <= n && used < size; i++)
		used += (size_t)snprintf(hosts + used, size - used, ",%s%d", host, i);
}

static void put_word(FILE *f, const char *option, const char *text)
{
	char *word = study_quote(text);
	bool plain = text[0] && !text[strcspn(text, " \t\n'\"$\\*?;&|<>(){}[]#~`!")];
	fprintf(f, " %s %s", option, plain || !word ? text : word);
	free(word);
}

/* As put_word, of all that the cell sets; nothing where nothing is set. */
static void put_all(FILE *f, const char *option, const struct study *s,
                    const struct cell *c, enum setting key)
{
	char *text = study_job_all(s->job, c, key, " ");
	if (text && text[0])
		put_word(f, option, text);
	free(text);
}

static void put_mpirun(FILE *f, const struct study *s, const struct cell *c)
{
	int n = atoi(c->value[AXIS_CLIENTS]);
	if (n < 2)
		return;
	fprintf(f, "mpirun%s --enable-recovery -n %d",
	        geteuid() == 0 ? " --allow-run-as-root" : "", n);
	if (s->job->lab)
		fprintf(f, " --oversubscribe");
	else if (s->job->hosts)
		put_word(f, "--host", s->job->hosts);
	fputc(' ', f);
}

static void put_probe(FILE *f, const struct study *s, const struct cell *c,
                      const char *self)
{
	const struct lab_link *link = lab_link_of(s, first_host(s, c));
	const char *probe = study_job_get(s->job, c, SET_PROBE);
	const char *via = study_job_get(s->job, c, SET_PROBE_VIA);
	char text[4200];
	if (!probe && link)
		probe = link->interface;
	if (!probe || strcmp(probe, "none") == 0)
		return;
	put_word(f, "--probe", probe);
	if (!via && s->job->lab) {
		snprintf(text, sizeof text, "%s lab exec server", self);
		via = text;
	}
	if (via)
		put_word(f, "--probe-via", via);
	put_all(f, "--probe-options", s, c, SET_PROBE_OPTIONS);
}

static void put_clients(FILE *f, const struct study *s, const struct cell *c,
                        const char *self)
{
	char hosts[2048], text[4200];
	const char *via = study_job_get(s->job, c, SET_VIA);
	study_hosts(s, c, hosts, sizeof hosts);
	if (hosts[0])
		put_word(f, "--hosts", hosts);
	if (!via && hosts[0] && s->job->lab) {
		snprintf(text, sizeof text, "%s lab exec {}", self);
		via = text;
	}
	if (via)
		put_word(f, "--via", via);
}

/* "cold+warm" is two states of one run. */
static void put_cache(FILE *f, const char *states)
{
	fprintf(f, " --cache ");
	for (const char *p = states; *p; p++)
		fputc(*p == '+' ? ',' : *p, f);
}

static void put_run(FILE *f, const struct study *s, const struct cell *c)
{
	const char *dir = study_job_get(s->job, c, SET_DIR);
	const char *volume = study_job_get(s->job, c, SET_VOLUME);
	const char *engine = study_job_get(s->job, c, SET_ENGINE);
	const char *workload = study_job_get(s->job, c, SET_WORKLOAD);
	if (engine)
		put_word(f, "--engine", engine);
	put_word(f, "--workload", workload ? workload : c->value[AXIS_WORKLOAD]);
	put_word(f, "--size", c->value[AXIS_SIZE]);
	put_cache(f, c->value[AXIS_CACHE]);
	fprintf(f, " --seed %llu", (unsigned long long)s->job->seed);
	if (!dir) {
		put_word(f, "--cache-size", c->value[AXIS_CACHE_SIZE]);
		put_word(f, "--chunk-size", c->value[AXIS_CHUNK_SIZE]);
		put_all(f, "--client-options", s, c, SET_CLIENT_OPTIONS);
		put_word(f, "--volume", volume ? volume : "bench");
	}
	char *options = study_job_all(s->job, c, SET_OPTIONS, " ");
	if (options && options[0])
		fprintf(f, " %s", options);
	free(options);
	if (dir)
		fprintf(f, " %s", dir); /* may name a variable of the environment */
}

char *study_command(const struct study *s, const struct study_step *at, long server_pid)
{
	const struct cell *c = s->cells[at->cell].c;
	char *out = NULL, *self = study_self(), dir[4600];
	size_t n = 0;
	FILE *f = self ? open_memstream(&out, &n) : NULL;
	if (!f) {
		free(self);
		return NULL;
	}
	study_run_dir(s, at, dir, sizeof dir);
	put_mpirun(f, s, c);
	fprintf(f, "%s clients", self);
	put_word(f, "-o", dir);
	put_clients(f, s, c, self);
	put_probe(f, s, c, self);
	/* a folder of this machine has no server: its time would be that of nothing */
	if (server_pid > 0 && !study_job_get(s->job, c, SET_DIR))
		fprintf(f, " --server-pid %ld", server_pid);
	fprintf(f, " --");
	put_run(f, s, c);
	free(self);
	return fclose(f) == 0 ? out : NULL;
}
