/* UDP that is no Rx, and TCP, past two capture points. */
#include "netprobe/track/passage.h"
#include "netprobe/track/track.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define BEGIN_NS INT64_C(1700000000000000000)
#define MS INT64_C(1000000)
#define US INT64_C(1000)
#define CLIENT 1024
#define SERVER 2049 /* NFS */

/* Point 0 is at the client, point 1 at the server, whose clock is `ahead`. */
struct world {
	struct track *track;
	enum point_kind kind;
	unsigned family;
	int64_t now, ahead;
	uint64_t frame;
	uint32_t seq[2]; /* of the client's and the server's packets */
	uint16_t id;
	bool no_id, same;     /* IP id 0; all payloads the same */
	bool translated;      /* the client has another address at the server */
	uint8_t hops;         /* routers between */
	uint32_t cut_mtu;     /* of the link between; 0 = carries all */
	uint32_t lose_pieces; /* bit i: piece i is lost between */
	uint32_t snap[2];     /* at each point; 0 = all */
};

enum fate_of { ARRIVES, LOST, UNSEEN };
enum way_of { FROM_CLIENT, FROM_SERVER };

static void set_up(struct world *w, enum point_kind kind, unsigned family)
{
	*w = (struct world){
	        .kind = kind, .family = family, .now = BEGIN_NS, .ahead = 1234 * US};
	w->track = track_new(&track_limits_default);
	assert_non_null(w->track);
	assert_int_equal(track_keep_points(w->track), 0);
}

static void give_whole(struct world *w, const struct pkt *p, uint32_t point, int64_t ns)
{
	struct frame f = pkt_frame(p, LINK_ETHERNET, ns, ++w->frame);
	f.iface = point;
	f.direction = DIR_UNKNOWN;
	if (w->snap[point] && w->snap[point] < f.caplen)
		f.caplen = w->snap[point];
	track_frame(w->track, &f);
}

static void give(struct world *w, const struct pkt *p, uint32_t mtu, uint32_t lose,
                 uint32_t point, int64_t ns)
{
	static struct pkt piece;
	if (!mtu || p->len - p->ip_at <= mtu) {
		give_whole(w, p, point, ns);
		return;
	}
	for (unsigned i = 0; pkt_piece(&piece, p, mtu, w->id, i); i++)
		if (!(lose >> i & 1))
			give_whole(w, &piece, point, ns);
}

static void build(struct world *w, struct pkt *p, enum way_of from, uint32_t payload,
                  uint32_t offset, uint8_t ttl, bool at_server)
{
	bool out = from == FROM_CLIENT, v4 = w->family == 4;
	const char *server = v4 ? "10.0.0.1" : "fd00::1";
	const char *client = v4 ? "10.0.0.2" : "fd00::2";
	unsigned port = CLIENT;
	if (w->translated && at_server) {
		client = v4 ? "192.0.2.9" : "fd00:9::9";
		port = 40000;
	}
	const char *src = out ? client : server, *dst = out ? server : client;
	uint8_t proto = w->kind == POINT_TCP ? PKT_PROTO_TCP : PKT_PROTO_UDP;
	pkt_begin(p);
	pkt_ethernet(p, v4 ? PKT_TYPE_IP4 : PKT_TYPE_IP6);
	if (v4)
		pkt_ip4(p, &(struct pkt_ip4){.src = src,
		                             .dst = dst,
		                             .proto = proto,
		                             .ttl = ttl,
		                             .id = w->no_id ? 0 : w->id});
	else
		pkt_ip6(p, &(struct pkt_ip6){.src = src,
		                             .dst = dst,
		                             .next = proto,
		                             .hop_limit = ttl});
	if (w->kind == POINT_TCP)
		pkt_tcp(p, &(struct pkt_tcp){.sport = (uint16_t)(out ? port : SERVER),
		                             .dport = (uint16_t)(out ? SERVER : port),
		                             .seq = w->seq[from] + offset,
		                             .ack = true,
		                             .timestamps = true});
	else
		pkt_udp(p, out ? port : SERVER, out ? SERVER : port);
	if (w->kind == POINT_UDP && payload >= 4) {
		pkt_u32(p, w->same ? 0 : w->seq[from]);
		payload -= 4;
	}
	pkt_fill(p, payload);
	pkt_end(p);
}

static void pass(struct world *w, enum way_of from, uint32_t payload, enum fate_of fate)
{
	static struct pkt p;
	uint32_t here = from == FROM_CLIENT ? 0 : 1;
	int64_t sent = w->now + (here ? w->ahead : 0);
	int64_t came = w->now + 200 * US + (here ? 0 : w->ahead);
	w->now += MS;
	w->seq[from] += payload + 1;
	w->id = (uint16_t)(w->id + 1);
	build(w, &p, from, payload, 0, 64, here == 1);
	if (fate != UNSEEN)
		give(w, &p, 0, 0, here, sent);
	build(w, &p, from, payload, 0, (uint8_t)(64 - w->hops), here == 0);
	if (fate != LOST)
		give(w, &p, w->cut_mtu, w->lose_pieces, !here, came);
}

static void talk(struct world *w, int n)
{
	for (int i = 0; i < n; i++) {
		pass(w, FROM_CLIENT, 100, ARRIVES);
		pass(w, FROM_SERVER, 1200, ARRIVES);
	}
}

/* Ends the capture; what goes from that side. */
static struct passage passage_of(struct world *w, enum way_of from)
{
	struct passage p;
	const struct points *points = track_points(w->track);
	char src[ADDR_TEXT];
	track_finish(w->track);
	for (const struct route *r = NULL; (r = points_route_next(points, r));) {
		bool server = strchr(addr_format(&r->key.src, src), '1') &&
		              src[strlen(src) - 1] == '1';
		if (server != (from == FROM_SERVER))
			continue;
		assert_int_equal(r->key.kind, w->kind);
		passage_make(&p, points, r);
		return p;
	}
	fail_msg("nothing passed that way");
	return (struct passage){0};
}

/* Every protocol and family in turn. */
static const struct {
	enum point_kind kind;
	unsigned family;
} all[] = {{POINT_UDP, 4}, {POINT_TCP, 4}, {POINT_UDP, 6}, {POINT_TCP, 6}};
#define FOR_ALL(i) for (size_t i = 0; i < sizeof all / sizeof *all; i++)

static uint32_t size_of(const struct world *w, uint32_t payload)
{
	if (w->kind == POINT_UDP)
		return payload;
	return payload + 32 + (w->family == 4 ? 20 : 40);
}

static void loss_by_size_and_clocks(void **state)
{
	(void)state;
	FOR_ALL(i)
	{
		struct world w;
		struct clock_offset c;
		set_up(&w, all[i].kind, all[i].family);
		talk(&w, 50);
		for (uint32_t n = 0; n < 5; n++)
			pass(&w, FROM_SERVER, 1400 + n, LOST);
		talk(&w, 50);
		struct passage p = passage_of(&w, FROM_SERVER);
		assert_int_equal(p.both, 100);
		assert_int_equal(p.lost, 5);
		assert_int_equal(p.extra, 0);
		assert_false(p.regrouped);
		assert_int_equal(p.threshold, size_of(&w, 1400));
		assert_int_equal(p.size_both->max, size_of(&w, 1200));
		assert_int_equal(p.first, 1);
		assert_int_equal(p.order, ORDER_BOTH);
		clock_offset_make(&c, track_points(w.track), 0, 1);
		assert_true(c.has_low && c.has_high);
		assert_int_equal(c.offset_ns, w.ahead);
		assert_int_equal(passage_of(&w, FROM_CLIENT).lost, 0);
		track_free(w.track);
	}
}

/* The first packet of all is lost, and what passed shows only later that its way led
 * past both. */
static void lost_before_anything_passed(void **state)
{
	(void)state;
	FOR_ALL(i)
	{
		struct world w;
		set_up(&w, all[i].kind, all[i].family);
		w.ahead = 0;
		pass(&w, FROM_CLIENT, 1300, UNSEEN); /* both capture */
		pass(&w, FROM_CLIENT, 100, ARRIVES);
		pass(&w, FROM_SERVER, 1400, LOST);
		talk(&w, 20);
		assert_int_equal(passage_of(&w, FROM_SERVER).lost, 1);
		track_free(w.track);
	}
}

static void a_router_that_cuts(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) { /* IPv6 is never cut on its way */
		struct world w;
		set_up(&w, all[i].kind, all[i].family);
		w.hops = 1;
		w.cut_mtu = 576;
		talk(&w, 20);
		w.lose_pieces = 2;
		pass(&w, FROM_SERVER, 1300, ARRIVES);
		w.lose_pieces = 0;
		talk(&w, 20);
		struct passage p = passage_of(&w, FROM_SERVER);
		assert_int_equal(p.both, 40);
		assert_int_equal(p.cut_between, 40);
		assert_int_equal(p.lost, 1);
		assert_int_equal(p.in_part, 1);
		assert_int_equal(p.second_piece, 572);
		assert_int_equal(p.hops_min, 1);
		assert_int_equal(p.hops_max, 1);
		assert_int_equal(p.order, ORDER_HOPS);
		assert_int_equal(p.size_both->max, size_of(&w, 1200));
		assert_int_equal(passage_of(&w, FROM_CLIENT).cut_between, 0);
		track_free(w.track);
	}
}

/* Captured to different lengths: the shorter one decides what packets are told by. */
static void snap_lengths(void **state)
{
	static const uint32_t snap[][2] = {{0, 68}, {68, 0}, {64, 262144}, {96, 80}};
	(void)state;
	for (size_t n = 0; n < sizeof snap / sizeof *snap; n++) {
		FOR_ALL(i)
		{
			struct world w;
			bool v6 = all[i].family == 6;
			set_up(&w, all[i].kind, all[i].family);
			for (unsigned at = 0; at < 2; at++)
				w.snap[at] =
				        snap[n][at] ? snap[n][at] + (v6 ? 20 : 0) : 0;
			talk(&w, 20);
			pass(&w, FROM_SERVER, 1400, LOST);
			talk(&w, 20);
			struct passage p = passage_of(&w, FROM_SERVER);
			/* those on their way while it was found out are left out */
			assert_in_range(p.both, 38, 40);
			assert_int_equal(p.lost, 1);
			assert_int_equal(p.extra, 0);
			track_free(w.track);
		}
	}
}

static void translated_addresses(void **state)
{
	(void)state;
	FOR_ALL(i)
	{
		char text[ADDR_TEXT];
		struct world w;
		set_up(&w, all[i].kind, all[i].family);
		w.translated = true;
		w.hops = 2;
		w.ahead = -30 * MS; /* what comes is seen before what was sent */
		talk(&w, 50);
		for (int n = 0; n < 5; n++)
			pass(&w, FROM_SERVER, 1400, LOST);
		talk(&w, 50);
		struct passage p = passage_of(&w, FROM_SERVER);
		assert_int_equal(p.both, 100);
		assert_int_equal(p.route->translated, 100);
		assert_int_equal(p.lost, 5);
		assert_int_equal(p.first, 1);
		assert_string_equal(addr_format(&p.route->key.dst, text),
		                    w.family == 4 ? "192.0.2.9" : "fd00:9::9");
		assert_string_equal(addr_format(&p.route->dst_behind, text),
		                    w.family == 4 ? "10.0.0.2" : "fd00::2");
		assert_int_equal(passage_of(&w, FROM_CLIENT).both, 100);
		track_free(w.track);
	}
}

/* Packets without an id that are all the same cannot be told apart: no figure. */
static void packets_all_alike(void **state)
{
	struct world w;
	(void)state;
	set_up(&w, POINT_UDP, 4);
	w.no_id = w.same = true;
	for (int i = 0; i < 20; i++)
		pass(&w, FROM_CLIENT, 64, i % 2 ? ARRIVES : LOST);
	track_finish(w.track);
	assert_null(points_route_next(track_points(w.track), NULL));
	assert_int_equal(points_limits(track_points(w.track))->alike, 30);
	track_free(w.track);
}

/* The same heartbeat goes to two hosts, of which one is captured: no translator. */
static void one_payload_to_many(void **state)
{
	static struct pkt p;
	struct world w;
	(void)state;
	set_up(&w, POINT_UDP, 4);
	for (int i = 0; i < 40; i++) {
		for (unsigned to = 1; to < 4; to++) {
			char dst[16] = "10.0.0.1";
			dst[7] = (char)('0' + to);
			pkt_begin(&p);
			pkt_ethernet(&p, PKT_TYPE_IP4);
			pkt_ip4(&p, &(struct pkt_ip4){.src = "10.0.0.9", .dst = dst});
			pkt_udp(&p, 5405, 5405);
			pkt_u32(&p, (uint32_t)i);
			pkt_fill(&p, 60);
			pkt_end(&p);
			give(&w, &p, 0, 0, 0, w.now);
			if (to == 2 && i != 7)
				give(&w, &p, 0, 0, 1, w.now - 5 * MS);
		}
		w.now += MS;
	}
	track_finish(w.track);
	const struct route *r = points_route_next(track_points(w.track), NULL);
	assert_non_null(r);
	assert_int_equal(r->both, 39);
	assert_int_equal(r->only_a, 1);
	assert_int_equal(r->translated, 0);
	assert_null(points_route_next(track_points(w.track), r));
	track_free(w.track);
}

/* TSO at the sender: one point shows long packets, the other one their parts.  Neither
 * was lost, and no size is a size of the wire. */
static void an_offload(void **state)
{
	static struct pkt p;
	static const uint32_t segments[] = {1, 2, 10};
	(void)state;
	for (size_t n = 0; n < 3; n++) {
		struct world w;
		set_up(&w, POINT_TCP, 4);
		talk(&w, 20);
		for (int i = 0; i < 20; i++) {
			w.seq[FROM_SERVER] += 20000;
			w.id = (uint16_t)(w.id + 20);
			build(&w, &p, FROM_SERVER, segments[n] * 1448, 0, 64, true);
			give(&w, &p, 0, 0, 1, w.now + w.ahead);
			uint16_t id = w.id;
			for (uint32_t k = 0; k < segments[n]; k++, w.id++) {
				build(&w, &p, FROM_SERVER, 1448, k * 1448, 64, true);
				give(&w, &p, 0, 0, 0, w.now + 200 * US);
			}
			w.id = id;
			w.now += MS;
		}
		talk(&w, 20);
		struct passage q = passage_of(&w, FROM_SERVER);
		assert_int_equal(q.regrouped, n > 0);
		assert_int_equal(q.lost + q.extra, 0);
		assert_int_equal(q.threshold, 0);
		assert_int_equal(q.size_lost->total, 0);
		assert_int_equal(q.both, n ? 40 : 60);
		assert_int_equal(q.size_both->max, n ? 1252 : 1500);
		assert_int_equal(passage_of(&w, FROM_CLIENT).lost, 0);
		track_free(w.track);
	}
}

/* The same long packet at both points was put together before either: it arrived, and
 * has no size. */
static void an_offload_in_front_of_both(void **state)
{
	static struct pkt p;
	struct world w;
	(void)state;
	set_up(&w, POINT_TCP, 4);
	track_set_mtu(w.track, 0, 1500);
	track_set_mtu(w.track, 1, 1500);
	talk(&w, 20);
	for (int i = 0; i < 5; i++) {
		w.seq[FROM_SERVER] += 20000;
		w.id++;
		build(&w, &p, FROM_SERVER, 14480, 0, 64, true);
		give(&w, &p, 0, 0, 1, w.now + w.ahead);
		if (i < 4)
			give(&w, &p, 0, 0, 0, w.now + 200 * US);
		w.now += MS;
	}
	talk(&w, 20);
	struct passage q = passage_of(&w, FROM_SERVER);
	assert_int_equal(q.both, 44);
	assert_int_equal(q.route->super, 4);
	assert_int_equal(q.size_both->max, 1252);
	/* whether the last one was lost, or came in parts, is not known */
	assert_true(q.regrouped);
	assert_int_equal(q.only_first, 1);
	assert_int_equal(q.only_second, 0);
	track_free(w.track);
}

/* What one file shows costs nothing: nothing is kept. */
static void one_point_alone(void **state)
{
	struct world w;
	(void)state;
	set_up(&w, POINT_UDP, 4);
	track_free(w.track);
	w.track = track_new(&track_limits_default);
	talk(&w, 10);
	assert_false(points_started(track_points(w.track)));
	track_finish(w.track);
	assert_null(points_route_next(track_points(w.track), NULL));
	track_free(w.track);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(loss_by_size_and_clocks),
	        cmocka_unit_test(lost_before_anything_passed),
	        cmocka_unit_test(a_router_that_cuts),
	        cmocka_unit_test(snap_lengths),
	        cmocka_unit_test(translated_addresses),
	        cmocka_unit_test(packets_all_alike),
	        cmocka_unit_test(one_payload_to_many),
	        cmocka_unit_test(an_offload),
	        cmocka_unit_test(an_offload_in_front_of_both),
	        cmocka_unit_test(one_point_alone),
	};
	return cmocka_run_group_tests_name("track/track_points", tests, NULL, NULL);
}
