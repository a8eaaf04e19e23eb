/* Feeds single pieces to the fragment bookkeeping and keeps what it called. */
#ifndef TESTS_FRAGMENT_FEED_H
#define TESTS_FRAGMENT_FEED_H

#include "netprobe/decode/fragment.h"

#define SECOND INT64_C(1000000000)

/* What the callbacks saw. */
struct seen {
	unsigned ends[FRAGMENT_ENDS];
	unsigned firsts;
	uint64_t pieces, repeats; /* of all trains that ended */
	struct fragment_train last;
	enum fragment_end how;
};

/* One piece without its packet around it: what the decoder fills. */
struct piece_spec {
	uint32_t id, offset, len;
	bool more;
	uint8_t content;
	int64_t time_ns;
	uint64_t number;
	uint32_t iface;
};

/* Bookkeeping whose ends are counted in *s. */
struct fragments *feed_start(struct seen *s, size_t capacity);
struct fragment_train *feed(struct fragments *fs, const struct piece_spec *x);
unsigned feed_ends(const struct seen *s); /* trains ended, of all kinds */

/* The `first` callback that feed passes: writes the frame's number to note[0]. */
void feed_first(void *ctx, struct fragment_train *t, const struct packet *p,
                const struct frame *f);

#endif
