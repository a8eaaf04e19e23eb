/* Random seeks, by one seeker or by several at once as Bonnie's four processes:
 * they take the seeks one by one from a common number, each on its own handle. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "src/base/clock.h"
#include "src/base/rng.h"
#include "src/workload/bonnie.h"

enum { SEEK_BYTES = 16384, DIRTY_EVERY = 10 };

struct seekers {
	struct work *w;
	uint64_t bytes; /* a seek */
	_Atomic uint64_t next;
	_Atomic bool leave; /* one of them failed */
};

struct seeker {
	struct seekers *all;
	unsigned number;
	int handle;
	uint8_t *buf;
	struct hist latency;
	uint64_t done;
	struct err e;
	pthread_t thread;
};

static uint64_t seek_bytes(const struct workload_options *o)
{
	return o->request_size < SEEK_BYTES ? o->request_size : SEEK_BYTES;
}

/* Each pass and each seeker has places of its own; the first of both has those of
 * the seed itself. */
static struct rng places(const struct work *w, unsigned seeker)
{
	uint64_t which = (uint64_t)w->pass << 32 | seeker;
	return rng_init(rng_mix(w->options->seed ^ (which ? rng_mix(which) : 0)));
}

/* Reads the piece of n bytes with number k, dirties it if told so. */
static int seek_once(struct work *w, int handle, uint8_t *buf, uint64_t k, uint64_t n,
                     bool dirty, struct err *e)
{
	const struct engine *en = w->engine;
	uint64_t at = k * n;
	int64_t r = en->ops->seek(en->st, handle, (int64_t)at, SEEK_SET);
	if (r < 0)
		return work_error(w, e, r, "seeking", at);
	if (bonnie_read(w, handle, buf, at, n, e) < 0)
		return -1;
	return dirty ? bonnie_dirty(w, handle, buf, k, at, n, e) : 0;
}

static int one_seeker(struct work *w, struct err *e)
{
	const struct workload_options *o = w->options;
	uint64_t n = seek_bytes(o);
	struct rng r = places(w, 0);
	int handle = bonnie_open(w, O_RDWR, e);
	if (handle < 0)
		return -1;
	meter_begin(&w->meter, o->seeks * n, "seek, read, sometimes write");
	for (uint64_t i = 1; i <= o->seeks; i++) {
		meter_start(&w->meter);
		if (seek_once(w, handle, w->buf, rng_below(&r, o->size / n), n,
		              i % DIRTY_EVERY == 0, e) < 0)
			break;
		meter_done(&w->meter);
		meter_count(&w->meter, n);
		if (work_stopped(w, e))
			break;
	}
	meter_last_call(&w->meter);
	return bonnie_end(w, handle, true, e);
}

static void *seek_along(void *ctx)
{
	struct seeker *s = ctx;
	struct work *w = s->all->w;
	uint64_t n = s->all->bytes, i;
	struct rng r = places(w, s->number);
	int64_t mark = clock_mono_ns();
	while (!s->all->leave && (i = ++s->all->next) <= w->options->seeks) {
		uint64_t k = rng_below(&r, w->options->size / n);
		if (seek_once(w, s->handle, s->buf, k, n, i % DIRTY_EVERY == 0, &s->e) <
		            0 ||
		    work_stopped(w, &s->e)) {
			s->all->leave = true;
			break;
		}
		int64_t now = clock_mono_ns();
		hist_record(&s->latency, now - mark);
		mark = now;
		s->done++;
		atomic_fetch_add_explicit(&w->meter.done, n, memory_order_relaxed);
	}
	return NULL;
}

static int prepare_seeker(struct seekers *all, struct seeker *s, struct err *e)
{
	s->all = all;
	s->buf = malloc(all->bytes);
	if (!s->buf)
		return err_sys(e, ENOMEM, "no room for another seeker");
	s->handle = bonnie_open(all->w, O_RDWR, e);
	return s->handle < 0 ? -1 : 0;
}

/* Storing is timed: each seeker wrote. */
static void end_seekers(struct seeker *s, unsigned n, struct work *w, struct err *e)
{
	for (unsigned i = 0; i < n; i++) {
		if (s[i].e.code != ERR_NONE && e->code == ERR_NONE)
			*e = s[i].e;
		w->meter.bytes += s[i].done * s[i].all->bytes;
		w->meter.operations += s[i].done;
		meter_merge(&w->meter, &s[i].latency);
		hist_free(&s[i].latency);
	}
	for (unsigned i = 0; i < n; i++) {
		work_close(w, s[i].handle, true, e);
		free(s[i].buf);
	}
}

static int many_seekers(struct work *w, struct err *e)
{
	unsigned n = w->options->seekers, ready = 0, running = 0;
	struct seekers all = {.w = w, .bytes = seek_bytes(w->options)};
	struct seeker *s = calloc(n, sizeof *s);
	if (!s)
		return err_sys(e, ENOMEM, "no room for %u seekers", n);
	for (; ready < n; ready++) {
		s[ready].number = ready;
		if (prepare_seeker(&all, &s[ready], e) < 0) {
			free(s[ready].buf);
			break;
		}
	}
	if (ready == n) {
		meter_begin(&w->meter, w->options->seeks * all.bytes,
		            "seek, read, sometimes write");
		for (; running < n; running++) {
			int r = pthread_create(&s[running].thread, NULL, seek_along,
			                       &s[running]);
			if (r) {
				err_sys(e, r, "cannot start seeker %u", running + 1);
				all.leave = true;
				break;
			}
		}
		for (unsigned i = 0; i < running; i++)
			pthread_join(s[i].thread, NULL);
		meter_last_call(&w->meter);
	}
	end_seekers(s, ready, w, e);
	free(s);
	if (e->code != ERR_NONE)
		return -1;
	meter_end(&w->meter);
	return 0;
}

int bonnie_seeks(struct work *w, struct err *e)
{
	int r = w->options->seekers > 1 ? many_seekers(w, e) : one_seeker(w, e);
	struct meter *m = &w->meter;
	m->read = m->bytes;
	m->written = m->operations / DIRTY_EVERY * seek_bytes(w->options);
	w->generation = GENERATION_SEEKS;
	return r;
}
