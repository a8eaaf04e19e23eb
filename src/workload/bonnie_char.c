/* Bonnie's per-character phases, in two ways.  putc and getc are the unlocked ones:
 * in Bonnie's time they were macros without a lock. */
#include <errno.h>
#include <fcntl.h>

#include "src/workload/bonnie.h"
#include "src/workload/stream.h"

static int put_blocks(struct work *w, struct stream *s, struct err *e)
{
	FILE *f = s->file; /* in a register: what putc stores could be s->file */
	uint64_t k = 0;
	for (uint64_t at = 0; at < w->options->size; k++) {
		uint64_t n = bonnie_block_bytes(w, at);
		const uint8_t *p = data_block(&w->data, k, w->generation, n);
		for (uint64_t i = 0; i < n; i++)
			if (putc_unlocked(p[i], f) == EOF)
				return work_error(w, e, s->error, "writing", at + i);
		meter_count(&w->meter, n);
		at += n;
		if (work_stopped(w, e))
			return -1;
	}
	return 0;
}

static int begin_output(struct work *w, struct err *e)
{
	w->generation = GENERATION_PUTC;
	w->dirty = false;
	return bonnie_open(w, O_CREAT | O_EXCL | O_WRONLY, e);
}

int bonnie_putc(struct work *w, struct err *e)
{
	struct stream s;
	int handle = begin_output(w, e);
	if (handle < 0)
		return -1;
	int r = stream_open(&s, w, handle, "w");
	if (r < 0) {
		work_error(w, e, r, "opening", WORK_WHOLE_FILE);
		return bonnie_end(w, handle, true, e);
	}
	meter_begin(&w->meter, w->options->size, "write of standard I/O");
	put_blocks(w, &s, e);
	r = stream_close(&s);
	meter_last_call(&w->meter);
	if (r < 0)
		work_error(w, e, r, "writing", w->meter.bytes);
	return bonnie_end(w, handle, true, e);
}

static int get_blocks(struct work *w, struct stream *s, struct err *e)
{
	FILE *f = s->file;
	for (uint64_t at = 0; at < w->options->size;) {
		uint64_t n = bonnie_block_bytes(w, at);
		for (uint64_t i = 0; i < n; i++)
			if (getc_unlocked(f) == EOF) {
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

int bonnie_getc(struct work *w, struct err *e)
{
	struct stream s;
	int handle = bonnie_open(w, O_RDONLY, e);
	if (handle < 0)
		return -1;
	int r = stream_open(&s, w, handle, "r");
	if (r < 0) {
		work_error(w, e, r, "opening", WORK_WHOLE_FILE);
		return bonnie_end(w, handle, false, e);
	}
	meter_begin(&w->meter, w->options->size, "read of standard I/O");
	get_blocks(w, &s, e);
	meter_last_call(&w->meter);
	stream_close(&s);
	return bonnie_end(w, handle, false, e);
}

/* One call a byte: what bonnie++ 2.00 calls per character. */
int bonnie_write_bytes(struct work *w, struct err *e)
{
	int handle = begin_output(w, e);
	if (handle < 0)
		return -1;
	const struct engine *en = w->engine;
	bool every = w->options->fsync == FSYNC_EVERY;
	uint64_t k = 0;
	meter_begin(&w->meter, w->options->size, "write of a byte");
	for (uint64_t at = 0; at < w->options->size && e->code == ERR_NONE; k++) {
		uint64_t n = bonnie_block_bytes(w, at);
		const uint8_t *p = data_block(&w->data, k, w->generation, n);
		for (uint64_t i = 0; i < n && e->code == ERR_NONE; i++) {
			meter_start(&w->meter);
			ssize_t r = every ? work_write(w, handle, &p[i], 1)
			                  : en->ops->write(en->st, handle, &p[i], 1);
			if (r != 1)
				work_error(w, e, r < 0 ? r : -EIO, "writing", at + i);
			meter_done(&w->meter);
		}
		meter_count(&w->meter, n);
		at += n;
		work_stopped(w, e);
	}
	meter_last_call(&w->meter);
	return bonnie_end(w, handle, true, e);
}

int bonnie_read_bytes(struct work *w, struct err *e)
{
	uint8_t byte;
	int handle = bonnie_open(w, O_RDONLY, e);
	if (handle < 0)
		return -1;
	const struct engine *en = w->engine;
	meter_begin(&w->meter, w->options->size, "read of a byte");
	for (uint64_t at = 0; at < w->options->size && e->code == ERR_NONE;) {
		uint64_t n = bonnie_block_bytes(w, at);
		for (uint64_t i = 0; i < n; i++) {
			meter_start(&w->meter);
			ssize_t r = en->ops->read(en->st, handle, &byte, 1);
			if (r == 0)
				err_set(e, ERR_ENVIRONMENT,
				        "%s ends at offset %llu, too early", w->path,
				        (unsigned long long)(at + i));
			else if (r < 0)
				work_error(w, e, r, "reading", at + i);
			if (r != 1)
				break;
			meter_done(&w->meter);
		}
		meter_count(&w->meter, n);
		at += n;
		work_stopped(w, e);
	}
	meter_last_call(&w->meter);
	return bonnie_end(w, handle, false, e);
}
