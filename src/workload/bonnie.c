/* The phases of Bonnie (Tim Bray, 1990), in its names.
 *
 * Output by putc and by write, rewrite in place, input by getc and by read,
 * random seeks.  Requests are of any size; a seek reads 16384 bytes, Bonnie's
 * Chunk, or a request if that is smaller.  A rewrite and every tenth seek dirties
 * one word of its block.  Each output phase that Bonnie begins with a new file
 * begins here with one too.  putc and getc are the unlocked ones: in Bonnie's time
 * they were macros without a lock. */
#include <fcntl.h>
#include <stdio.h>

#include "src/base/rng.h"
#include "src/workload/stream.h"
#include "src/workload/workload.h"

enum {
	SEEK_BYTES = 16384,
	DIRTY_EVERY = 10,
	GENERATION_PUTC = 1,
	GENERATION_WRITE = 2
};

static uint64_t block_bytes(const struct work *w, uint64_t at)
{
	uint64_t left = w->options->size - at;
	return left < w->options->request_size ? left : w->options->request_size;
}

static int open_file(struct work *w, int flags, struct err *e)
{
	const struct engine *en = w->engine;
	if (flags & O_CREAT)
		en->ops->unlink(en->st, w->path); /* it need not exist */
	int handle = en->ops->open(en->st, w->path, flags, 0644);
	return handle < 0 ? work_error(w, e, handle, "opening", WORK_WHOLE_FILE)
	                  : handle;
}

/* Ends a phase: stores what was written and closes.  With e already set, only
 * closes. */
static int end_file(struct work *w, int handle, bool written, struct err *e)
{
	const struct engine *en = w->engine;
	if (e->code != ERR_NONE) {
		en->ops->close(en->st, handle);
		return -1;
	}
	int64_t r = 0;
	if (written && !(en->ops->caps & ENGINE_CLOSE_STORES))
		r = en->ops->fsync(en->st, handle);
	int64_t closed = en->ops->close(en->st, handle);
	if (r < 0 || closed < 0)
		return work_error(w, e, r < 0 ? r : closed, "storing the data",
		                  w->meter.bytes);
	meter_end(&w->meter);
	return 0;
}

static int put_blocks(struct work *w, struct stream *s, struct err *e)
{
	uint64_t k = 0;
	for (uint64_t at = 0; at < w->options->size; k++) {
		uint64_t n = block_bytes(w, at);
		const uint8_t *p = data_block(&w->data, k, w->generation);
		for (uint64_t i = 0; i < n; i++)
			if (putc_unlocked(p[i], s->file) == EOF)
				return work_error(w, e, s->error, "writing", at + i);
		meter_count(&w->meter, n);
		at += n;
		if (work_stopped(w, e))
			return -1;
	}
	return 0;
}

static int per_char_output(struct work *w, struct err *e)
{
	struct stream s;
	w->generation = GENERATION_PUTC;
	w->dirty = false;
	int handle = open_file(w, O_CREAT | O_EXCL | O_WRONLY, e);
	if (handle < 0)
		return -1;
	int r = stream_open(&s, w->engine, handle, "w");
	if (r < 0) {
		work_error(w, e, r, "opening", WORK_WHOLE_FILE);
		return end_file(w, handle, true, e);
	}
	meter_begin(&w->meter, w->options->size);
	put_blocks(w, &s, e);
	r = stream_close(&s);
	meter_last_call(&w->meter);
	if (r < 0)
		work_error(w, e, r, "writing", w->meter.bytes);
	return end_file(w, handle, true, e);
}

static int write_blocks(struct work *w, int handle, struct err *e)
{
	uint64_t k = 0;
	for (uint64_t at = 0; at < w->options->size; k++) {
		uint64_t n = block_bytes(w, at);
		ssize_t r = engine_write_full(
		        w->engine, handle, data_block(&w->data, k, w->generation), n);
		if (r < 0)
			return work_error(w, e, r, "writing", at);
		meter_count(&w->meter, n);
		at += n;
		if (work_stopped(w, e))
			return -1;
	}
	return 0;
}

static int block_output(struct work *w, struct err *e)
{
	w->generation = GENERATION_WRITE;
	w->dirty = false;
	int handle = open_file(w, O_CREAT | O_EXCL | O_WRONLY, e);
	if (handle < 0)
		return -1;
	meter_begin(&w->meter, w->options->size);
	write_blocks(w, handle, e);
	meter_last_call(&w->meter);
	return end_file(w, handle, true, e);
}

/* Reads n bytes where the file must have them. */
static int read_block(struct work *w, int handle, uint64_t at, uint64_t n,
                      struct err *e)
{
	ssize_t r = engine_read_full(w->engine, handle, w->buf, n);
	if (r < 0)
		return work_error(w, e, r, "reading", at);
	if ((uint64_t)r < n)
		return err_set(e, ERR_ENVIRONMENT,
		               "%s ends at offset %llu but %llu bytes were written",
		               w->path, (unsigned long long)(at + (uint64_t)r),
		               (unsigned long long)w->options->size);
	return 0;
}

/* Goes back over the block just read, dirties a word of it and writes it. */
static int dirty_block(struct work *w, int handle, uint64_t k, uint64_t at, uint64_t n,
                       struct err *e)
{
	const struct engine *en = w->engine;
	data_dirty(k, w->buf, n);
	int64_t r = en->ops->seek(en->st, handle, (int64_t)at, SEEK_SET);
	if (r < 0)
		return work_error(w, e, r, "seeking", at);
	r = engine_write_full(en, handle, w->buf, n);
	return r < 0 ? work_error(w, e, r, "writing", at) : 0;
}

static int rewrite(struct work *w, struct err *e)
{
	int handle = open_file(w, O_RDWR, e);
	if (handle < 0)
		return -1;
	uint64_t k = 0;
	meter_begin(&w->meter, w->options->size);
	for (uint64_t at = 0; at < w->options->size; k++) {
		uint64_t n = block_bytes(w, at);
		if (read_block(w, handle, at, n, e) < 0 ||
		    dirty_block(w, handle, k, at, n, e) < 0)
			break;
		meter_count(&w->meter, n);
		at += n;
		if (work_stopped(w, e))
			break;
	}
	meter_last_call(&w->meter);
	w->dirty = true;
	return end_file(w, handle, true, e);
}

static int get_blocks(struct work *w, struct stream *s, struct err *e)
{
	for (uint64_t at = 0; at < w->options->size;) {
		uint64_t n = block_bytes(w, at);
		for (uint64_t i = 0; i < n; i++)
			if (getc_unlocked(s->file) == EOF) {
				if (s->error)
					return work_error(w, e, s->error, "reading",
					                  at + i);
				return err_set(e, ERR_ENVIRONMENT,
				               "%s ends at offset %llu, too early",
				               w->path, (unsigned long long)(at + i));
			}
		meter_count(&w->meter, n);
		at += n;
		if (work_stopped(w, e))
			return -1;
	}
	return 0;
}

static int per_char_input(struct work *w, struct err *e)
{
	struct stream s;
	int handle = open_file(w, O_RDONLY, e);
	if (handle < 0)
		return -1;
	int r = stream_open(&s, w->engine, handle, "r");
	if (r < 0) {
		work_error(w, e, r, "opening", WORK_WHOLE_FILE);
		return end_file(w, handle, false, e);
	}
	meter_begin(&w->meter, w->options->size);
	get_blocks(w, &s, e);
	meter_last_call(&w->meter);
	stream_close(&s);
	return end_file(w, handle, false, e);
}

static int block_input(struct work *w, struct err *e)
{
	int handle = open_file(w, O_RDONLY, e);
	if (handle < 0)
		return -1;
	meter_begin(&w->meter, w->options->size);
	for (uint64_t at = 0; at < w->options->size;) {
		uint64_t n = block_bytes(w, at);
		if (read_block(w, handle, at, n, e) < 0)
			break;
		meter_count(&w->meter, n);
		at += n;
		if (work_stopped(w, e))
			break;
	}
	meter_last_call(&w->meter);
	return end_file(w, handle, false, e);
}

/* Reads the piece of n bytes with number k, dirties it if told so. */
static int seek_once(struct work *w, int handle, uint64_t k, uint64_t n, bool dirty,
                     struct err *e)
{
	const struct engine *en = w->engine;
	uint64_t at = k * n;
	int64_t r = en->ops->seek(en->st, handle, (int64_t)at, SEEK_SET);
	if (r < 0)
		return work_error(w, e, r, "seeking", at);
	if (read_block(w, handle, at, n, e) < 0)
		return -1;
	meter_count(&w->meter, n);
	return dirty ? dirty_block(w, handle, k, at, n, e) : 0;
}

static int random_seeks(struct work *w, struct err *e)
{
	const struct workload_options *o = w->options;
	uint64_t n = o->request_size < SEEK_BYTES ? o->request_size : SEEK_BYTES;
	struct rng r = rng_init(rng_mix(o->seed));
	int handle = open_file(w, O_RDWR, e);
	if (handle < 0)
		return -1;
	meter_begin(&w->meter, o->seeks * n);
	for (uint64_t i = 1; i <= o->seeks; i++)
		if (seek_once(w, handle, rng_below(&r, o->size / n), n,
		              i % DIRTY_EVERY == 0, e) < 0 ||
		    work_stopped(w, e))
			break;
	meter_last_call(&w->meter);
	return end_file(w, handle, true, e);
}

static int verify_blocks(struct work *w, int handle, struct err *e)
{
	uint64_t k = 0;
	for (uint64_t at = 0; at < w->options->size; k++) {
		uint64_t n = block_bytes(w, at);
		size_t bad;
		if (read_block(w, handle, at, n, e) < 0)
			return -1;
		if (!data_check(&w->data, k, w->generation, w->dirty, w->buf, n, &bad))
			return err_set(e, ERR_ENVIRONMENT,
			               "%s holds wrong data at offset %llu: what was "
			               "read is not what was written",
			               w->path, (unsigned long long)(at + bad));
		at += n;
		if (work_stopped(w, e))
			return -1;
	}
	return 0;
}

static int verify(struct work *w, struct err *e)
{
	int handle = open_file(w, O_RDONLY, e);
	if (handle < 0)
		return -1;
	int r = verify_blocks(w, handle, e);
	w->engine->ops->close(w->engine->st, handle);
	return r;
}

static const struct workload_phase phases[] = {
        {.name = "per-char-output", .run = per_char_output, .verify = verify},
        {.name = "block-output", .run = block_output},
        {.name = "rewrite", .run = rewrite, .verify = verify, .reads_all = true},
        {.name = "per-char-input", .run = per_char_input, .reads_all = true},
        {.name = "block-input", .run = block_input, .reads_all = true},
        {.name = "random-seeks", .run = random_seeks},
};

const struct workload workload_bonnie = {
        .name = "bonnie",
        .help = "per-character and block output, rewrite, input, random seeks",
        .phases = phases,
        .nphases = sizeof phases / sizeof *phases,
};
