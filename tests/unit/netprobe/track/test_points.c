#include "netprobe/track/passage.h"
#include "netprobe/track/track.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define BEGIN_NS INT64_C(1700000000000000000)
#define MS INT64_C(1000000)
#define US INT64_C(1000)

/* Point 0 is at the client, point 1 at the server; its clock is `ahead` of the other.
 */
struct world {
	struct track *track;
	int64_t now, ahead, delay[WAYS];
	uint32_t serial[WAYS], seq;
	uint64_t frame;
	uint8_t hops;         /* routers between */
	uint32_t cut_mtu;     /* of the link between; 0 = carries all */
	uint32_t sent_mtu;    /* of the sender's link */
	uint32_t lose_pieces; /* bit i: piece i is lost between */
};

/* What the link does with a datagram. */
enum fate_of { ARRIVES, LOST, ARRIVES_TWICE, UNSEEN_AT_SENDER };

static void set_up_with(struct world *w, bool keep)
{
	*w = (struct world){.now = BEGIN_NS, .delay = {200 * US, 200 * US}};
	w->track = track_new(&track_limits_default);
	assert_non_null(w->track);
	if (keep)
		assert_int_equal(track_keep_points(w->track), 0);
}

static void give(struct world *w, const struct pkt *p, uint32_t point, int64_t ns)
{
	struct frame f = pkt_frame(p, LINK_ETHERNET, ns, ++w->frame);
	f.iface = point;
	f.direction = DIR_UNKNOWN;
	track_frame(w->track, &f);
}

static void give_cut(struct world *w, const struct pkt *p, uint32_t mtu, uint32_t point,
                     int64_t ns, uint32_t lose)
{
	static struct pkt piece;
	if (!mtu || p->len - p->ip_at <= mtu) {
		give(w, p, point, ns);
		return;
	}
	for (unsigned i = 0; pkt_piece(&piece, p, mtu, 0, i); i++)
		if (!(lose >> i & 1))
			give(w, &piece, point, ns);
}

static void build(struct world *w, struct pkt *p, enum way way, uint32_t size,
                  uint8_t ttl)
{
	const struct rx_header h = {.epoch = 0x90000001u,
	                            .cid = 0x1000,
	                            .call = 1,
	                            .seq = w->seq,
	                            .serial = w->serial[way],
	                            .type = RX_DATA,
	                            .flags = way == TO_SERVER ? RX_CLIENT : 0,
	                            .service = 1};
	pkt_begin(p);
	pkt_ethernet(p, PKT_TYPE_IP4);
	pkt_ip4(p, &(struct pkt_ip4){.src = way == TO_SERVER ? "10.0.0.2" : "10.0.0.1",
	                             .dst = way == TO_SERVER ? "10.0.0.1" : "10.0.0.2",
	                             .ttl = ttl,
	                             .id = (uint16_t)w->serial[way]});
	pkt_udp(p, way == TO_SERVER ? 7001 : 7000, way == TO_SERVER ? 7000 : 7001);
	pkt_rx(p, &h);
	pkt_fill(p, size - RX_HEADER);
	pkt_end(p);
}

/* A new datagram; also what is sent again gets a serial of its own. */
static void send_again(struct world *w, enum way way, uint32_t size, enum fate_of fate)
{
	static struct pkt p;
	uint32_t from = way == TO_SERVER ? 0 : 1;
	int64_t sent = w->now + (from ? w->ahead : 0);
	int64_t came = w->now + w->delay[way] + (from ? 0 : w->ahead);
	w->serial[way]++;
	w->now += MS;
	build(w, &p, way, size, 64);
	if (fate != UNSEEN_AT_SENDER)
		give_cut(w, &p, w->sent_mtu, from, sent, 0);
	if (fate == LOST)
		return;
	build(w, &p, way, size, (uint8_t)(64 - w->hops));
	uint32_t mtu = w->sent_mtu && (!w->cut_mtu || w->sent_mtu < w->cut_mtu)
	                       ? w->sent_mtu
	                       : w->cut_mtu;
	for (int i = 0; i < (fate == ARRIVES_TWICE ? 2 : 1); i++)
		give_cut(w, &p, mtu, !from, came, w->lose_pieces);
}

static void send(struct world *w, enum way way, uint32_t size, enum fate_of fate)
{
	w->seq++;
	send_again(w, way, size, fate);
}

static void talk(struct world *w, int n)
{
	for (int i = 0; i < n; i++) {
		send(w, TO_SERVER, 60, ARRIVES);
		send(w, TO_CLIENT, 1444, ARRIVES);
	}
}

/* Ends the capture; the passage of this way. */
static struct passage passage_of(struct world *w, enum way way)
{
	struct passage p;
	const struct points *points = track_points(w->track);
	track_finish(w->track);
	for (const struct route *r = NULL; (r = points_route_next(points, r));) {
		if (r->key.way != (uint32_t)way)
			continue;
		passage_make(&p, points, r);
		return p;
	}
	fail_msg("nothing passed that way");
	return (struct passage){0};
}

static struct clock_offset clock_of(struct world *w)
{
	struct clock_offset c;
	track_finish(w->track);
	clock_offset_make(&c, track_points(w->track), 0, 1);
	return c;
}

static void all_arrive(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	talk(&w, 50);
	struct passage p = passage_of(&w, TO_CLIENT);
	assert_int_equal(p.both, 50);
	assert_int_equal(p.lost + p.extra, 0);
	assert_int_equal(p.first, 1);
	assert_int_equal(p.second, 0);
	assert_int_equal(p.order, ORDER_BOTH);
	assert_int_equal(p.threshold, 0);
	assert_int_equal(p.hops_max, 0);
	track_free(w.track);
}

static void clocks_apart(void **state)
{
	static const int64_t ahead[] = {1234 * US, -1234 * US, 0, 45000 * MS,
	                                -45000 * MS};
	(void)state;
	for (size_t i = 0; i < sizeof ahead / sizeof *ahead; i++) {
		struct world w;
		set_up_with(&w, true);
		w.ahead = ahead[i];
		w.delay[TO_CLIENT] = 300 * US; /* the assumption does not hold */
		talk(&w, 50);
		send(&w, TO_CLIENT, 1444, LOST);
		talk(&w, 50);
		struct clock_offset c = clock_of(&w);
		assert_true(c.has_low && c.has_high);
		assert_false(c.drifts);
		assert_int_equal(c.uncertainty_ns, 250 * US);
		assert_int_equal(c.offset_ns, ahead[i] - 50 * US);
		assert_in_range(ahead[i] - c.low_ns, 0, 500 * US);
		/* the files are merged by their own clocks; here they come mixed */
		struct passage p = passage_of(&w, TO_CLIENT);
		assert_int_equal(p.both, 100);
		assert_int_equal(p.lost, 1);
		assert_int_equal(p.first, 1);
		track_free(w.track);
	}
}

static void clocks_that_drift(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	for (int i = 0; i < 600; i++) {
		talk(&w, 1);
		w.now += 98 * MS;
		w.ahead += 10 * US; /* in 100 ms */
	}
	struct clock_offset c = clock_of(&w);
	assert_true(c.drifts);
	assert_true(c.drift_ppm > 95 && c.drift_ppm < 105);
	assert_int_equal(passage_of(&w, TO_SERVER).lost, 0);
	track_free(w.track);
}

static void one_way_only(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	w.ahead = 5 * MS;
	w.hops = 1;
	for (int i = 0; i < 20; i++)
		send(&w, TO_SERVER, 60, ARRIVES);
	struct clock_offset c = clock_of(&w);
	assert_false(c.has_low);
	assert_true(c.has_high);
	assert_int_equal(c.high_ns, 5 * MS + 200 * US);
	struct passage p = passage_of(&w, TO_SERVER);
	assert_int_equal(p.order, ORDER_HOPS);
	assert_int_equal(p.hops_min, 1);
	assert_int_equal(p.first, 0);
	track_free(w.track);
}

static void loss_by_size(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	talk(&w, 100);
	for (uint32_t i = 0; i < 5; i++)
		send(&w, TO_CLIENT, 2856 + 4 * i, LOST);
	talk(&w, 100);
	struct passage p = passage_of(&w, TO_CLIENT);
	assert_int_equal(p.both, 200);
	assert_int_equal(p.lost, 5);
	assert_int_equal(p.threshold, 2856);
	assert_int_equal(p.size_lost->min, 2856);
	assert_int_equal(p.lost_above, 5);
	assert_int_equal(p.both_above, 0);
	assert_int_equal(p.lost_below, 0);
	assert_true(p.lost_frame > 0);
	assert_int_equal(passage_of(&w, TO_SERVER).lost, 0);
	track_free(w.track);
}

static void loss_whatever_the_size(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	for (int i = 0; i < 20; i++) {
		talk(&w, 8);
		send(&w, TO_CLIENT, 1444, LOST);
		send(&w, TO_CLIENT, 2860, ARRIVES);
		send(&w, TO_CLIENT, 60, i % 4 ? ARRIVES : LOST);
	}
	talk(&w, 1);
	struct passage p = passage_of(&w, TO_CLIENT);
	assert_int_equal(p.lost, 25);
	assert_int_equal(p.threshold, 0);
	track_free(w.track);
}

/* A retransmission is another datagram: what was lost stays lost. */
static void retransmissions(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	talk(&w, 10);
	for (int i = 0; i < 7; i++) {
		send(&w, TO_CLIENT, 1444, LOST);
		send_again(&w, TO_CLIENT, 1444, i < 4 ? ARRIVES : LOST);
	}
	talk(&w, 10);
	struct passage p = passage_of(&w, TO_CLIENT);
	assert_int_equal(p.both, 24);
	assert_int_equal(p.lost, 10);
	assert_int_equal(p.extra, 0);
	track_free(w.track);
}

static void duplicates_at_one_point(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	talk(&w, 10);
	for (int i = 0; i < 6; i++)
		send(&w, TO_CLIENT, 1444, ARRIVES_TWICE);
	talk(&w, 10);
	struct passage p = passage_of(&w, TO_CLIENT);
	assert_int_equal(p.both, 26);
	assert_int_equal(p.lost + p.extra, 0);
	assert_int_equal(points_limits(track_points(w.track))->repeats, 6);
	track_free(w.track);
}

static void only_at_the_second(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	talk(&w, 10);
	for (int i = 0; i < 3; i++)
		send(&w, TO_CLIENT, 1444, UNSEEN_AT_SENDER);
	talk(&w, 10);
	struct passage p = passage_of(&w, TO_CLIENT);
	assert_int_equal(p.extra, 3);
	assert_int_equal(p.lost, 0);
	track_free(w.track);
}

static void a_router_that_cuts(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	w.hops = 2;
	w.cut_mtu = 1500;
	talk(&w, 10);
	for (int i = 0; i < 4; i++)
		send(&w, TO_CLIENT, 4000, ARRIVES);
	talk(&w, 10);
	struct passage p = passage_of(&w, TO_CLIENT);
	assert_int_equal(p.both, 24);
	assert_int_equal(p.lost, 0);
	assert_int_equal(p.hops_min, 2);
	assert_int_equal(p.cut_between, 4);
	assert_int_equal(p.cut_before, 0);
	assert_int_equal(p.second_piece, 1500);
	assert_int_equal(p.first_piece, 0);
	assert_true(p.cut_frame > 0);
	track_free(w.track);
}

static void a_sender_that_cuts(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	w.sent_mtu = 1500;
	talk(&w, 10);
	for (int i = 0; i < 4; i++)
		send(&w, TO_CLIENT, 4000, ARRIVES);
	w.cut_mtu = 576;
	for (int i = 0; i < 3; i++)
		send(&w, TO_CLIENT, 4000, ARRIVES);
	w.cut_mtu = 0;
	talk(&w, 10);
	struct passage p = passage_of(&w, TO_CLIENT);
	assert_int_equal(p.cut_between, 0);
	assert_int_equal(p.cut_before, 4);
	assert_int_equal(p.cut_again, 3);
	assert_int_equal(p.first_piece, 1500);
	track_free(w.track);
}

static void lost_fragments(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	w.cut_mtu = 1500;
	talk(&w, 10);
	w.lose_pieces = 2;
	for (int i = 0; i < 4; i++)
		send(&w, TO_CLIENT, 4000, ARRIVES);
	talk(&w, 10);
	struct passage p = passage_of(&w, TO_CLIENT);
	assert_int_equal(p.both, 20);
	assert_int_equal(p.lost, 4);
	assert_int_equal(p.in_part, 4);
	assert_int_equal(p.threshold, 4000);
	track_free(w.track);
}

/* Before the later start and after the earlier end nothing is lost. */
static void edges(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	w.ahead = 1000 * MS;
	for (int i = 0; i < 30; i++)
		send(&w, TO_SERVER, 60, LOST);
	talk(&w, 10);
	send(&w, TO_SERVER, 60, LOST);
	talk(&w, 10);
	for (int i = 0; i < 40; i++)
		send(&w, TO_SERVER, 60, LOST);
	struct passage p = passage_of(&w, TO_SERVER);
	assert_int_equal(p.both, 20);
	assert_int_equal(p.lost, 1);
	assert_int_equal(points_limits(track_points(w.track))->edges, 70);
	track_free(w.track);
}

/* Without being told, the first copy on another interface begins it. */
static void begins_with_the_first_copy(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, false);
	for (int i = 0; i < 30; i++)
		send(&w, TO_SERVER, 60, LOST);
	assert_false(points_started(track_points(w.track)));
	assert_null(points_route_next(track_points(w.track), NULL));
	talk(&w, 20);
	assert_true(points_started(track_points(w.track)));
	send(&w, TO_SERVER, 60, LOST);
	talk(&w, 20);
	struct passage p = passage_of(&w, TO_SERVER);
	assert_int_equal(p.lost, 1);
	assert_int_equal(p.extra, 0);
	assert_in_range(p.both, 39, 40);
	track_free(w.track);
}

/* What never came is told long before the capture is over. */
static void expires(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	talk(&w, 10);
	send(&w, TO_CLIENT, 1444, LOST);
	talk(&w, 10);
	w.now += POINTS_WAIT_NS + 1000 * MS;
	talk(&w, 1);
	const struct route *r = NULL;
	uint64_t lost = 0;
	while ((r = points_route_next(track_points(w.track), r)))
		lost += r->only_a + r->only_b;
	assert_int_equal(lost, 1);
	assert_int_equal(passage_of(&w, TO_CLIENT).lost, 1);
	track_free(w.track);
}

/* One direction is dead: what comes back shows where it should have been seen. */
static void nothing_comes_through(void **state)
{
	struct world w;
	(void)state;
	set_up_with(&w, true);
	w.ahead = 7 * MS;
	w.hops = 1;
	for (int i = 0; i < 20; i++) {
		send(&w, TO_SERVER, 60, ARRIVES);
		send(&w, TO_CLIENT, 1444, LOST);
	}
	send(&w, TO_SERVER, 60, ARRIVES);
	struct passage p = passage_of(&w, TO_CLIENT);
	assert_int_equal(p.both, 0);
	assert_int_equal(p.lost, 20);
	assert_int_equal(p.extra, 0);
	assert_int_equal(p.first, 1);
	assert_int_equal(p.order, ORDER_HOPS);
	assert_int_equal(p.threshold, 0);
	assert_int_equal(passage_of(&w, TO_SERVER).both, 21);
	track_free(w.track);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(all_arrive),
	        cmocka_unit_test(clocks_apart),
	        cmocka_unit_test(clocks_that_drift),
	        cmocka_unit_test(one_way_only),
	        cmocka_unit_test(loss_by_size),
	        cmocka_unit_test(loss_whatever_the_size),
	        cmocka_unit_test(retransmissions),
	        cmocka_unit_test(duplicates_at_one_point),
	        cmocka_unit_test(only_at_the_second),
	        cmocka_unit_test(a_router_that_cuts),
	        cmocka_unit_test(a_sender_that_cuts),
	        cmocka_unit_test(lost_fragments),
	        cmocka_unit_test(edges),
	        cmocka_unit_test(begins_with_the_first_copy),
	        cmocka_unit_test(expires),
	        cmocka_unit_test(nothing_comes_through),
	};
	return cmocka_run_group_tests_name("track/points", tests, NULL, NULL);
}
