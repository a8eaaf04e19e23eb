#include "src/run/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "src/base/clock.h"

enum { PERIOD_MS = 250 };

struct progress {
	struct meter *meter;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop;
	char text[64];
	int64_t since_ns;
};

static void show(const struct progress *p)
{
	uint64_t total = atomic_load_explicit(&p->meter->total, memory_order_relaxed);
	uint64_t done = atomic_load_explicit(&p->meter->done, memory_order_relaxed);
	double s = (double)(clock_mono_ns() - p->since_ns) / 1e9;
	fprintf(stderr, "\r\033[K%s", p->text);
	if (total > 0 && done >= total)
		fprintf(stderr, "  storing  %.0f s", s);
	else if (total > 0 && done > 0 && s > 0)
		fprintf(stderr, "  %3.0f %%  %.1f MiB/s  %.0f s left",
		        100.0 * (double)done / (double)total,
		        (double)done / s / 1048576.0,
		        s * (double)(total - done) / (double)done);
	fflush(stderr);
}

static void *run(void *ctx)
{
	struct progress *p = ctx;
	pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		struct timespec t;
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += PERIOD_MS * NS_PER_MS;
		t.tv_sec += t.tv_nsec / NS_PER_S;
		t.tv_nsec %= NS_PER_S;
		if (p->text[0])
			show(p);
		pthread_cond_timedwait(&p->wake, &p->lock, &t);
	}
	pthread_mutex_unlock(&p->lock);
	fprintf(stderr, "\r\033[K");
	return NULL;
}

struct progress *progress_start(struct meter *m)
{
	if (!isatty(STDERR_FILENO))
		return NULL;
	struct progress *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->meter = m;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	sigset_t all, old; /* signals are for the main thread */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int r = pthread_create(&p->thread, NULL, run, p);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (r == 0)
		return p;
	free(p);
	return NULL;
}

void progress_phase(struct progress *p, const char *text)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	snprintf(p->text, sizeof p->text, "%s", text);
	p->since_ns = clock_mono_ns();
	pthread_mutex_unlock(&p->lock);
}

void progress_stop(struct progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->lock);
	free(p);
}
