/* What the bytes that came show of a phase's cache state: a cold phase that reads
 * everything must have received everything; a warm one, next to nothing but answers
 * to what it wrote. */
#ifndef RUN_JUDGE_H
#define RUN_JUDGE_H

#include "src/run/run.h"

enum judge_layer {
	JUDGE_HOST,    /* all that the interfaces of this host received, headers too */
	JUDGE_RX_DATA, /* data of Rx calls that came to the client, as the probe counts
	                */
	JUDGE_LAYER_COUNT
};

/* Judges p, whose figures are complete, by the bytes that came and were sent in its
 * passes, both of one layer.  before: what the proof says so far; it is put in front of
 * what is found here, and may be p's own. */
void judge_phase(struct run_phase *p, enum judge_layer layer, const char *before,
                 uint64_t came, uint64_t sent);

/* What a reader must know before he trusts the figures of p, as words parted by "; ":
 * not cold, not warm, not stored, short.  Written to text, which is returned. */
const char *judge_doubts(const struct run_phase *p, char *text, size_t size);

#endif
