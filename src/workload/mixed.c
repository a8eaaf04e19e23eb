/* Reads and writes of random requests in many files, in a given ratio.  An
 * operation opens a file, moves a request and closes it, so on AFS a write includes
 * the store. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "src/base/rng.h"
#include "src/workload/workload.h"

struct mixed {
	bool made;
	uint64_t file_size; /* a whole number of requests */
};

static int init(struct work *w, struct err *e)
{
	const struct workload_options *o = w->options;
	struct mixed *m = calloc(1, sizeof *m);
	if (!m)
		return err_sys(e, ENOMEM, "mixed workload");
	uint64_t requests = o->size / o->mixed_files / o->request_size;
	m->file_size = (requests ? requests : 1) * o->request_size;
	w->state = m;
	return 0;
}

static void fini(struct work *w)
{
	free(w->state);
	w->state = NULL;
}

static int make_one(struct work *w, struct err *e)
{
	const struct engine *en = w->engine;
	const struct mixed *m = w->state;
	uint64_t request = w->options->request_size;
	int handle = en->ops->open(en->st, w->path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
	if (handle < 0)
		return work_error(w, e, handle, "creating", WORK_WHOLE_FILE);
	for (uint64_t at = 0; at < m->file_size && e->code == ERR_NONE; at += request) {
		ssize_t r =
		        work_write(w, handle, data_next(&w->data, request), request);
		if (r < 0)
			work_error(w, e, r, "writing", at);
	}
	if (work_close(w, handle, false, e) < 0)
		return -1;
	meter_count(&w->meter, m->file_size);
	return 0;
}

static int make_all(struct work *w, struct err *e)
{
	struct mixed *m = w->state;
	for (uint64_t i = 0; i < w->options->mixed_files; i++) {
		if (work_path(w, e, "many/m%05llu", (unsigned long long)i) < 0)
			return -1;
		meter_start(&w->meter);
		if (make_one(w, e) < 0)
			return -1;
		meter_done(&w->meter);
		if (work_stopped(w, e))
			return -1;
	}
	m->made = true;
	return 0;
}

static int make_dir(struct work *w, struct err *e)
{
	if (work_path(w, e, "many") < 0)
		return -1;
	int r = w->engine->ops->mkdir(w->engine->st, w->path, 0755);
	if (r < 0 && r != -EEXIST)
		return work_error(w, e, r, "making the folder", WORK_WHOLE_FILE);
	return 0;
}

static int create(struct work *w, struct err *e)
{
	const struct mixed *m = w->state;
	meter_begin(&w->meter, w->options->mixed_files * m->file_size,
	            "create: open, write, close");
	make_all(w, e);
	meter_last_call(&w->meter);
	if (e->code != ERR_NONE)
		return -1;
	meter_end(&w->meter);
	return 0;
}

static int need_files(struct work *w, struct err *e)
{
	const struct mixed *m = w->state;
	if (m->made)
		return 0;
	return make_dir(w, e) < 0 ? -1 : make_all(w, e);
}

/* One request of a file at w->path. */
static int request_once(struct work *w, bool write, uint64_t k, struct err *e)
{
	const struct engine *en = w->engine;
	uint64_t n = w->options->request_size;
	int64_t at = (int64_t)(k * n);
	int handle = en->ops->open(en->st, w->path, write ? O_RDWR : O_RDONLY, 0);
	if (handle < 0)
		return work_error(w, e, handle, "opening", WORK_WHOLE_FILE);
	ssize_t r =
	        write ? en->ops->pwrite(en->st, handle, data_next(&w->data, n), n, at)
	              : en->ops->pread(en->st, handle, w->buf, n, at);
	if (r < 0)
		work_error(w, e, r, write ? "writing" : "reading", (uint64_t)at);
	else if ((uint64_t)r < n)
		err_set(e, ERR_ENVIRONMENT,
		        "%s: only %lld of %llu bytes at offset %lld", w->path,
		        (long long)r, (unsigned long long)n, (long long)at);
	if (write && r >= 0 && w->options->fsync == FSYNC_EVERY &&
	    (r = en->ops->fsync(en->st, handle)) < 0)
		work_error(w, e, r, "storing", (uint64_t)at);
	if (work_close(w, handle, false, e) < 0)
		return -1;
	*(write ? &w->meter.written : &w->meter.read) += n;
	meter_count(&w->meter, n);
	return 0;
}

static int mix(struct work *w, struct err *e)
{
	const struct workload_options *o = w->options;
	const struct mixed *m = w->state;
	struct rng r = rng_init(rng_mix(o->seed) + w->pass);
	meter_begin(&w->meter, o->mixed_operations * o->request_size,
	            "open, read or write, close");
	for (uint64_t i = 0; i < o->mixed_operations; i++) {
		uint64_t file = rng_below(&r, o->mixed_files);
		bool write = rng_below(&r, 100) >= o->read_share;
		uint64_t k = rng_below(&r, m->file_size / o->request_size);
		if (work_path(w, e, "many/m%05llu", (unsigned long long)file) < 0)
			break;
		meter_start(&w->meter);
		if (request_once(w, write, k, e) < 0)
			break;
		meter_done(&w->meter);
		if (work_stopped(w, e))
			break;
	}
	meter_last_call(&w->meter);
	if (e->code != ERR_NONE)
		return -1;
	meter_end(&w->meter);
	return 0;
}

static int warm_up(struct work *w, struct err *e)
{
	const struct engine *en = w->engine;
	for (uint64_t i = 0; i < w->options->mixed_files; i++) {
		if (work_path(w, e, "many/m%05llu", (unsigned long long)i) < 0)
			return -1;
		int handle = en->ops->open(en->st, w->path, O_RDONLY, 0);
		if (handle < 0)
			return work_error(w, e, handle, "opening", WORK_WHOLE_FILE);
		ssize_t n;
		while ((n = en->ops->read(en->st, handle, w->buf,
		                          w->options->request_size)) > 0)
			meter_count(&w->meter, (uint64_t)n);
		if (n < 0)
			work_error(w, e, n, "reading", 0);
		if (work_close(w, handle, false, e) < 0 || work_stopped(w, e))
			return -1;
	}
	return 0;
}

static const struct workload_phase phases[] = {
        {.name = "mixed-create", .run = create, .prepare = make_dir},
        {.name = "mixed", .run = mix, .prepare = need_files, .reads = true},
};

const struct workload workload_mixed = {
        .name = "mixed",
        .help = "random reads and writes in many files, in a given ratio",
        .phases = phases,
        .nphases = sizeof phases / sizeof *phases,
        .init = init,
        .fini = fini,
        .warm_up = warm_up,
};
