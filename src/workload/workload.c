#include "src/workload/workload.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct workload *const workload_table[] = {
        &workload_bonnie, &workload_bulk,    &workload_mixed,
        &workload_tree,   &workload_command, NULL,
};

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; workload_table[i]; i++)
		if (strcmp(workload_table[i]->name, name) == 0)
			return workload_table[i];
	return NULL;
}

/* Whether name is one of the words of a list parted by commas. */
static bool in_list(const char *list, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = list; *p;) {
		size_t word = strcspn(p, ",");
		if (word == n && memcmp(p, name, n) == 0)
			return true;
		p += word + (p[word] == ',');
	}
	return false;
}

size_t workload_phases(const struct workload *workload,
                       const struct workload_options *o,
                       struct workload_phase out[WORKLOAD_PHASES])
{
	struct workload_phase all[WORKLOAD_PHASES];
	size_t n = workload->list ? workload->list(o, all) : workload->nphases;
	const struct workload_phase *from = workload->list ? all : workload->phases;
	size_t used = 0;
	for (size_t i = 0; i < n; i++)
		if ((!from[i].enabled || from[i].enabled(o)) &&
		    (!o->phases || in_list(o->phases, from[i].name)))
			out[used++] = from[i];
	return used;
}

int work_init(struct work *w, const struct workload *workload,
              const struct engine *engine, const struct workload_options *o,
              const char *dir, struct err *e)
{
	*w = (struct work){.engine = engine, .options = o, .dir = dir};
	if (work_path(w, e, "data") < 0)
		return -1;
	w->buf = malloc(o->request_size);
	if (!w->buf || data_init(&w->data, o->seed, o->request_size) < 0) {
		free(w->buf);
		w->buf = NULL;
		return err_sys(e, ENOMEM, "no room for requests of %llu bytes",
		               (unsigned long long)o->request_size);
	}
	return workload->init ? workload->init(w, e) : 0;
}

void work_fini(struct work *w, const struct workload *workload)
{
	if (w->state && workload->fini)
		workload->fini(w);
	data_fini(&w->data);
	free(w->buf);
	meter_free(&w->meter);
	*w = (struct work){0};
}

int work_path(struct work *w, struct err *e, const char *fmt, ...)
{
	int n = snprintf(w->path, sizeof w->path, "%s/", w->dir), m = -1;
	if (n > 0 && (size_t)n < sizeof w->path) {
		va_list a;
		va_start(a, fmt);
		m = vsnprintf(w->path + n, sizeof w->path - (size_t)n, fmt, a);
		va_end(a);
	}
	if (m < 0 || (size_t)(n + m) >= sizeof w->path)
		return err_sys(e, ENAMETOOLONG, "cannot work in %s", w->dir);
	return 0;
}

int work_close(struct work *w, int handle, bool written, struct err *e)
{
	const struct engine *en = w->engine;
	int64_t r = 0;
	if (e->code == ERR_NONE && written && w->options->fsync == FSYNC_END &&
	    !(en->ops->caps & ENGINE_CLOSE_STORES))
		r = en->ops->fsync(en->st, handle);
	int64_t closed = en->ops->close(en->st, handle);
	if (e->code != ERR_NONE)
		return -1;
	if (r < 0 || closed < 0)
		return work_error(w, e, r < 0 ? r : closed, "storing the data",
		                  WORK_WHOLE_FILE);
	return 0;
}

struct remedy {
	int error;
	const char *text;
};

static const struct remedy remedies[] = {
        {ENOSPC, "; free some space or give a smaller --size"},
        {EDQUOT, "; raise the quota or give a smaller --size"},
        {EFBIG, "; give a smaller --size"},
        {EROFS, "; name a folder on a file system that may be written"},
        {EACCES, "; name a folder that you may write"},
        {EPERM, "; name a folder that you may write"},
        {ENOENT, "; the folder vanished while the workload ran"},
        {ESTALE, "; the folder vanished while the workload ran"},
        {ETIMEDOUT, "; the server does not answer"},
};

int work_error(const struct work *w, struct err *e, int64_t result, const char *what,
               uint64_t offset)
{
	const char *way_out = "";
	int sys = result < 0 && result > -4096 ? (int)-result : EIO;
	for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
		if (remedies[i].error == sys)
			way_out = remedies[i].text;
	char why[128], where[48] = "";
	if (offset != WORK_WHOLE_FILE)
		snprintf(where, sizeof where, "at offset %llu of ",
		         (unsigned long long)offset);
	err_set(e, ERR_ENVIRONMENT, "%s %s%s: %s%s", what, where, w->path,
	        strerror_r(sys, why, sizeof why), way_out);
	if (e)
		e->sys = sys;
	return -1;
}

bool work_stopped(const struct work *w, struct err *e)
{
	if (!w->stop || !*w->stop)
		return false;
	err_set(e, ERR_PARTIAL, "interrupted by signal %d", (int)*w->stop);
	return true;
}
