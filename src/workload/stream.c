#include "src/workload/stream.h"

#include <errno.h>

static ssize_t stream_read(void *cookie, char *buf, size_t n)
{
	struct stream *s = cookie;
	ssize_t r = s->engine->ops->read(s->engine->st, s->handle, buf, n);
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
	ssize_t r = engine_write_full(s->engine, s->handle, buf, n);
	if (r >= 0)
		return r;
	if (!s->error)
		s->error = (int)r;
	errno = (int)-r;
	return 0;
}

int stream_open(struct stream *s, const struct engine *engine, int handle,
                const char *mode)
{
	s->engine = engine;
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
