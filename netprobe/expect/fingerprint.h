/* Who sends such an ack trailer, and on which link: a likely sender by the four
 * words, as default configurations give them. */
#ifndef EXPECT_FINGERPRINT_H
#define EXPECT_FINGERPRINT_H

#include "netprobe/decode/rx.h"

enum sender {
	SENDER_UNKNOWN,
	SENDER_OPENAFS,
	SENDER_GROWN,        /* OpenAFS whose path-MTU probing has changed its size */
	SENDER_KAFS,         /* Linux before 6.14 */
	SENDER_KAFS_PROBING, /* 6.14 and later */
	SENDER_AURISTOR,
	SENDER_OLD_AFS, /* fewer than four words: AFS 3.4a or older, or foreign */
	SENDER_ABSURD,  /* no sane host sends this */
};

struct fingerprint {
	enum sender sender;
	uint32_t frags; /* IP fragments a datagram it allows itself: 1, 4; 0 = not known
	                 */
	uint32_t mtu;   /* likely IP MTU of its interface; 0 = not known */
	bool mtu_at_least;  /* the MTU may be larger: the size is capped or rounded down
	                     */
	bool may_be_remote; /* 1444: also told to any peer on another subnet */
	const char *text;   /* for people, never NULL */
};

struct fingerprint trailer_fingerprint(const struct rx_trailer *t);

#endif
