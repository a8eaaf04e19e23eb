/* Watches calls into a network file system that do not come back: says so after some
 * seconds, and ends the wait where it would have no end.
 *
 * A client that meets a dead server is silent for a minute; one whose large datagrams
 * vanish while small ones pass waits for ever, and no call can be taken back from it.
 */
#ifndef ENGINE_WATCH_H
#define ENGINE_WATCH_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct watch_options {
	bool quiet; /* say nothing */
	int64_t (*received)(
	        void);      /* bytes that this host has received; -1: not known */
	int64_t give_up_ns; /* 0: never */
	/* set: the user wants to stop; a call that then does not come back is given up
	 * after some seconds; or NULL */
	const volatile sig_atomic_t *stop;
	/* Called by the watching thread, once, while the caller is still in its call:
	 * why. It does not come back. */
	void (*give_up)(void *ctx, const char *why);
	void *ctx;
};

struct watch_thread;

struct watch {
	_Atomic uint64_t begun, ended; /* calls */
	struct watch_thread *thread;   /* NULL: nobody watches */
};

/* who: what is waited for, "cell example.org (192.0.2.1)".  Without memory or a thread
 * nobody watches. */
void watch_start(struct watch *w, const struct watch_options *o, const char *who);
void watch_stop(struct watch *w); /* harmless where it was not started */

static inline void watch_begin(struct watch *w)
{
	atomic_fetch_add_explicit(&w->begun, 1, memory_order_relaxed);
}

static inline void watch_end(struct watch *w)
{
	atomic_fetch_add_explicit(&w->ended, 1, memory_order_relaxed);
}

/* The rest is what the thread decides, apart from it for the test. */

enum watch_verdict { WATCH_NOTHING, WATCH_SAY, WATCH_GIVE_UP };

struct watch_state {
	uint64_t begun, ended;
	int64_t since_ns; /* nothing began or ended since then */
	int64_t said_ns;  /* how long it waited when that was said last; 0: not yet */
	int64_t stop_ns;  /* the user has wanted to stop since then; 0: does not */
	int64_t received; /* by then */
};

/* One look at now_ns, with what this host has received so far. */
enum watch_verdict watch_look(struct watch_state *s, const struct watch *w,
                              const struct watch_options *o, int64_t now_ns,
                              int64_t received);

/* "a call has not come back for 5 s (0 bytes came to this host meanwhile)" */
void watch_text(const struct watch_state *s, int64_t now_ns, int64_t received,
                char *text, size_t size);

#endif
