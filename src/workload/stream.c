#include "src/workload/stream.h"

#include <errno.h>

static ssize_t stream_read(void *cookie, char *buf, size_t n)
{
	struct stream *s = cookie;
	const struct engine *en = s->work->engine;
	meter_start_unchained(&s->work->meter);
	ssize_t r = en->ops->read(en->st, s->handle, buf, n);
	meter_done(&s->work->meter);
	if (r >= 0)
		return r;
	if (!s->error)
		s->error = (int)r;
	errno = (int)-r;
	return -1;
}

/* fopencookie(3): a write function reports failure by 0. */
static ssize_t stream_write(void *cookie, const char *buf, size_t n)
{
	struct stream *s = cookie;
	meter_start_unchained(&s->work->meter);
	ssize_t r = work_write(s->work, s->handle, buf, n);
	meter_done(&s->work->meter);
	if (r >= 0)
		return r;
	if (!s->error)
		s->error = (int)r;
	errno = (int)-r;
	return 0;
}

int stream_open(struct stream *s, struct work *w, int handle, const char *mode)
{
	s->work = w;
	s->handle = handle;
	s->error = 0;
	s->file = fopencookie(
	        s, mode,
	        (cookie_io_functions_t){.read = stream_read, .write = stream_write});
	if (!s->file)
		return -errno;
	setvbuf(s->file, s->buffer, _IOFBF, sizeof s->buffer);
	return 0;
}

int stream_close(struct stream *s)
{
	int r = fclose(s->file) == 0 ? 0 : -errno;
	s->file = NULL;
	return s->error ? s->error : r;
}
