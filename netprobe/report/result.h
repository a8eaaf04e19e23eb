/* The finished result of an analysis: what every renderer prints, and nothing
 * that one of them would have to work out.  Read only; points into the source
 * and the tracker it was made from. */
#ifndef REPORT_RESULT_H
#define REPORT_RESULT_H

#include "netprobe/diagnose/finding.h"
#include "netprobe/expect/link.h"
#include "netprobe/report/result_host.h"
#include "netprobe/source/source.h"
#include "netprobe/track/track.h"
#include "src/base/err.h"

#define RESULT_TEXT 400

/* What is known of a link from outside the capture: --link IF=KIND[:RATE]. */
struct result_link {
	const char *iface;
	const struct link_kind *kind;
	uint64_t rate_bps; /* 0 = the kind's own, or what the capture tells */
};

/* One way of a flow, an interface or a phase, with what follows from it. */
struct result_way {
	struct tally tally; /* owned */
	double seconds;     /* the phase's, else first to last packet */
	bool link_known;
	uint64_t link_bytes;   /* its packets on the link, cells and framing included */
	uint32_t dominant;     /* UDP payload of most Rx data; 0 = no DATA */
	double dominant_share; /* of all Rx data bytes, 0 to 1, by datagram payload */
	double ceiling; /* Rx data bytes/s the link carries at that size; 0 = unknown */
	double share_of_ceiling; /* of it, over seconds; 0 where unknown */
};

struct result_iface {
	const struct source_iface *source;
	const struct iface_stats *stats;
	const struct link_kind *kind; /* NULL = unknown */
	uint64_t rate_bps;            /* of the link; 0 = unknown */
	uint32_t mtu;                 /* IP MTU; 0 = unknown */
	struct result_way way[WAYS];  /* all Rx flows, those gone too */
};

struct result_flow {
	const struct flow *flow;
	const struct result_iface *iface;
	struct result_way way[WAYS];
	char *chosen[WAYS];  /* size and reason, owned; NULL where no DATA went */
	uint8_t classes;     /* bit i: security index i was seen */
	enum rx_level level; /* of both ways */
	char evidence[WAYS][RESULT_TEXT / 2]; /* of the level; empty likewise */
};

/* One interface during one phase. */
struct result_part {
	const struct result_iface *iface;
	struct result_way way[WAYS];
};

struct result_phase {
	const struct phase *phase;
	double seconds;
	struct result_part *parts; /* one an interface, in their order */
};

/* What flows are ordered by. */
enum result_sort {
	SORT_BYTES, /* IP bytes */
	SORT_PACKETS,
	SORT_DATA, /* Rx data bytes */
	SORT_RESENDS,
	SORT_FRAGMENTS,
	SORT_RTT, /* median round trip */
	RESULT_SORTS
};

struct result {
	const struct source *source;
	const struct track *track;
	struct result_iface *ifaces;
	size_t n_ifaces;
	struct result_flow *flows; /* by interface, then most IP bytes first */
	size_t n_flows;
	size_t n_flows_held; /* with those that result_keep_flows left out */
	struct result_phase *phases;
	size_t n_phases;
	const struct op **ops; /* most calls first */
	size_t n_ops;
	struct result_pair *pairs; /* result_pair.h */
	size_t n_pairs;
	struct result_icmp *icmp;
	size_t n_icmp;
	struct result_points *points; /* result_points.h */
	size_t n_points;
	struct result_hosts hosts; /* result_hosts_make fills them */
	struct findings findings;  /* result_findings_make fills them */
	int64_t first_ns, last_ns;
	uint64_t frames;
};

/* Works everything out.  -1 where memory is out (err set). */
int result_make(struct result *r, const struct source *s, const struct track *t,
                const struct result_link *links, size_t n_links, struct err *err);
/* The order of this name ("bytes", …), or -1. */
int result_sort_find(const char *name);

/* Orders the flows: by interface, then the most first, both ways together (the
 * greater of the two medians). */
void result_sort_flows(struct result *r, enum result_sort by);

/* Leaves only the first n flows of each interface in the list (0 = all); sums
 * stay. */
void result_keep_flows(struct result *r, size_t n);

void result_free(struct result *r);

#endif
