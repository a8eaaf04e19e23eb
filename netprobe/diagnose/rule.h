/* The rules, for diagnose.c alone.  A rule looks at the facts and adds what it finds;
 * those that run later may look at what is found already. */
#ifndef DIAGNOSE_RULE_H
#define DIAGNOSE_RULE_H

#include "netprobe/diagnose/facts.h"
#include "netprobe/diagnose/finding.h"

typedef void rule_fn(const struct facts *f, struct findings *out);

rule_fn rule_too_big;       /* D2a, D2b, D2c */
rule_fn rule_fragment_loss; /* D5, D6, D6b, D33 */
rule_fn rule_size_loss;     /* D1, D24, D32 */
rule_fn rule_fragmentation; /* D3, D3b, D4 */
rule_fn rule_jumbograms;    /* D7, D8 */
rule_fn rule_link_size;     /* D9, D12, D25, D30 */
rule_fn rule_encrypted;     /* D27 */
rule_fn rule_address;       /* D10, D11, D26 */
rule_fn rule_rebinding;     /* D16 */
rule_fn rule_loss;          /* D14 */
rule_fn rule_rate;          /* D13, D15, D29 */
rule_fn rule_response;      /* D17 */
rule_fn rule_trailer;       /* D18, D21 */
rule_fn rule_probe;         /* D22 */
rule_fn rule_checksum;      /* D23 */
rule_fn rule_capture;       /* D19, D20, D28 */
rule_fn rule_points;        /* D34, D35 */
rule_fn rule_severed;       /* D34 */

/* A new finding about a path, its confidence `sure` less what the capture lacks. */
struct finding *path_finding(struct findings *out, const struct facts *f,
                             enum finding_kind k, const struct path *p, double sure);

/* Likewise about the host that sends this way. */
struct finding *host_finding(struct findings *out, const struct facts *f,
                             enum finding_kind k, const struct path *p, double sure);

/* True if one of the kinds stands already for this way. */
bool found_any(const struct findings *out, const struct pair_key *way, unsigned n,
               const enum finding_kind *kinds);

/* Remedy: how datagrams of this path come to fit IP packets of ip_len.  -rxmaxmtu on
 * the servers holds both ways down, but not jumbograms cut into fragments, which a
 * server with -jumbo takes and sends until N + 8 is under 1440
 * (rxi_AdjustDgramPackets). */
void mend_to_fit(struct finding *n, const struct path *p, uint32_t ip_len);

/* The MTU of a link whose longest first fragment has this IP length: offsets count in
 * units of 8, so it may be up to 7 more.  1500 is taken for what it is. */
void say_cut_mtu(struct finding *n, uint32_t first);

/* Adds a finding about a tunnel where few kinds of it leave an MTU between what
 * passes whole and what does not; both IP lengths. */
void find_tunnel(struct findings *out, const struct facts *f, const struct path *p,
                 uint32_t passes, uint32_t fails);

#define IP4_UDP 28u /* IPv4 and UDP header: IP length of a UDP payload */
#define IP6_UDP 48u

#endif
