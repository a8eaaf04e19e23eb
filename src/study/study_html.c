/* The page of a study: its runs, those of all clients as one, cell by cell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/html.h"
#include "src/study/clients.h"
#include "src/study/study.h"

/* What the page points into. */
struct loaded {
	struct run *runs;
	struct probe_result *probes;
	struct report_run *list;
	char (*dirs)[4700];
	size_t n;
};

static int allocate(struct loaded *l, size_t most)
{
	l->runs = calloc(most, sizeof *l->runs);
	l->probes = calloc(most, sizeof *l->probes);
	l->list = calloc(most, sizeof *l->list);
	l->dirs = calloc(most, sizeof *l->dirs);
	return l->runs && l->probes && l->list && l->dirs ? 0 : -1;
}

static void load_run(struct loaded *l, const struct study *s,
                     const struct study_step *at)
{
	struct err why = {0};
	struct run *r = &l->runs[l->n];
	struct probe_result *p = &l->probes[l->n];
	char dir[4600];
	study_run_dir(s, at, dir, sizeof dir);
	snprintf(l->dirs[l->n], sizeof l->dirs[l->n], "%s/rank0", dir);
	if (run_load(r, l->dirs[l->n], &why) < 0) {
		run_fini(r);
		return;
	}
	char joint[4700];
	snprintf(joint, sizeof joint, "%s/clients.json", dir);
	json_t *record = json_load_file(joint, 0, NULL);
	clients_join(r, record);
	json_decref(record);
	bool seen = probe_result_load(p, l->dirs[l->n], &why) == 0;
	l->list[l->n] = (struct report_run){
	        .label = s->cells[at->cell].label,
	        .dir = l->dirs[l->n] + strlen(s->dir) + 1,
	        .run = r,
	        .probe = seen ? p : NULL,
	};
	l->n++;
}

static void load_all(struct loaded *l, const struct study *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->job->repeats; k++) {
			const struct study_run *r = &s->cells[i].runs[k];
			const struct study_step at = {i, k};
			if (r->status == STUDY_DONE || r->status == STUDY_PARTIAL)
				load_run(l, s, &at);
		}
}

int study_html(const struct study *s, const json_t *result, struct err *e)
{
	struct loaded l = {0};
	char *text = NULL;
	size_t n = 0;
	if (!report_html_can_plot())
		return 0;
	int r = allocate(&l, s->n * s->job->repeats + 1);
	FILE *f = r == 0 ? open_memstream(&text, &n) : NULL;
	if (!f)
		r = err_set(e, ERR_ENVIRONMENT, "out of memory");
	if (r == 0)
		load_all(&l, s);
	if (r == 0 && l.n > 0) {
		const struct html_report page = {.title = s->job->name,
		                                 .question = s->job->question,
		                                 .runs = l.list,
		                                 .nruns = l.n,
		                                 .study = result};
		r = report_html(&page, f, e);
	}
	if (f && fclose(f) != 0 && r == 0)
		r = err_set(e, ERR_ENVIRONMENT, "out of memory");
	if (r == 0 && l.n > 0)
		r = study_write_file(s, "report.html", text, n, e);
	for (size_t i = 0; i < l.n; i++) {
		if (l.list[i].probe)
			probe_result_fini(&l.probes[i]);
		run_fini(&l.runs[i]);
	}
	free(l.runs);
	free(l.probes);
	free(l.list);
	free(l.dirs);
	free(text);
	return r;
}
