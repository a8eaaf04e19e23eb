#include "netprobe/diagnose/diagnose.h"

#include "netprobe/diagnose/rule.h"
#include "netprobe/expect/openafs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ETHERNET_MTU 1500u
#define TUNNELS_NAMED 3u /* more candidates say nothing */

/* What explains a symptom comes before the rules that only name it. */
static rule_fn *const rules[] = {
        rule_too_big,    rule_fragment_loss, rule_size_loss, rule_fragmentation,
        rule_jumbograms, rule_link_size,     rule_encrypted, rule_address,
        rule_rebinding,  rule_loss,          rule_rate,      rule_response,
        rule_trailer,    rule_probe,         rule_checksum,  rule_capture,
        rule_points,     rule_severed,
};

static struct finding *finding_of(struct findings *out, const struct facts *f,
                                  enum finding_kind k, const struct path *p,
                                  const struct addr *to, double sure)
{
	struct finding *n = findings_add(out, k, p->key.iface, &p->key.src, to);
	if (n)
		n->confidence = sure * iface_quality(&f->ifaces[p->key.iface], n->doubt,
		                                     sizeof n->doubt);
	return n;
}

struct finding *path_finding(struct findings *out, const struct facts *f,
                             enum finding_kind k, const struct path *p, double sure)
{
	return finding_of(out, f, k, p, &p->key.dst, sure);
}

struct finding *host_finding(struct findings *out, const struct facts *f,
                             enum finding_kind k, const struct path *p, double sure)
{
	return finding_of(out, f, k, p, NULL, sure);
}

bool found_any(const struct findings *out, const struct pair_key *way, unsigned n,
               const enum finding_kind *kinds)
{
	for (unsigned i = 0; i < n; i++)
		if (findings_find(out, kinds[i], way->iface, &way->src, &way->dst))
			return true;
	return false;
}

/* Takes more at once than its interface packet: four fragments, as with -jumbo. */
static bool takes_fragments(const struct rx_trailer *t)
{
	return t && t->words >= 4 && t->packets > 1 && t->max_receive > t->interface;
}

void mend_to_fit(struct finding *n, const struct path *p, uint32_t ip_len)
{
	uint32_t headers = path_ip_len(p, 0);
	if (ip_len < headers + EXPECT_MIN) {
		finding_mend(
		        n,
		        "no option makes Rx packets that small (the least -rxmaxmtu "
		        "is %u): mend the link of MTU %" PRIu32,
		        EXPECT_MIN, ip_len);
		return;
	}
	const struct rx_trailer *server = p->way == TO_CLIENT ? p->sender : p->receiver;
	uint32_t rx = ip_len - headers;
	bool holds_jumbo = rx + 8 >= RX_HEADER + RX_JUMBO_DATA;
	bool jumbo = holds_jumbo && takes_fragments(server);
	if (jumbo)
		finding_mend(n, "take -jumbo away from the file server (-nojumbo)");
	if (jumbo && rx >= EXPECT_REMOTE && server->interface <= EXPECT_REMOTE)
		return;
	finding_mend(n,
	             "%s-rxmaxmtu %" PRIu32 " on the servers (IP length %" PRIu32
	             " - %" PRIu32 ")",
	             jumbo ? " and set " : "", rx, ip_len, headers);
	if (holds_jumbo && !server && p->jumbograms)
		finding_mend(n, ", and -nojumbo if they run with -jumbo");
}

void say_cut_mtu(struct finding *n, uint32_t first)
{
	if (first == ETHERNET_MTU)
		finding_say(n, "%" PRIu32, first);
	else
		finding_say(n, "%" PRIu32 " to %" PRIu32, first, first + 7);
}

void find_tunnel(struct findings *out, const struct facts *f, const struct path *p,
                 uint32_t passes, uint32_t fails)
{
	size_t n, fitting = 0, used = 0;
	const struct link_tunnel *t = link_tunnels(&n);
	char names[160] = "";
	uint32_t inner = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t mtu = ETHERNET_MTU - t[i].overhead;
		if (mtu < passes || mtu >= fails)
			continue;
		if (fitting++ == TUNNELS_NAMED)
			return;
		inner = inner && inner < mtu ? inner : mtu;
		int w = snprintf(names + used, sizeof names - used,
		                 "%s%s (%" PRIu32 ")", used ? ", " : "", t[i].name,
		                 mtu);
		used += w < 0 || (size_t)w >= sizeof names - used ? 0 : (size_t)w;
	}
	if (!fitting)
		return;
	struct finding *d = path_finding(out, f, FIND_TUNNEL, p, 0.6);
	finding_say(d,
	            "IP packets of %" PRIu32 " bytes pass whole and of %" PRIu32
	            " do not: that is the MTU of a tunnel over Ethernet: %s",
	            passes, fails, names);
	finding_fact(d, "ip_length_passes", passes);
	finding_fact(d, "ip_length_fails", fails);
	mend_to_fit(d, p, inner);
}

void diagnose(struct facts *f, struct findings *out)
{
	*out = (struct findings){0};
	if (facts_paths(f))
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
			rules[i](f, out);
	else
		out->starved = true;
	facts_free(f);
	findings_sort(out);
}
