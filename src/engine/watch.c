#include "src/engine/watch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/clock.h"

enum {
	PERIOD_MS = 500,
	SAY_S = 5,        /* first after so long */
	SAY_AGAIN_S = 30, /* then each time */
	STOP_S = 5,       /* a call is given up when the user wants to stop */
	/* Acknowledgements of data that are under way come faster than this, pings that
	 * keep a call alive do not. */
	ALIVE_BYTES_S = 512,
};

struct watch_thread {
	const struct watch *w;
	struct watch_options o;
	char who[256];
	struct watch_state state;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop;
};

/* Bytes that came since the wait began; < 0: not known. */
static int64_t came(const struct watch_state *s, int64_t now)
{
	return s->received < 0 || now < s->received ? -1 : now - s->received;
}

static bool is_alive(const struct watch_state *s, int64_t waited, int64_t now)
{
	return (double)came(s, now) >= ALIVE_BYTES_S * (double)waited / 1e9;
}

enum watch_verdict watch_look(struct watch_state *s, const struct watch *w,
                              const struct watch_options *o, int64_t now_ns,
                              int64_t received)
{
	uint64_t ended = atomic_load_explicit(&w->ended, memory_order_relaxed);
	uint64_t begun = atomic_load_explicit(&w->begun, memory_order_relaxed);
	bool moved = begun != s->begun || ended != s->ended;
	if (moved || begun == ended || s->since_ns == 0) {
		*s = (struct watch_state){.begun = begun,
		                          .ended = ended,
		                          .since_ns = now_ns,
		                          .received = received};
		return WATCH_NOTHING;
	}
	if (o->stop && *o->stop && s->stop_ns == 0)
		s->stop_ns = now_ns;
	int64_t waited = now_ns - s->since_ns;
	if (is_alive(s, waited, received))
		return WATCH_NOTHING;
	if ((o->give_up_ns > 0 && waited >= o->give_up_ns) ||
	    (s->stop_ns > 0 && now_ns - s->stop_ns >= STOP_S * NS_PER_S))
		return WATCH_GIVE_UP;
	int64_t due =
	        s->said_ns ? s->said_ns + SAY_AGAIN_S * NS_PER_S : SAY_S * NS_PER_S;
	if (o->quiet || waited < due)
		return WATCH_NOTHING;
	s->said_ns = waited;
	return WATCH_SAY;
}

void watch_text(const struct watch_state *s, int64_t now_ns, int64_t received,
                char *text, size_t size)
{
	long long bytes = came(s, received);
	double waited = (double)(now_ns - s->since_ns) / 1e9;
	int n = snprintf(text, size, "a call has not come back for %.0f s", waited);
	if (bytes >= 0 && n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n,
		         " (%lld bytes came to this host meanwhile)", bytes);
}

static void say(const struct watch_thread *t, int64_t now, int64_t received)
{
	char text[160];
	watch_text(&t->state, now, received, text, sizeof text);
	fprintf(stderr, "cellbench: waiting for %s: %s", t->who, text);
	/* a minute for each server that it asks, measured: 56 s, and 113 s in a read */
	if (t->state.said_ns < SAY_AGAIN_S * NS_PER_S)
		fprintf(stderr,
		        "; the AFS client gives up a dead server after one to two "
		        "minutes");
	if (t->state.said_ns < SAY_AGAIN_S * NS_PER_S && t->o.give_up_ns > 0)
		fprintf(stderr, ", this run ends after %.0f s (--give-up)",
		        (double)t->o.give_up_ns / 1e9);
	fputc('\n', stderr);
}

static void give_up(const struct watch_thread *t, int64_t now, int64_t received)
{
	char text[160], why[480];
	watch_text(&t->state, now, received, text, sizeof text);
	snprintf(why, sizeof why, "gave up waiting for %s: %s", t->who, text);
	t->o.give_up(t->o.ctx, why);
}

static void look(struct watch_thread *t)
{
	int64_t now = clock_mono_ns();
	int64_t received = t->o.received();
	switch (watch_look(&t->state, t->w, &t->o, now, received)) {
	case WATCH_SAY:
		say(t, now, received);
		break;
	case WATCH_GIVE_UP:
		if (t->o.give_up)
			give_up(t, now, received);
		break;
	default:
		break;
	}
}

static void *run(void *ctx)
{
	struct watch_thread *t = ctx;
	pthread_mutex_lock(&t->lock);
	while (!t->stop) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += PERIOD_MS * NS_PER_MS;
		until.tv_sec += until.tv_nsec / NS_PER_S;
		until.tv_nsec %= NS_PER_S;
		pthread_cond_timedwait(&t->wake, &t->lock, &until);
		if (!t->stop)
			look(t);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

void watch_start(struct watch *w, const struct watch_options *o, const char *who)
{
	struct watch_thread *t = calloc(1, sizeof *t);
	if (!t)
		return;
	t->w = w;
	t->o = *o;
	snprintf(t->who, sizeof t->who, "%s", who);
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->wake, NULL);
	sigset_t all, old; /* signals are for the main thread */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int r = pthread_create(&t->thread, NULL, run, t);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (r == 0)
		w->thread = t;
	else
		free(t);
}

void watch_stop(struct watch *w)
{
	struct watch_thread *t = w->thread;
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_signal(&t->wake);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	pthread_cond_destroy(&t->wake);
	pthread_mutex_destroy(&t->lock);
	free(t);
	w->thread = NULL;
}
