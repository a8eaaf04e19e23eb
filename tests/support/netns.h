/* A network namespace of the test's own, which ends with the test's process. */
#ifndef SUPPORT_NETNS_H
#define SUPPORT_NETNS_H

/* Enters one, with the loopback up; skips the test where that is not allowed. */
void netns_enter(void);

/* Runs a command of iproute2, ethtool or nft there; fails the test if it fails. */
void netns_run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
