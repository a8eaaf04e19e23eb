/* The phases of Bonnie (Tim Bray, 1990), in its names.
 *
 * Output by putc and by write, rewrite in place, input by getc and by read,
 * random seeks.  Requests are of any size; a seek reads 16384 bytes, Bonnie's
 * Chunk, or a request if that is smaller.  A rewrite and every tenth seek dirties
 * one word of its block.  Each output phase that Bonnie begins with a new file
 * begins here with one too.  Behind them, if asked for, the file phases of bonnie++. */
#include "src/workload/bonnie.h"

#include <fcntl.h>

#include "src/workload/files.h"

uint64_t bonnie_block_bytes(const struct work *w, uint64_t at)
{
	uint64_t left = w->options->size - at;
	return left < w->options->request_size ? left : w->options->request_size;
}

int bonnie_open(struct work *w, int flags, struct err *e)
{
	const struct engine *en = w->engine;
	if (work_path(w, e, "data") < 0)
		return -1;
	if (flags & O_CREAT)
		en->ops->unlink(en->st, w->path); /* it need not exist */
	int handle = en->ops->open(en->st, w->path, flags, 0644);
	return handle < 0 ? work_error(w, e, handle, "opening", WORK_WHOLE_FILE)
	                  : handle;
}

int bonnie_end(struct work *w, int handle, bool written, struct err *e)
{
	if (work_close(w, handle, written, e) < 0)
		return -1;
	meter_end(&w->meter);
	return 0;
}

static int write_blocks(struct work *w, int handle, struct err *e)
{
	uint64_t k = 0;
	for (uint64_t at = 0; at < w->options->size; k++) {
		uint64_t n = bonnie_block_bytes(w, at);
		const uint8_t *block = data_block(&w->data, k, w->generation, n);
		meter_start(&w->meter);
		ssize_t r = work_write(w, handle, block, n);
		if (r < 0)
			return work_error(w, e, r, "writing", at);
		meter_done(&w->meter);
		meter_count(&w->meter, n);
		at += n;
		if (work_stopped(w, e))
			return -1;
	}
	return 0;
}

int bonnie_block_output(struct work *w, struct err *e)
{
	w->generation = GENERATION_WRITE;
	w->dirty = false;
	int handle = bonnie_open(w, O_CREAT | O_EXCL | O_WRONLY, e);
	if (handle < 0)
		return -1;
	meter_begin(&w->meter, w->options->size, "write");
	write_blocks(w, handle, e);
	meter_last_call(&w->meter);
	return bonnie_end(w, handle, true, e);
}

/* The file with known content, for phases that were selected without those that
 * make it. */
static int fill(struct work *w, struct err *e)
{
	w->generation = GENERATION_WRITE;
	w->dirty = false;
	int handle = bonnie_open(w, O_CREAT | O_EXCL | O_WRONLY, e);
	if (handle < 0)
		return -1;
	write_blocks(w, handle, e);
	return work_close(w, handle, true, e);
}

int bonnie_need_file(struct work *w, struct err *e)
{
	return w->generation == GENERATION_NONE ? fill(w, e) : 0;
}

static int need_known(struct work *w, struct err *e)
{
	bool known =
	        w->generation == GENERATION_PUTC || w->generation == GENERATION_WRITE;
	return known ? 0 : fill(w, e);
}

int bonnie_read(struct work *w, int handle, uint8_t *buf, uint64_t at, uint64_t n,
                struct err *e)
{
	ssize_t r = engine_read_full(w->engine, handle, buf, n);
	if (r < 0)
		return work_error(w, e, r, "reading", at);
	if ((uint64_t)r < n)
		return err_set(e, ERR_ENVIRONMENT,
		               "%s ends at offset %llu but %llu bytes were written",
		               w->path, (unsigned long long)(at + (uint64_t)r),
		               (unsigned long long)w->options->size);
	return 0;
}

int bonnie_dirty(struct work *w, int handle, uint8_t *buf, uint64_t k, uint64_t at,
                 uint64_t n, struct err *e)
{
	const struct engine *en = w->engine;
	data_dirty(k, buf, n);
	int64_t r = en->ops->seek(en->st, handle, (int64_t)at, SEEK_SET);
	if (r < 0)
		return work_error(w, e, r, "seeking", at);
	r = work_write(w, handle, buf, n);
	return r < 0 ? work_error(w, e, r, "writing", at) : 0;
}

static int rewrite(struct work *w, struct err *e)
{
	int handle = bonnie_open(w, O_RDWR, e);
	if (handle < 0)
		return -1;
	uint64_t k = 0;
	meter_begin(&w->meter, w->options->size, "read, seek, write");
	for (uint64_t at = 0; at < w->options->size; k++) {
		uint64_t n = bonnie_block_bytes(w, at);
		meter_start(&w->meter);
		if (bonnie_read(w, handle, w->buf, at, n, e) < 0 ||
		    bonnie_dirty(w, handle, w->buf, k, at, n, e) < 0)
			break;
		meter_done(&w->meter);
		meter_count(&w->meter, n);
		at += n;
		if (work_stopped(w, e))
			break;
	}
	meter_last_call(&w->meter);
	w->meter.read = w->meter.written = w->meter.bytes;
	w->dirty = !w->dirty; /* a second rewrite changes the same words back */
	return bonnie_end(w, handle, true, e);
}

static int read_blocks(struct work *w, int handle, struct err *e)
{
	for (uint64_t at = 0; at < w->options->size;) {
		uint64_t n = bonnie_block_bytes(w, at);
		meter_start(&w->meter);
		if (bonnie_read(w, handle, w->buf, at, n, e) < 0)
			return -1;
		meter_done(&w->meter);
		meter_count(&w->meter, n);
		at += n;
		if (work_stopped(w, e))
			return -1;
	}
	return 0;
}

int bonnie_block_input(struct work *w, struct err *e)
{
	int handle = bonnie_open(w, O_RDONLY, e);
	if (handle < 0)
		return -1;
	meter_begin(&w->meter, w->options->size, "read");
	read_blocks(w, handle, e);
	meter_last_call(&w->meter);
	return bonnie_end(w, handle, false, e);
}

static int verify_blocks(struct work *w, int handle, struct err *e)
{
	uint64_t k = 0;
	for (uint64_t at = 0; at < w->options->size; k++) {
		uint64_t n = bonnie_block_bytes(w, at);
		size_t bad;
		if (bonnie_read(w, handle, w->buf, at, n, e) < 0)
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
	int handle = bonnie_open(w, O_RDONLY, e);
	if (handle < 0)
		return -1;
	int r = verify_blocks(w, handle, e);
	w->engine->ops->close(w->engine->st, handle);
	return r;
}

static int warm_up(struct work *w, struct err *e)
{
	if (files_at_work(w))
		return files_warm_up(w, e);
	return bonnie_block_input(w, e);
}

static bool with_stdio(const struct workload_options *o)
{
	return o->per_char == PER_CHAR_STDIO || o->per_char == PER_CHAR_BOTH;
}

static bool with_write(const struct workload_options *o)
{
	return o->per_char == PER_CHAR_WRITE || o->per_char == PER_CHAR_BOTH;
}

static const struct workload_phase phases[] = {
        {.name = "per-char-output",
         .run = bonnie_putc,
         .verify = verify,
         .enabled = with_stdio},
        {.name = "per-byte-output",
         .run = bonnie_write_bytes,
         .verify = verify,
         .enabled = with_write},
        {.name = "block-output", .run = bonnie_block_output},
        {.name = "rewrite",
         .run = rewrite,
         .verify = verify,
         .reads_all = true,
         .prepare = need_known,
         .reads = true},
        {.name = "per-char-input",
         .run = bonnie_getc,
         .reads_all = true,
         .prepare = bonnie_need_file,
         .reads = true,
         .enabled = with_stdio},
        {.name = "per-byte-input",
         .run = bonnie_read_bytes,
         .reads_all = true,
         .prepare = bonnie_need_file,
         .reads = true,
         .enabled = with_write},
        {.name = "block-input",
         .run = bonnie_block_input,
         .reads_all = true,
         .prepare = bonnie_need_file,
         .reads = true},
        {.name = "random-seeks",
         .run = bonnie_seeks,
         .prepare = bonnie_need_file,
         .reads = true},
        FILES_PHASES,
};

const struct workload workload_bonnie = {
        .name = "bonnie",
        .help = "per-character and block output, rewrite, input, random seeks, files",
        .phases = phases,
        .nphases = sizeof phases / sizeof *phases,
        .warm_up = warm_up,
        .fini = files_fini,
        .one_file = true,
};
