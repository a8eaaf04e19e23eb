/* What is wrong with the capture itself. */
#include "netprobe/diagnose/rule.h"

#include <inttypes.h>

/* Of the Rx flows of one interface. */
struct rx_sum {
	uint64_t datagrams, duplicates, offloaded;
};

static struct rx_sum sum_of(const struct facts *f, uint32_t iface)
{
	struct rx_sum sum = {0};
	for (size_t i = 0; i < f->n_flows; i++) {
		if (f->flows[i].flow->key.iface != iface)
			continue;
		for (int w = 0; w < WAYS; w++) {
			const struct tally *y = f->flows[i].way[w].tally;
			sum.datagrams += y->datagrams;
			sum.duplicates += y->duplicates;
			sum.offloaded += y->offloaded;
		}
	}
	return sum;
}

static void add_duplicates(struct findings *out, const struct fact_iface *i,
                           uint32_t iface, const struct rx_sum *sum)
{
	struct finding *n = findings_add(out, FIND_CAPTURED_TWICE, iface, NULL, NULL);
	finding_say(n,
	            "%s: %" PRIu64 " Rx datagrams were captured twice (%.1f %%); they "
	            "are counted once",
	            i->name, sum->duplicates,
	            100.0 * (double)sum->duplicates /
	                    (double)(sum->datagrams + sum->duplicates));
	finding_fact(n, "duplicates", sum->duplicates);
	finding_fact(n, "datagrams", sum->datagrams);
	finding_mend(n, "capture on one interface, or one side of the mirror port");
}

static void add_drops(struct findings *out, const struct fact_iface *i, uint32_t iface)
{
	struct finding *n = findings_add(out, FIND_CAPTURE_DROPS, iface, NULL, NULL);
	uint64_t lost = i->has_dropped ? i->dropped : 0, unseen = iface_unseen(i);
	uint64_t all = lost + i->ifdropped;
	finding_say(n, "%s: ", i->name);
	if (all)
		finding_say(n, "the capture lost %" PRIu64 " packets and has %" PRIu64,
		            all, i->stats->frames);
	if (i->ifdropped)
		finding_say(n, " (%" PRIu64 " were lost by the interface itself)",
		            i->ifdropped);
	if (unseen)
		finding_say(
		        n,
		        "%s%" PRIu64
		        " Rx packets that never came by here were acknowledged, so "
		        "they were on the wire: the capture missed them, or they went "
		        "another way",
		        all ? "; " : "", unseen);
	finding_say(n,
	            ": counts are lower bounds, and some of what looks like loss may "
	            "be its own");
	/* a packet in a thousand changes no figure worth the name */
	if (n && (all > unseen ? all : unseen) * 1000 < i->stats->frames)
		n->severity = FINDING_INFO;
	finding_fact(n, "dropped", lost);
	finding_fact(n, "dropped_by_interface", i->ifdropped);
	finding_fact(n, "acknowledged_unseen", unseen);
	finding_fact(n, "frames", i->stats->frames);
	if (unseen)
		finding_frames(n, i->stats->acked_unseen_frame,
		               i->stats->acked_unseen_frame);
	finding_mend(n,
	             "capture less of each packet (netprobe record -s 192), with a "
	             "larger buffer, on a less busy machine, on every interface that "
	             "the hosts use");
}

static void add_offload(struct findings *out, const struct fact_iface *i,
                        uint32_t iface, const struct rx_sum *sum)
{
	struct finding *n = findings_add(out, FIND_OFFLOAD, iface, NULL, NULL);
	finding_say(n,
	            "%s: %" PRIu64
	            " Rx packets are longer than the link carries%s: the host joined "
	            "them before the capture, so their sizes are not those of the wire",
	            i->name, sum->offloaded, i->mtu ? "" : " (over 65535 bytes)");
	finding_fact(n, "packets", sum->offloaded);
	if (i->mtu)
		finding_fact(n, "mtu", i->mtu);
	finding_mend(n,
	             "ethtool -K %s gro off lro off gso off tso off rx-udp-gro-"
	             "forwarding off while capturing, on every member of a bond or "
	             "bridge",
	             i->name);
}

void rule_capture(const struct facts *f, struct findings *out)
{
	for (uint32_t i = 0; i < f->n_ifaces; i++) {
		const struct fact_iface *iface = &f->ifaces[i];
		struct rx_sum sum = sum_of(f, i);
		if (sum.duplicates >= 5 && sum.duplicates * 50 >= sum.datagrams)
			add_duplicates(out, iface, i, &sum);
		if ((iface->has_dropped && iface->dropped) || iface->ifdropped ||
		    iface_unseen(iface))
			add_drops(out, iface, i);
		if (sum.offloaded)
			add_offload(out, iface, i, &sum);
	}
}
