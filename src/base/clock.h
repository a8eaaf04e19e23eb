/* The clocks of the driver and of live capture.  Times are int64 nanoseconds.
 * Nothing below a capture source may call these: packet time is the only
 * clock of decoding, tracking and reporting. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

int64_t clock_mono_ns(void); /* CLOCK_MONOTONIC: for durations */
int64_t clock_real_ns(void); /* CLOCK_REALTIME: the clock of packet time stamps */
int64_t clock_cpu_ns(void);  /* user + system time of this process, all its threads */
/* The user part of it, microseconds exact in sum and parted by the kernel's ticks. */
int64_t clock_cpu_user_ns(void);

#endif
