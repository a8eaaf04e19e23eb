/* A clock for tests of what takes time: it stands but when it is read (20 ns, or what
 * VIRTUAL_READING_NS was defined as) and when somebody sleeps (as long as asked, and up
 * to 60 us more, as real sleepers). A program one of whose files includes this has it
 * in the place of src/base/clock.c and of clock_nanosleep(2), so its figures do not
 * depend on what else the machine does.  Not in the support library, which would give
 * it to every test.  For one thread. */
#ifndef SUPPORT_VIRTUAL_CLOCK_H
#define SUPPORT_VIRTUAL_CLOCK_H

#include <time.h>

#include "src/base/clock.h"
#include "src/base/rng.h"

#ifndef VIRTUAL_READING_NS
#define VIRTUAL_READING_NS 20
#endif

enum { READING_NS = VIRTUAL_READING_NS, OVERSLEPT_NS = 60000 };

static struct {
	int64_t now, cpu;
	struct rng rng;
} virtual_time;

/* Sets the clock to a second. */
static inline void virtual_clock_start(void)
{
	virtual_time.now = NS_PER_S;
	virtual_time.cpu = 0;
	virtual_time.rng = rng_init(1);
}

/* Lets time pass, and processor time with it. */
static inline void virtual_clock_work(int64_t ns)
{
	virtual_time.now += ns;
	virtual_time.cpu += ns;
}

int64_t clock_mono_ns(void)
{
	virtual_clock_work(READING_NS);
	return virtual_time.now;
}

int64_t clock_real_ns(void)
{
	return clock_mono_ns();
}

int64_t clock_cpu_ns(void)
{
	return virtual_time.cpu;
}

int64_t clock_cpu_user_ns(void)
{
	return virtual_time.cpu;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                    struct timespec *left)
{
	(void)clock;
	(void)left;
	int64_t due = t->tv_sec * NS_PER_S + t->tv_nsec;
	if (!(flags & TIMER_ABSTIME))
		due += virtual_time.now;
	due += (int64_t)rng_below(&virtual_time.rng, OVERSLEPT_NS);
	if (due > virtual_time.now)
		virtual_time.now = due;
	return 0;
}

#endif
