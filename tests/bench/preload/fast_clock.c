/* bonnie++ prints +++++ for what takes it less than half a second, and its seeks are
 * too few for a fast file system to take that long.  Preloaded, this makes the clock
 * that it reads run FAST times as fast, so it prints all rates, each a FAST'th. */
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

enum { FAST = 100, NS_PER_US = 1000, US_PER_S = 1000000 };

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	struct timespec now;
	(void)zone;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t us = ((int64_t)now.tv_sec * US_PER_S * NS_PER_US + now.tv_nsec) /
	             (NS_PER_US / FAST);
	*t = (struct timeval){.tv_sec = us / US_PER_S, .tv_usec = us % US_PER_S};
	return 0;
}
