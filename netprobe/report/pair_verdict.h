/* What the traffic between two hosts tells of the MTU: rules and their sentences. */
#ifndef REPORT_PAIR_VERDICT_H
#define REPORT_PAIR_VERDICT_H

#include "netprobe/track/pair.h"
#include "netprobe/track/track.h"

struct pair_facts {
	const struct pair *pair;
	unsigned family;        /* 4 or 6 */
	uint32_t mtu;           /* of the interface; 0 = not known */
	uint32_t largest_whole; /* longest IP packet that is no fragment, Rx too; 0 =
	                         * none; super-packets left out */
};

/* Writes the sentences that hold, parted by "; ", an empty string where none does.
 * True if one of them is trouble that a reader should see in any case. */
bool pair_verdict(const struct pair_facts *f, char *out, size_t size);

/* Whether an interface's fragments show that a filter hid all but the first of each
 * train: at least three of them and no later piece at all. */
bool pieces_hidden(const struct iface_stats *s);
extern const char pieces_hidden_text[];

/* The MTU whose first fragment is this long: pieces hold multiples of 8 bytes, so up
 * to 7 more are possible; one in use on some link is preferred. */
uint32_t first_piece_mtu(uint32_t first_ip_len);

#endif
