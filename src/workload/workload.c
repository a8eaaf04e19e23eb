#include "src/workload/workload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct workload *const workload_table[] = {&workload_bonnie, NULL};

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; workload_table[i]; i++)
		if (strcmp(workload_table[i]->name, name) == 0)
			return workload_table[i];
	return NULL;
}

int work_init(struct work *w, const struct engine *engine,
              const struct workload_options *o, const char *dir, struct err *e)
{
	*w = (struct work){.engine = engine, .options = o, .dir = dir};
	int n = snprintf(w->path, sizeof w->path, "%s/data", dir);
	if (n < 0 || (size_t)n >= sizeof w->path)
		return err_sys(e, ENAMETOOLONG, "cannot work in %s", dir);
	w->buf = malloc(o->request_size);
	if (!w->buf || data_init(&w->data, o->seed, o->request_size) < 0) {
		free(w->buf);
		return err_sys(e, ENOMEM, "no room for requests of %llu bytes",
		               (unsigned long long)o->request_size);
	}
	return 0;
}

void work_fini(struct work *w)
{
	if (w->engine)
		w->engine->ops->unlink(w->engine->st, w->path);
	data_fini(&w->data);
	free(w->buf);
	*w = (struct work){0};
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
