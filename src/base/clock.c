#include "src/base/clock.h"

#include <sys/resource.h>
#include <time.h>

static int64_t read_clock(clockid_t id)
{
	struct timespec t;
	clock_gettime(id, &t); /* cannot fail for the clocks named in this file */
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

int64_t clock_mono_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_real_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t clock_cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t clock_cpu_user_ns(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage); /* cannot fail for this process */
	return usage.ru_utime.tv_sec * NS_PER_S + usage.ru_utime.tv_usec * 1000;
}
