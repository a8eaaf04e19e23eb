#include "tests/support/sweep.h"

#include "netprobe/report/result_pair.h"
#include "tests/support/pkt_build.h"

#include <glob.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK_ENHANCED 6u
#define PCAP_HEAD 24u
#define RECORD_HEAD 16u

static uint32_t le32_at(const struct capture *c, size_t at)
{
	const uint8_t *p = c->bytes + at;
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void load(struct sweep_capture *s, const char *path)
{
	FILE *in = fopen(path, "rbe");
	uint8_t block[1 << 16];
	size_t n;
	if (!in)
		fail_msg("cannot open %s", path);
	*s = (struct sweep_capture){0};
	snprintf(s->name, sizeof s->name, "%s", path);
	while ((n = fread(block, 1, sizeof block, in)) > 0)
		capture_put(&s->file, block, n);
	fclose(in);
}

/* ---- the built capture ------------------------------------------------------ */

static void put_frame(struct capture *c, const struct pkt *p)
{
	size_t n = p->len;
	capture_block(c, BLOCK_ENHANCED);
	capture_u32(c, 0);
	uint64_t us = 1700000000000000u + c->n;
	capture_u32(c, (uint32_t)(us >> 32));
	capture_u32(c, (uint32_t)us);
	capture_u32(c, (uint32_t)n);
	capture_u32(c, (uint32_t)n);
	capture_put(c, p->bytes, n);
	capture_put(c, (uint8_t[4]){0}, (4 - n % 4) % 4);
	capture_block_end(c);
}

enum datagram_kind { RX_4, RX_VLAN, DNS_4, RX_6 };

static void build_datagram(struct pkt *p, enum datagram_kind kind, uint32_t serial,
                           size_t payload)
{
	bool six = kind == RX_6, other = kind == DNS_4;
	pkt_begin(p);
	if (kind == RX_VLAN) {
		pkt_ethernet(p, PKT_TYPE_VLAN);
		pkt_vlan(p, 210, PKT_TYPE_IP4);
	} else {
		pkt_ethernet(p, six ? PKT_TYPE_IP6 : PKT_TYPE_IP4);
	}
	if (six)
		pkt_ip6(p, &(struct pkt_ip6){0});
	else
		pkt_ip4(p, &(struct pkt_ip4){.src = "10.77.1.1",
		                             .dst = "10.77.1.11",
		                             .id = (uint16_t)serial});
	pkt_udp(p, other ? 53 : 7000, other ? 4000 : 7001);
	if (!other)
		pkt_rx(p, &(struct rx_header){.epoch = 0x90000001,
		                              .cid = 0x1000,
		                              .call = 1,
		                              .seq = serial,
		                              .serial = serial,
		                              .type = RX_DATA,
		                              .service = 1});
	pkt_fill(p, payload);
	pkt_end(p);
}

static void put_pieces(struct capture *c, const struct pkt *whole, unsigned mtu,
                       uint32_t id, unsigned without)
{
	static struct pkt piece;
	for (unsigned i = 0; pkt_piece(&piece, whole, mtu, id, i); i++)
		if (i != without)
			put_frame(c, &piece);
}

static void build_mixed(struct sweep_capture *s)
{
	static struct pkt p, quoted;
	struct capture *c = &s->file;
	*s = (struct sweep_capture){.name = "mixed"};
	capture_section(c, false);
	capture_iface(c, LINK_ETHERNET, 0, "mix0", 0);
	for (uint32_t serial = 1; serial <= 24; serial++) {
		build_datagram(&p, (enum datagram_kind)(serial % 4), serial, 4000);
		/* whole, without its first, without its last */
		put_pieces(c, &p, 1500, serial, serial % 3 ? 100 : serial % 2 ? 0 : 2);
		build_datagram(&quoted, serial % 2 ? RX_4 : DNS_4, 1000 + serial,
		               100 + serial);
		put_frame(c, &quoted);
		pkt_begin(&p);
		pkt_ethernet(&p, PKT_TYPE_IP4);
		pkt_ip4(&p, &(struct pkt_ip4){.src = "10.77.1.11",
		                              .dst = "10.77.1.1",
		                              .proto = PKT_PROTO_ICMP});
		pkt_icmp(&p, 3, 4, 1400);
		pkt_quote(&p, &quoted, 56);
		pkt_end(&p);
		put_frame(c, &p);
		pkt_begin(&p);
		pkt_ethernet(&p, PKT_TYPE_IP4);
		pkt_ip4(&p, &(struct pkt_ip4){.proto = PKT_PROTO_TCP});
		pkt_tcp(&p, &(struct pkt_tcp){.sport = 2049,
		                              .dport = 900,
		                              .syn = serial == 1,
		                              .mss = serial == 1 ? 1460 : 0});
		pkt_fill(&p, serial == 1 ? 0 : 1000);
		pkt_end(&p);
		put_frame(c, &p);
	}
}

size_t sweep_load(struct sweep_capture list[static SWEEP_CAPTURES])
{
	glob_t found;
	size_t n = 0;
	if (glob("captures/*.pcapng", 0, NULL, &found) != 0)
		fail_msg("no captures/*.pcapng here: run from the top of the tree");
	glob("captures/*.pcap", GLOB_APPEND, NULL, &found);
	assert_in_range(found.gl_pathc, 1, SWEEP_CAPTURES - 1);
	for (size_t i = 0; i < found.gl_pathc && n < SWEEP_CAPTURES - 1; i++)
		load(&list[n++], found.gl_pathv[i]);
	globfree(&found);
	build_mixed(&list[n++]);
	return n;
}

void sweep_free(struct sweep_capture *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		capture_free(&list[i].file);
}

bool sweep_is_pcap(const struct capture *c)
{
	return le32_at(c, 0) == CAPTURE_NANO;
}

uint32_t sweep_caplen(const struct capture *c, size_t begin)
{
	return le32_at(c, begin + (sweep_is_pcap(c) ? 8 : 20));
}

static size_t record_end(const struct capture *c, size_t begin, bool *is_frame)
{
	*is_frame = begin > 0;
	if (begin == 0)
		return PCAP_HEAD;
	return begin < c->n ? begin + RECORD_HEAD + sweep_caplen(c, begin) : 0;
}

size_t sweep_block_end(const struct capture *c, size_t begin, bool *is_frame)
{
	if (sweep_is_pcap(c))
		return record_end(c, begin, is_frame);
	if (c->n - begin < 12)
		return 0;
	*is_frame = le32_at(c, begin) == BLOCK_ENHANCED;
	return begin + le32_at(c, begin + 4);
}

int sweep_analyse(const struct capture *c, size_t n, struct analysis *a,
                  struct err *err)
{
	char path[64];
	const char *paths[] = {capture_path_n(c, n, path)};
	const struct analysis_options o = {.paths = paths, .n_paths = 1};
	int rc = analysis_run(a, &o, err);
	capture_close_path(path);
	return rc;
}

struct capture sweep_snap(const struct capture *c, uint32_t snap)
{
	struct capture out = {0};
	bool is_frame;
	size_t begin = 0, end;
	for (; (end = sweep_block_end(c, begin, &is_frame)) != 0; begin = end) {
		uint32_t caplen = is_frame ? sweep_caplen(c, begin) : 0;
		if (caplen <= snap) {
			capture_put(&out, c->bytes + begin, end - begin);
			continue;
		}
		if (sweep_is_pcap(c)) {
			capture_put(&out, c->bytes + begin, 8);
			capture_u32(&out, snap);
			capture_put(&out, c->bytes + begin + 12, 4 + snap);
			continue;
		}
		capture_block(&out, BLOCK_ENHANCED);
		capture_put(&out, c->bytes + begin + 8, 12);
		capture_u32(&out, snap);
		capture_put(&out, c->bytes + begin + 24, 4 + snap);
		capture_put(&out, (uint8_t[4]){0}, (4 - snap % 4) % 4);
		capture_block_end(&out);
	}
	return out;
}

/* ---- what must hold --------------------------------------------------------- */

#define EQUAL(what, x, y)                                                              \
	do {                                                                           \
		uint64_t x_ = (x), y_ = (y);                                           \
		if (x_ != y_)                                                          \
			fail_msg("%s: " #x " is %" PRIu64 ", " #y " is %" PRIu64,      \
			         what, x_, y_);                                        \
	} while (0)

static void check_tally(const struct tally *y, const char *what)
{
	uint64_t types = 0;
	for (unsigned i = 0; i < RX_TYPES; i++)
		types += y->type[i];
	EQUAL(what, types, y->datagrams);
	EQUAL(what, y->ip_packets, y->ip_lengths.total + y->offloaded);
	assert_true(y->data_datagrams.total <= y->type[RX_DATA]);
	assert_true(y->resends + y->recovered <= y->data_packets);
	assert_true(y->resent_bytes <= y->data_bytes);
	assert_true(y->data_bytes <= y->ip_bytes);
	assert_true(y->fragments <= y->ip_packets);
	assert_true(y->df <= y->ip_packets);
	EQUAL(what, y->trains_whole, y->train_pieces.total);
}

static void check_iface(const struct result *r, const struct result_iface *i,
                        const char *what)
{
	const struct iface_stats *s = i->stats;
	uint64_t verdicts = 0, flows = 0, bytes = 0, trains = 0, repeats = 0;
	for (int v = 0; v < PACKET_VERDICTS; v++)
		verdicts += s->verdict[v];
	for (int e = 0; e < FRAGMENT_ENDS; e++)
		trains += s->trains[e];
	for (size_t n = 0; n < r->n_pairs; n++)
		if (r->pairs[n].iface == i)
			repeats += r->pairs[n].pair->fragments.repeats;
	EQUAL(what, s->frames, verdicts);
	EQUAL(what, s->ip_packets, s->verdict[PACKET_IP]);
	EQUAL(what, s->ip_packets, s->ip_lengths.total + s->offloaded);
	/* a whole train is a datagram more than its pieces */
	uint64_t whole_rx = i->way[0].tally.trains_whole + i->way[1].tally.trains_whole;
	EQUAL(what, s->ip_packets + whole_rx,
	      s->fragments + s->rx + s->udp + s->tcp + s->icmp + s->other);
	EQUAL(what, s->fragments, s->first_pieces + s->later_pieces + repeats);
	assert_true(s->first_pieces <= trains);
	assert_true(s->ip_bytes <= s->wire_bytes);
	for (int w = 0; w < WAYS; w++) {
		const struct tally *y = &i->way[w].tally;
		check_tally(y, what);
		flows += y->ip_packets;
		bytes += y->ip_bytes;
	}
	assert_true(flows <= s->ip_packets);
	assert_true(bytes <= s->ip_bytes);
	uint64_t pairs = 0, pair_bytes = 0;
	for (size_t n = 0; n < r->n_pairs; n++) {
		if (r->pairs[n].iface != i)
			continue;
		pairs += r->pairs[n].ip_packets;
		pair_bytes += r->pairs[n].ip_bytes;
	}
	/* pairs between which nothing but Rx went are not listed */
	assert_true(pairs <= s->ip_packets);
	assert_true(pair_bytes <= s->ip_bytes);
}

void sweep_check(const struct analysis *a, const char *what)
{
	const struct result *r = &a->result;
	uint64_t frames = 0;
	for (size_t i = 0; i < r->n_ifaces; i++) {
		frames += r->ifaces[i].stats->frames;
		check_iface(r, &r->ifaces[i], what);
	}
	EQUAL(what, r->frames, frames);
	for (size_t i = 0; i < r->n_flows; i++)
		for (int w = 0; w < WAYS; w++)
			check_tally(&r->flows[i].way[w].tally, what);
	assert_true(r->last_ns >= r->first_ns);
	assert_true(source_cut_count(a->source) <= 1);
}
