/* What sets the rate: loss, the window, the application or the link. */
#include "netprobe/diagnose/rule.h"

#include <inttypes.h>

#define MANY_LOST 10u
#define MANY_TIMEOUTS 3u
#define LOSS_SHARE 0.01
#define LONG_S 1.0 /* transfers shorter than this tell no rate */
#define MUCH_DATA (1024 * 1024)
#define FAR_NS 2000000 /* round trip from which a window of 32 matters */
#define QUEUED 2       /* times the shortest round trip: the rest is a queue */
#define OPENAFS_WINDOW 32u
/* A call of 1 MiB over 20 ms takes half of its time to open the congestion window. */
#define FULL_PARTS 3
#define UNREAD_PARTS 2

static void say_ends(struct finding *n, const struct path *p)
{
	char from[ADDR_TEXT], to[ADDR_TEXT];
	finding_say(n, "from %s to %s ", addr_format(&p->key.src, from),
	            addr_format(&p->key.dst, to));
}

static void add_loss(const struct facts *f, struct findings *out, const struct path *p,
                     uint64_t lost, uint64_t done, uint64_t first, uint64_t last)
{
	struct finding *n = path_finding(out, f, FIND_LOSS, p, 0.85);
	double seconds = p->seconds;
	say_ends(n, p);
	finding_say(n,
	            "%" PRIu64 " of %" PRIu64
	            " DATA datagrams were sent again before they were acknowledged "
	            "(%.2f %%), %" PRIu64 " packets had not come by here before",
	            lost, done, 100.0 * (double)lost / (double)done, p->recovered);
	if (p->timeouts)
		finding_say(n,
		            "; %" PRIu64 " timeouts, %.2f s of silence in %.2f s, the "
		            "longest %.2f s",
		            p->timeouts, (double)p->stalled_ns / 1e9, seconds,
		            (double)p->longest_ns / 1e9);
	finding_say(n, "; the size makes no difference, the rate is limited by loss");
	finding_fact(n, "lost", lost);
	finding_fact(n, "datagrams", done);
	finding_fact(n, "lost_before_here", p->recovered);
	finding_fact(n, "timeouts", p->timeouts);
	finding_fact(n, "silence_us", (uint64_t)(p->stalled_ns / 1000));
	finding_frames(n, first, last);
	finding_mend(n,
	             "%s: look at errors and drops of interfaces and switches, at "
	             "duplex and queues (ip -s link, ethtool -S); on the file server "
	             "-udpsize 2097152",
	             p->recovered * 2 > lost
	                     ? "packets are lost before this point of capture"
	                     : "packets are lost behind this point of capture");
}

static void look_at_loss(const struct facts *f, struct findings *out,
                         const struct path *p)
{
	uint64_t lost = p->recovered, done = p->recovered, first = 0, last = 0;
	for (size_t i = 0; i < p->fates; i++) {
		const struct fate *e = &p->fate[i];
		lost += e->lost;
		done += e->lost + e->delivered;
		if (e->lost && (!first || e->first_lost_frame < first))
			first = e->first_lost_frame;
		if (e->last_lost_frame > last)
			last = e->last_lost_frame;
	}
	double seconds = p->seconds;
	bool shares = lost >= MANY_LOST && (double)lost >= LOSS_SHARE * (double)done;
	bool stalls = p->timeouts >= MANY_TIMEOUTS && seconds > 0 &&
	              (double)p->stalled_ns / 1e9 >= 0.2 * seconds;
	/* what arrives damaged is dropped by the receiver: D23 tells */
	if ((shares || stalls) && !path_damaged(p, lost, done))
		add_loss(f, out, p, lost, done, first, last);
}

void rule_loss(const struct facts *f, struct findings *out)
{
	static const enum finding_kind why[] = {
	        FIND_BLACK_HOLE,           FIND_MIXED_MTU,
	        FIND_TOO_BIG_IGNORED,      FIND_TOO_BIG_OBEYED,
	        FIND_TOO_BIG_WITHOUT_MTU,  FIND_FRAGMENTS_LOST,
	        FIND_FIRST_FRAGMENTS_ONLY, FIND_FRAGMENTS_BLOCKED,
	        FIND_LOSS_BY_SIZE};
	for (size_t i = 0; i < f->n_paths; i++)
		if (!found_any(out, &f->paths[i].key, 9, why))
			look_at_loss(f, out, &f->paths[i]);
}

/* What the receiver offered most often, packets. */
static uint32_t window_of(const struct fact_flow *ff, enum way w)
{
	const struct rx_trailer *t = flow_trailer(&ff->flow->side[other_way(w)]);
	return t && t->words >= 3 ? t->window : OPENAFS_WINDOW;
}

static double bytes_a_packet(const struct tally *y)
{
	return y->data_packets ? (double)y->data_bytes / (double)y->data_packets : 0;
}

/* Bytes a second that a full window allows; 0 where it is not known. */
static double window_rate(const struct fact_flow *ff, enum way w)
{
	const struct hist *rtt = &ff->flow->side[w].rtt;
	int64_t median = hist_percentile(rtt, 0.5);
	if (rtt->count < 20 || median <= 0)
		return 0;
	return window_of(ff, w) * bytes_a_packet(ff->way[w].tally) /
	       ((double)median / 1e9);
}

static void add_window(const struct facts *f, struct findings *out,
                       const struct path *p, const struct fact_flow *ff, enum way w,
                       double limit)
{
	const struct flow_side *s = &ff->flow->side[w];
	uint32_t window = window_of(ff, w);
	double rtt = (double)hist_percentile(&s->rtt, 0.5) / 1e6;
	struct finding *n = path_finding(out, f, FIND_WINDOW_LIMITED, p, 0.8);
	say_ends(n, p);
	finding_say(n,
	            "calls waited %.2f of their %.2f s with the window full: "
	            "%" PRIu32
	            " packets x %.0f bytes / %.3f ms = %.0f KiB/s at most a call; "
	            "seen: %.0f KiB/s",
	            (double)s->pace.window_ns[PACE_FULL] / 1e9,
	            (double)s->pace.calls_ns / 1e9, window,
	            bytes_a_packet(ff->way[w].tally), rtt, limit / 1024,
	            pace_rate(&s->pace) / 1024);
	if (ff->way[w].ceiling > 0)
		finding_say(n, "; the link would carry %.0f KiB/s",
		            ff->way[w].ceiling / 1024);
	finding_fact(n, "window_full_us",
	             (uint64_t)(s->pace.window_ns[PACE_FULL] / 1000));
	finding_fact(n, "window_packets", window);
	finding_fact(n, "rtt_us", (uint64_t)(rtt * 1000));
	finding_fact(n, "bytes_per_s_at_most", (uint64_t)limit);
	finding_mend(n, "several transfers side by side, or a shorter round trip; "
	                "OpenAFS's window is fixed at 32 packets");
}

/* Calls were held back for one part in `parts` of their time. */
static bool held_by(const struct pace *p, enum pace_window what, int parts)
{
	return p->window_ns[what] * parts >= p->calls_ns;
}

/* Round trips that never were shorter: nothing queues on the way.  Behind a slow link
 * the window is full as well, but of packets that wait in its queue. */
static bool is_unqueued(const struct hist *rtt)
{
	return hist_percentile(rtt, 0.5) <= QUEUED * (double)rtt->min_ns;
}

static bool is_window_limited(const struct fact_flow *ff, enum way w, double limit)
{
	const struct flow_side *s = &ff->flow->side[w];
	const struct fact_way *way = &ff->way[w];
	if (limit <= 0 || !held_by(&s->pace, PACE_FULL, FULL_PARTS) ||
	    !is_unqueued(&s->rtt))
		return false;
	/* beside a link of known rate by its ceiling, else by the distance */
	if (way->ceiling > 0)
		return limit < 0.7 * way->ceiling;
	return hist_percentile(&s->rtt, 0.5) >= FAR_NS;
}

static void add_application(const struct facts *f, struct findings *out,
                            const struct path *p, const struct fact_flow *ff,
                            enum way w)
{
	const struct pace *pace = &ff->flow->side[w].pace;
	struct finding *n = path_finding(out, f, FIND_APPLICATION_LIMITED, p, 0.85);
	say_ends(n, p);
	finding_say(
	        n,
	        "calls waited %.2f of their %.2f s with the window full of "
	        "what has come and is not read yet: the program on the %s is slower "
	        "than the network (%.0f KiB/s)",
	        (double)pace->window_ns[PACE_UNREAD] / 1e9,
	        (double)pace->calls_ns / 1e9, way_sender(other_way(w)),
	        pace_rate(pace) / 1024);
	finding_fact(n, "unread_us", (uint64_t)(pace->window_ns[PACE_UNREAD] / 1000));
	finding_fact(n, "bytes_per_s", (uint64_t)pace_rate(pace));
	finding_mend(n, "look at disk, cache and CPU of the %s",
	             way_sender(other_way(w)));
}

static void add_link(const struct facts *f, struct findings *out, const struct path *p,
                     const struct fact_way *way, double rate)
{
	struct finding *n = path_finding(out, f, FIND_LINK_LIMITED, p, 0.9);
	say_ends(n, p);
	finding_say(n,
	            "%.0f KiB/s of Rx data while calls transferred, %.1f %% of the "
	            "%.0f KiB/s that the link carries in datagrams of %" PRIu32,
	            rate / 1024, rate / way->ceiling * 100, way->ceiling / 1024,
	            way->dominant);
	if (rate > way->ceiling)
		finding_say(n,
		            "; more than all of it, as a shaper lets bursts pass that "
		            "it has credit for");
	finding_fact(n, "bytes_per_s", (uint64_t)rate);
	finding_fact(n, "bytes_per_s_at_most", (uint64_t)way->ceiling);
	finding_mend(n, "a faster link");
}

static void look_at_rate(const struct facts *f, struct findings *out,
                         const struct fact_flow *ff, enum way w)
{
	static const enum finding_kind loss[] = {FIND_LOSS, FIND_BLACK_HOLE,
	                                         FIND_MIXED_MTU, FIND_FRAGMENTS_BLOCKED,
	                                         FIND_FRAGMENTS_LOST};
	struct pair_key k = facts_way(ff->flow, w);
	const struct path *p = facts_path(f, &k);
	const struct fact_way *way = &ff->way[w];
	const struct pace *pace = &ff->flow->side[w].pace;
	if (pace->bytes < MUCH_DATA || pace_seconds(pace) < LONG_S ||
	    found_any(out, &k, 5, loss))
		return;
	double limit = window_rate(ff, w), rate = pace_rate(pace);
	if (way->ceiling > 0 && rate >= 0.9 * way->ceiling &&
	    rate <= 1.02 * way->ceiling)
		add_link(f, out, p, way, rate);
	else if (held_by(pace, PACE_UNREAD, UNREAD_PARTS))
		add_application(f, out, p, ff, w);
	else if (is_window_limited(ff, w, limit))
		add_window(f, out, p, ff, w, limit);
}

void rule_rate(const struct facts *f, struct findings *out)
{
	for (size_t i = 0; i < f->n_flows; i++)
		for (int w = 0; w < WAYS; w++)
			look_at_rate(f, out, &f->flows[i], (enum way)w);
}
