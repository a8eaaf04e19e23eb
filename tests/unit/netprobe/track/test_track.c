#include "netprobe/track/track.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SERVER "10.77.1.1"
#define CLIENT "10.77.1.11"
#define FS 7000
#define CM 7001
#define EPOCH 0x90000001u

static int set_up(void **state)
{
	*state = track_new(&track_limits_default);
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	track_free(*state);
	return 0;
}

static struct rx_header rx(uint8_t type, uint8_t flags, uint32_t seq, uint32_t serial)
{
	return (struct rx_header){.epoch = EPOCH,
	                          .cid = 0x1000,
	                          .call = 1,
	                          .seq = seq,
	                          .serial = serial,
	                          .type = type,
	                          .flags = flags,
	                          .service = 1};
}

/* A datagram from the server (or, with RX_CLIENT, to it): `packets` DATA packets,
 * the last with `last` bytes of data. */
static void build_data(struct pkt *p, uint8_t flags, uint32_t seq, uint32_t serial,
                       uint32_t packets, size_t last)
{
	bool to_server = flags & RX_CLIENT;
	pkt_begin(p);
	pkt_ethernet(p, PKT_TYPE_IP4);
	pkt_ip4(p, &(struct pkt_ip4){.src = to_server ? CLIENT : SERVER,
	                             .dst = to_server ? SERVER : CLIENT,
	                             .id = (uint16_t)serial,
	                             .df = packets == 1});
	pkt_udp(p, to_server ? CM : FS, to_server ? FS : CM);
	struct rx_header h = rx(
	        RX_DATA, (uint8_t)(flags | (packets > 1 ? RX_JUMBO : 0)), seq, serial);
	pkt_rx(p, &h);
	for (uint32_t i = 1; i < packets; i++) {
		pkt_fill(p, RX_JUMBO_DATA);
		pkt_rx_jumbo(p, i + 1 < packets ? flags | RX_JUMBO : flags, 0);
	}
	pkt_fill(p, last);
	pkt_end(p);
}

static void feed(struct track *t, const struct pkt *p, int64_t ms, uint64_t number)
{
	struct frame f = pkt_frame(p, LINK_ETHERNET, ms * 1000000, number);
	track_frame(t, &f);
}

static const struct flow *only_flow(const struct track *t)
{
	assert_int_equal(track_flow_count(t), 1);
	return track_flow_next(t, NULL);
}

static struct tally sum_of(const struct flow *f, enum way w)
{
	struct tally y = {0};
	slices_sum(&f->side[w].sent, &y);
	return y;
}

static void test_track_direction_by_flag_not_by_order(void **state)
{
	struct track *t = *state;
	static struct pkt p;
	build_data(&p, 0, 1, 1, 1, 100); /* the reply comes first */
	feed(t, &p, 1, 1);
	build_data(&p, RX_CLIENT, 1, 1, 1, 32);
	feed(t, &p, 2, 2);
	track_finish(t);
	const struct flow *f = only_flow(t);
	assert_int_equal(f->key.client_port, CM);
	assert_int_equal(f->key.server_port, FS);
	assert_int_equal(f->service, AFS_FS);
	struct tally y = sum_of(f, TO_SERVER);
	assert_int_equal(y.data_bytes, 32);
	assert_int_equal(y.df, 1);
	tally_clear(&y);
	y = sum_of(f, TO_CLIENT);
	assert_int_equal(y.data_bytes, 100);
	tally_clear(&y);
}

/* Every piece of a jumbogram's train, in this order. */
static void feed_pieces(struct track *t, const struct pkt *whole, const unsigned *order,
                        unsigned n, uint64_t number)
{
	static struct pkt piece;
	for (unsigned i = 0; i < n; i++) {
		assert_true(pkt_piece(&piece, whole, 1500, 0, order[i]));
		feed(t, &piece, (int64_t)number, number);
		number++;
	}
}

static void test_track_fragmented_jumbogram(void **state)
{
	static const unsigned orders[][4] = {
	        {0, 1, 2, 3}, {3, 2, 1, 0}, {1, 0, 3, 2}, {2, 3, 0, 1}};
	(void)state;
	static struct pkt p;
	build_data(&p, 0, 1, 1, 4, RX_JUMBO_DATA);
	for (size_t i = 0; i < 4; i++) {
		struct track *t = track_new(&track_limits_default);
		feed_pieces(t, &p, orders[i], 4, 1);
		track_finish(t);
		struct tally y = sum_of(only_flow(t), TO_CLIENT);
		assert_int_equal(y.ip_packets, 4);
		assert_int_equal(y.ip_bytes, 5716 + 3 * 20);
		assert_int_equal(y.fragments, 4);
		assert_int_equal(y.trains_whole, 1);
		assert_int_equal(y.trains_broken, 0);
		assert_int_equal(y.datagrams, 1);
		assert_int_equal(y.data_packets, 4);
		assert_int_equal(y.data_bytes, 4 * RX_JUMBO_DATA);
		assert_int_equal(sizes_count(&y.data_datagrams, 5688), 1);
		assert_int_equal(sizes_count(&y.jumbograms, 4), 1);
		assert_int_equal(sizes_count(&y.train_pieces, 4), 1);
		assert_int_equal(sizes_count(&y.ip_lengths, 1500), 3);
		assert_int_equal(sizes_count(&y.ip_lengths, 1276), 1);
		assert_int_equal(track_iface(t, 0)->orphans, 0);
		tally_clear(&y);
		track_free(t);
	}
}

static void test_track_broken_train_counts_no_data(void **state)
{
	struct track *t = *state;
	static struct pkt p;
	static const unsigned without_third[] = {0, 1, 3};
	build_data(&p, 0, 1, 1, 4, RX_JUMBO_DATA);
	feed_pieces(t, &p, without_third, 3, 1);
	track_finish(t);
	struct tally y = sum_of(only_flow(t), TO_CLIENT);
	assert_int_equal(y.ip_packets, 3);
	assert_int_equal(y.trains_broken, 1);
	assert_int_equal(y.broken_ip_bytes, 1500 + 1500 + 1276);
	assert_int_equal(y.datagrams, 0);
	assert_int_equal(y.data_bytes, 0);
	tally_clear(&y);
	assert_int_equal(track_iface(t, 0)->trains[FRAGMENT_UNFINISHED], 1);
}

static void test_track_orphans_belong_to_no_flow(void **state)
{
	struct track *t = *state;
	static struct pkt p;
	static const unsigned without_first[] = {1, 2, 3};
	build_data(&p, 0, 1, 1, 4, RX_JUMBO_DATA);
	feed_pieces(t, &p, without_first, 3, 1);
	track_finish(t);
	assert_int_equal(track_flow_count(t), 0);
	assert_int_equal(track_iface(t, 0)->orphans, 3);
	assert_int_equal(track_iface(t, 0)->orphan_bytes, 1500 + 1500 + 1276);
}

static void test_track_resends_and_copies(void **state)
{
	struct track *t = *state;
	static struct pkt p;
	build_data(&p, 0, 1, 1, 1, 1416);
	feed(t, &p, 1, 1);
	feed(t, &p, 1, 2); /* captured twice */
	build_data(&p, 0, 1, 2, 1, 1416);
	feed(t, &p, 200, 3);
	track_finish(t);
	struct tally y = sum_of(only_flow(t), TO_CLIENT);
	assert_int_equal(y.ip_packets, 3);
	assert_int_equal(y.duplicates, 1);
	assert_int_equal(y.datagrams, 2);
	assert_int_equal(y.resends, 1);
	assert_int_equal(y.resent_bytes, 1416);
	assert_int_equal(y.data_bytes, 2 * 1416);
	tally_clear(&y);
}

static void test_track_phases_by_time(void **state)
{
	struct track *t = *state;
	static struct pkt p;
	build_data(&p, 0, 1, 1, 1, 100);
	feed(t, &p, 5, 1);
	track_begin(t, 1, "cold/block-input", 10 * 1000000);
	build_data(&p, 0, 2, 2, 1, 200);
	feed(t, &p, 15, 2);
	track_end(t, 1, 20 * 1000000);
	build_data(&p, 0, 3, 3, 1, 300);
	feed(t, &p, 19, 3); /* read behind the mark, but older */
	build_data(&p, 0, 4, 4, 1, 400);
	feed(t, &p, 25, 4);
	track_finish(t);
	struct tally in = {0}, out = {0};
	slices_sum_phase(&only_flow(t)->side[TO_CLIENT].sent, 1, &in);
	slices_sum_phase(&only_flow(t)->side[TO_CLIENT].sent, 0, &out);
	assert_int_equal(in.data_bytes, 500);
	assert_int_equal(out.data_bytes, 500);
	assert_int_equal(in.datagrams, 2);
	tally_clear(&in);
	tally_clear(&out);
}

static void test_track_sizes_do_not_follow_caplen(void **state)
{
	(void)state;
	static struct pkt p;
	build_data(&p, 0, 1, 1, 6, RX_JUMBO_DATA);
	for (uint32_t snap = 14 + 20 + 8 + 28; snap < p.len; snap += 101) {
		struct track *t = track_new(&track_limits_default);
		struct frame f = pkt_frame(&p, LINK_ETHERNET, 1, 1);
		f.caplen = snap;
		track_frame(t, &f);
		track_finish(t);
		struct tally y = sum_of(only_flow(t), TO_CLIENT);
		assert_int_equal(y.data_packets, 6);
		assert_int_equal(y.data_bytes, 6 * RX_JUMBO_DATA);
		assert_int_equal(y.ip_bytes, 8548);
		tally_clear(&y);
		track_free(t);
	}
}

static void test_track_super_packet_is_no_size(void **state)
{
	struct track *t = *state;
	static struct pkt p;
	track_set_mtu(t, 0, 1500);
	build_data(&p, 0, 1, 1, 6, RX_JUMBO_DATA); /* 8548 on a link of 1500 */
	feed(t, &p, 1, 1);
	track_finish(t);
	struct tally y = sum_of(only_flow(t), TO_CLIENT);
	assert_int_equal(y.offloaded, 1);
	assert_int_equal(y.ip_lengths.total, 0);
	assert_int_equal(y.data_datagrams.total, 0);
	assert_int_equal(track_iface(t, 0)->offloaded, 1);
	tally_clear(&y);
}

static void test_track_evicted_flows_stay_in_the_sums(void **state)
{
	(void)state;
	struct track_limits small = {.flows = 2, .conns = 2, .trains = 2};
	struct track *t = track_new(&small);
	static struct pkt p;
	for (uint32_t i = 0; i < 5; i++) {
		pkt_begin(&p);
		pkt_ethernet(&p, PKT_TYPE_IP4);
		pkt_ip4(&p, &(struct pkt_ip4){.src = CLIENT, .dst = SERVER});
		pkt_udp(&p, 20000 + i, FS);
		struct rx_header h = rx(RX_DATA, RX_CLIENT, 1, 1);
		h.cid = 0x1000 * (i + 1);
		pkt_rx(&p, &h);
		pkt_fill(&p, 32);
		pkt_end(&p);
		feed(t, &p, i, i + 1);
	}
	track_finish(t);
	assert_int_equal(track_flows_evicted(t), 3);
	struct tally y = {0};
	slices_sum(&track_iface(t, 0)->gone[TO_SERVER], &y);
	for (const struct flow *f = NULL; (f = track_flow_next(t, f));)
		slices_sum(&f->side[TO_SERVER].sent, &y);
	assert_int_equal(y.datagrams, 5);
	assert_int_equal(y.data_bytes, 5 * 32);
	tally_clear(&y);
	track_free(t);
}

static void test_track_too_big_finds_its_flow(void **state)
{
	struct track *t = *state;
	static struct pkt data, icmp;
	build_data(&data, 0, 1, 1, 1, 1416);
	feed(t, &data, 1, 1);
	pkt_begin(&icmp);
	pkt_ethernet(&icmp, PKT_TYPE_IP4);
	pkt_ip4(&icmp, &(struct pkt_ip4){.src = "10.9.9.9",
	                                 .dst = SERVER,
	                                 .proto = PKT_PROTO_ICMP});
	pkt_icmp(&icmp, 3, 4, 1400);
	pkt_quote(&icmp, &data, 28);
	pkt_end(&icmp);
	feed(t, &icmp, 2, 2);
	track_finish(t);
	const struct flow *f = only_flow(t);
	assert_int_equal(f->side[TO_CLIENT].too_big, 1);
	assert_int_equal(f->side[TO_CLIENT].too_big_mtu, 1400);
	assert_int_equal(f->side[TO_CLIENT].too_big_frame, 2);
	assert_int_equal(track_iface(t, 0)->too_big, 1);
	assert_int_equal(track_iface(t, 0)->rx, 1); /* quoted Rx is no Rx */
}

static void test_track_nat_keep_alive_goes_to_the_server(void **state)
{
	struct track *t = *state;
	static struct pkt p;
	build_data(&p, RX_CLIENT, 1, 1, 1, 32);
	feed(t, &p, 1, 1);
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p, &(struct pkt_ip4){.src = CLIENT, .dst = SERVER});
	pkt_udp(&p, CM, FS);
	pkt_rx(&p,
	       &(struct rx_header){.epoch = 999, .type = RX_VERSION, .flags = RX_LAST});
	pkt_zero(&p, 1);
	pkt_end(&p);
	feed(t, &p, 2, 2);
	track_finish(t);
	struct tally y = sum_of(only_flow(t), TO_SERVER);
	assert_int_equal(y.type[RX_VERSION], 1);
	tally_clear(&y);
}

static void test_track_time_running_backwards(void **state)
{
	struct track *t = *state;
	static struct pkt p;
	build_data(&p, 0, 1, 1, 1, 100);
	feed(t, &p, 10, 1);
	feed(t, &p, 5, 2);
	feed(t, &p, 7, 3);
	const struct iface_stats *i = track_iface(t, 0);
	assert_int_equal(i->backwards, 1);
	assert_int_equal(i->backwards_frame, 2);
	assert_int_equal(i->first_ns, 5 * 1000000);
	assert_int_equal(i->last_ns, 10 * 1000000);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        CASE(test_track_direction_by_flag_not_by_order),
	        CASE(test_track_fragmented_jumbogram),
	        CASE(test_track_broken_train_counts_no_data),
	        CASE(test_track_orphans_belong_to_no_flow),
	        CASE(test_track_resends_and_copies),
	        CASE(test_track_phases_by_time),
	        CASE(test_track_sizes_do_not_follow_caplen),
	        CASE(test_track_super_packet_is_no_size),
	        CASE(test_track_evicted_flows_stay_in_the_sums),
	        CASE(test_track_too_big_finds_its_flow),
	        CASE(test_track_nat_keep_alive_goes_to_the_server),
	        CASE(test_track_time_running_backwards),
	};
	return cmocka_run_group_tests_name("track/track", tests, NULL, NULL);
}
