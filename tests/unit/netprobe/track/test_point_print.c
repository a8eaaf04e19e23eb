#include "netprobe/track/point_print.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Offsets into a frame of Ethernet and IPv4. */
enum { IP = 14, L4 = IP + 20, UDP_DATA = L4 + 8, TCP_OPTIONS = L4 + 20 };

static void build(struct pkt *p, bool tcp, bool syn)
{
	pkt_begin(p);
	pkt_ethernet(p, PKT_TYPE_IP4);
	pkt_ip4(p, &(struct pkt_ip4){.id = 77,
	                             .proto = tcp ? PKT_PROTO_TCP : PKT_PROTO_UDP});
	if (tcp)
		pkt_tcp(p, &(struct pkt_tcp){.sport = 2049,
		                             .dport = 700,
		                             .seq = 123456,
		                             .syn = syn,
		                             .ack = !syn,
		                             .mss = syn ? 1460 : 0,
		                             .timestamps = true});
	else
		pkt_udp(p, 2049, 700);
	pkt_fill(p, syn ? 0 : 100);
	pkt_end(p);
}

static bool print_of(struct point_print *m, const struct pkt *p, uint32_t caplen,
                     uint32_t bytes)
{
	struct packet packet;
	struct frame f = pkt_frame(p, LINK_ETHERNET, 1, 1);
	if (caplen)
		f.caplen = caplen;
	assert_int_equal(packet_decode(&f, &packet), PACKET_IP);
	return point_print_make(m, &packet, bytes);
}

/* A byte changed at `at`: is the print another, are the ends? */
static void changes(bool tcp, bool syn, size_t at, uint8_t by, bool print, bool ends)
{
	static struct pkt p;
	struct point_print was, is;
	build(&p, tcp, syn);
	assert_true(print_of(&was, &p, 0, POINT_PRINT_BYTES));
	p.bytes[at] ^= by;
	assert_true(print_of(&is, &p, 0, POINT_PRINT_BYTES));
	if ((was.key.other.print != is.key.other.print) != print ||
	    (was.key.other.ends != is.key.other.ends) != ends)
		fail_msg("byte %zu of %s%s", at, tcp ? "TCP" : "UDP",
		         syn ? " SYN" : "");
}

static void what_routers_change(void **state)
{
	(void)state;
	for (int tcp = 0; tcp < 2; tcp++) {
		changes(tcp, false, IP + 1, 0xb8, false, false); /* DSCP */
		changes(tcp, false, IP + 8, 3, false, false);    /* hop limit */
		changes(tcp, false, IP + 10, 9, false, false);   /* checksum */
		changes(tcp, false, L4 + (tcp ? 16 : 6), 9, false, false);
	}
	changes(true, true, TCP_OPTIONS + 3, 8, false, false); /* a lowered MSS */
	/* what segmentation moves: PSH, FIN */
	changes(true, false, L4 + 13, 0x08, false, false);
	changes(true, false, L4 + 13, 0x01, false, false);
}

static void what_translators_change(void **state)
{
	(void)state;
	for (int tcp = 0; tcp < 2; tcp++) {
		changes(tcp, false, IP + 15, 1, false, true); /* addresses */
		changes(tcp, false, IP + 19, 1, false, true);
		changes(tcp, false, L4 + 1, 1, false, true); /* ports */
		changes(tcp, false, L4 + 3, 1, false, true);
	}
}

static void what_tells_them_apart(void **state)
{
	(void)state;
	for (int tcp = 0; tcp < 2; tcp++)
		changes(tcp, false, IP + 5, 1, true, false); /* id */
	changes(false, false, UDP_DATA, 1, true, false);
	changes(false, false, UDP_DATA + POINT_PRINT_BYTES - 1, 1, true, false);
	changes(false, false, UDP_DATA + POINT_PRINT_BYTES, 1, false, false);
	changes(true, false, L4 + 7, 1, true, false);          /* sequence number */
	changes(true, false, L4 + 11, 1, true, false);         /* acknowledgement */
	changes(true, false, TCP_OPTIONS + 7, 1, true, false); /* time stamp */
	changes(true, false, L4 + 13, 0x04, true, false);      /* RST */
}

/* A print of what a short snap length leaves is that of the same bytes of a whole. */
static void snapped(void **state)
{
	static struct pkt p;
	struct point_print cut, whole;
	(void)state;
	build(&p, false, false);
	assert_true(print_of(&cut, &p, UDP_DATA + 10, POINT_PRINT_BYTES));
	assert_true(cut.snapped);
	assert_int_equal(cut.bytes, 10);
	assert_true(print_of(&whole, &p, 0, 10));
	assert_false(whole.snapped);
	assert_true(whole.key.other.print == cut.key.other.print);
	assert_int_equal(whole.len, 100);
	assert_true(cut.has_id && cut.strong);
	assert_false(print_of(&cut, &p, UDP_DATA - 1, POINT_PRINT_BYTES));
	build(&p, true, false);
	assert_false(print_of(&cut, &p, TCP_OPTIONS - 1, POINT_PRINT_BYTES));
}

/* The first fragment has the print of the whole; later ones have none. */
static void fragments(void **state)
{
	static struct pkt p, piece;
	struct point_print whole, first;
	(void)state;
	for (int tcp = 0; tcp < 2; tcp++) {
		build(&p, tcp, false);
		assert_true(print_of(&whole, &p, 0, POINT_PRINT_BYTES));
		assert_true(pkt_piece(&piece, &p, 100, 0, 0));
		assert_true(print_of(&first, &piece, 0, POINT_PRINT_BYTES));
		assert_memory_equal(&first.key, &whole.key, sizeof whole.key);
		assert_true(pkt_piece(&piece, &p, 100, 0, 1));
		assert_false(print_of(&first, &piece, 0, POINT_PRINT_BYTES));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_routers_change),
	        cmocka_unit_test(what_translators_change),
	        cmocka_unit_test(what_tells_them_apart),
	        cmocka_unit_test(snapped),
	        cmocka_unit_test(fragments),
	};
	return cmocka_run_group_tests_name("track/point_print", tests, NULL, NULL);
}
