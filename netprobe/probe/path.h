/* The largest IP packet that gets through to a peer: found by padded probes with
 * "don't fragment" set, with loss told from size. */
#ifndef PROBE_PATH_H
#define PROBE_PATH_H

#include "netprobe/probe/net.h"

struct path_options {
	uint32_t smallest; /* IP length of a probe without padding */
	uint32_t limit;    /* the link's MTU: the largest that is tried */
	uint32_t packets;  /* at most so many are sent; 0 = PATH_PACKETS */
	int64_t gap_ns;    /* between two; 0 = PATH_GAP_NS */
};

#define PATH_PACKETS 300u
#define PATH_GAP_NS INT64_C(10000000) /* 100 a second */

enum path_end {
	PATH_FOUND,
	PATH_SILENT,      /* no answer, of any size */
	PATH_UNREACHABLE, /* and somebody said why */
	PATH_REFUSED,
	PATH_GONE,
	PATH_FORBIDDEN,
	PATH_FELL_SILENT, /* answers at first, then none of any size */
	PATH_NOT_EXACT,   /* packets used up: passes and fails are bounds */
	PATH_STOPPED,
	PATH_ENDS
};

struct path_result {
	enum path_end end;
	uint32_t passes;   /* largest IP length that was answered; 0 = none */
	uint32_t fails;    /* smallest that was not; 0 = the link's MTU passes */
	bool icmp;         /* a router told of it */
	bool local;        /* this host did, which knew */
	uint32_t icmp_mtu; /* 0 = not told */
	bool has_from;
	struct addr from; /* who told, or said unreachable */
	bool silent_loss; /* larger ones vanished without a word: a black hole */
	int64_t rtt_ns;   /* of the largest that passed */
	int64_t took_ns;
	uint32_t sent, answered;
	uint32_t small_sent, small_lost; /* of the smallest size: loss by chance */
	int sys;                         /* errno behind the end, where there is one */
};

void path_find(const struct probe_net *net, const struct path_options *o,
               struct path_result *r);

/* "found", "silent", …: stable ids. */
const char *path_end_id(enum path_end end);

#endif
