#include "netprobe/expect/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct rx_trailer server_1500 = {4, 1444, 1444, 32, 1};
static const struct rx_trailer server_9180 = {4, 8588, 8588, 32, 6};
static const struct rx_trailer jumbo_1500 = {4, 5692, 1444, 32, 4};
static const struct rx_trailer client_1500 = {4, 5692, 1444, 32, 4};
static const struct rx_trailer client_9180 = {4, 15604, 8524, 32, 6};
static const struct rx_trailer frags1_1500 = {4, 1444, 1444, 32, 1};
static const struct rx_trailer kafs_old = {4, 5692, 1444, 255, 4};
static const struct rx_trailer kafs_new = {4, 1444, 1444, 255, 0};
static const struct rx_trailer vpn = {4, 1260, 1260, 32, 1};
static const struct rx_trailer afs34 = {3, 5692, 1444, 15, 0};
static const struct rx_trailer afs34_ethernet = {3, 1472, 1472, 16, 0};
static const struct rx_trailer absurd = {4, 0, 7, 32, 1};

struct row {
	const char *what;
	struct explain_input in;
	enum explain_reason reason;
	uint32_t packets, udp, pieces; /* the size in force */
	const char *text;
};

#define DOWN .from_server = true
#define MANY .datagrams = 300

static const struct row rows[] = {
        {"default server, 1500",
         {DOWN, &server_1500, &client_1500, .largest = 1444, .dominant = 1444,
          .packets = 1, MANY, .pieces = 1},
         EXPLAIN_PACKET,
         1,
         1444,
         1,
         "Rx 1444: both interfaces are 1500 - 56; the server announces 1 packet a "
         "jumbogram "
         "(default, -nojumbo)"},
        {"the other way, link known",
         {.sender = &client_1500,
          .receiver = &server_1500,
          .sender_mtu = 1500,
          .receiver_mtu = 1500,
          .largest = 1444,
          .packets = 1,
          MANY},
         EXPLAIN_PACKET,
         1,
         1444,
         1,
         "Rx 1444: both interfaces are 1500 - 56; the server announces 1 packet a "
         "jumbogram "
         "(default, -nojumbo)"},
        {"default server, 9180, link known",
         {DOWN, &server_9180, &client_9180, .sender_mtu = 9180, .largest = 8520,
          .dominant = 8520, .packets = 6, MANY},
         EXPLAIN_JUMBO,
         6,
         8520,
         1,
         "Rx 8520 (6 packets a jumbogram): the server's interface allows 8588 (MTU "
         "9180 - 56, "
         "capped at 8588) and the client takes up to 15604 with 6 packets"},
        {"client to server, link not known",
         {.sender = &client_9180,
          .receiver = &server_9180,
          .largest = 8520,
          .packets = 6,
          MANY,
          .pieces = 1},
         EXPLAIN_JUMBO,
         6,
         8520,
         1,
         "Rx 8520 (6 packets a jumbogram): the client's interface allows 8524 (MTU "
         "8580 or "
         "more) and the server takes up to 8588 with 6 packets"},
        {"-jumbo, 1500",
         {DOWN, &jumbo_1500, &client_1500, .largest = 5688, .dominant = 5688,
          .packets = 4, MANY, .pieces = 4, .piece_len = 1500},
         EXPLAIN_FRAGMENTS,
         4,
         5688,
         4,
         "5688 = 4 packets in 4 fragments on MTU 1500: server runs with -jumbo; set "
         "-nojumbo "
         "(or client -rxmaxfrags 1) to end it"},
        {"-jumbo, write, fragments worked out",
         {.sender = &client_1500,
          .receiver = &jumbo_1500,
          .sender_mtu = 1500,
          .largest = 5688,
          .packets = 4,
          MANY},
         EXPLAIN_FRAGMENTS,
         4,
         5688,
         4,
         "5688 = 4 packets in 4 fragments on MTU 1500: server runs with -jumbo; set "
         "-nojumbo "
         "(or client -rxmaxfrags 1) to end it"},
        {"mixed MTU, write",
         {.sender = &client_1500,
          .receiver = &server_9180,
          .largest = 5688,
          .packets = 4,
          MANY,
          .pieces = 4,
          .piece_len = 1500},
         EXPLAIN_FRAGMENTS,
         4,
         5688,
         4,
         "5688 = 4 packets in 4 fragments on MTU 1500: the client cuts datagrams into "
         "4 "
         "fragments by default and the server, its own MTU being larger, takes them; "
         "set "
         "client -rxmaxfrags 1 to end it"},
        {"mixed MTU, read",
         {DOWN, &server_9180, &client_1500, .sender_mtu = 9180, .largest = 2856,
          .dominant = 1440, .packets = 2, MANY, .pieces = 1},
         EXPLAIN_NOT_REACHED,
         2,
         2856,
         1,
         "Rx 2856 (2 packets a datagram) although 5688 (4 packets) is allowed: "
         "datagrams grow "
         "only while nothing is lost; the server's interface allows 8588 (MTU 9180 - "
         "56, "
         "capped at 8588) but the client's only 1444: on one network of unequal MTUs "
         "larger "
         "datagrams vanish without a word; most data went in datagrams of 1440"},
        {"cut by a router",
         {DOWN, &server_9180, &client_9180, .sender_mtu = 9180, .largest = 8520,
          .packets = 6, MANY, .pieces = 6, .piece_len = 1500},
         EXPLAIN_FRAGMENTS,
         6,
         8520,
         6,
         NULL},
        {"client -rxmaxfrags 1",
         {DOWN, &jumbo_1500, &frags1_1500, .largest = 1444, .packets = 1, MANY},
         EXPLAIN_PACKET,
         1,
         1444,
         0,
         "Rx 1444: both interfaces are 1500 - 56; the client announces 1 packet a "
         "jumbogram "
         "(-rxmaxfrags 1)"},
        {"-rxmaxmtu 1444 on 9180",
         {DOWN, &server_1500, &client_9180, .sender_mtu = 9180, .largest = 1444,
          .packets = 1, MANY},
         EXPLAIN_PACKET,
         1,
         1444,
         1,
         "Rx 1444: the server's interface allows 1444 although its link has MTU 9180 "
         "(peer on "
         "another subnet, -rxmaxmtu, or an interface table older than the MTU), the "
         "client's "
         "interface allows 8524 (MTU 8580 or more); the server announces 1 packet a "
         "jumbogram "
         "(default, -nojumbo)"},
        {"vos dump -encrypt on 9180",
         {DOWN, &server_9180, &client_1500, .largest = 1436, .dominant = 1436,
          .packets = 1, MANY, .security = 2},
         EXPLAIN_ENCRYPTED,
         1,
         1436,
         0,
         "Rx 1436: rxkad protects the packets (encrypted or authenticated), and such "
         "packets "
         "are never joined into jumbograms, so the 4 packets a datagram (5688) that "
         "both sides "
         "allow stay unused"},
        {"encrypted on 1500",
         {DOWN, &server_1500, &client_1500, .largest = 1436, .packets = 1, MANY,
          .security = 2},
         EXPLAIN_ENCRYPTED,
         1,
         1436,
         0,
         "Rx 1436: rxkad protects the packets (encrypted), which leaves this of "
         "packets of "
         "1444"},
        {"vos dump in the clear",
         {DOWN, &server_9180, &client_1500, .largest = 5688, .packets = 4, MANY,
          .pieces = 1, .security = 2},
         EXPLAIN_JUMBO,
         4,
         5688,
         1,
         NULL},
        {"read, the server sent no ack, 1500",
         {DOWN, NULL, &client_1500, .largest = 1444, .dominant = 1444, .packets = 1,
          MANY, .pieces = 1},
         EXPLAIN_PACKET,
         1,
         1444,
         1,
         "Rx 1444: the client takes 4 packets a jumbogram, but the server fills "
         "packets to 1444 "
         "instead of 1440, so its own limit is 1 (default, -nojumbo)"},
        {"read, -rxmaxmtu 1444 on 9180, no ack of the server",
         {DOWN, NULL, &client_9180, .sender_mtu = 9180, .largest = 1444, .packets = 1,
          MANY},
         EXPLAIN_PACKET,
         1,
         1444,
         1,
         "Rx 1444: the client takes 6 packets a jumbogram, but the server fills "
         "packets to 1444 "
         "instead of 1440, so its own limit is 1 (-rxmaxmtu, a peer on another subnet, "
         "or an "
         "old interface table)"},
        {"the same, MTU of the server not known",
         {DOWN, NULL, &client_9180, .largest = 1444, .packets = 1, MANY},
         EXPLAIN_PACKET,
         1,
         1444,
         0,
         "Rx 1444: the client takes 6 packets a jumbogram, but the server fills "
         "packets to 1444 "
         "instead of 1440, so its own limit is 1 (its interface is smaller, or "
         "-rxmaxmtu)"},
        {"read, 9180, no ack of the server",
         {DOWN, NULL, &client_9180, .largest = 8520, .packets = 6, MANY, .pieces = 1},
         EXPLAIN_JUMBO,
         6,
         8520,
         1,
         "Rx 8520 (6 packets a jumbogram): the client takes up to 15604 with 6 "
         "packets; the "
         "server, which sent no ack to tell its size, sends as many"},
        {"read, -jumbo, no ack of the server",
         {DOWN, NULL, &client_1500, .largest = 5688, .packets = 4, MANY, .pieces = 4,
          .piece_len = 1500},
         EXPLAIN_FRAGMENTS,
         4,
         5688,
         4,
         "5688 = 4 packets in 4 fragments on MTU 1500: server runs with -jumbo; set "
         "-nojumbo "
         "(or client -rxmaxfrags 1) to end it"},
        {"mixed MTU, read, no ack of the server",
         {DOWN, NULL, &client_1500, .largest = 2856, .dominant = 1440, .packets = 2,
          MANY, .pieces = 1},
         EXPLAIN_NOT_REACHED,
         2,
         2856,
         1,
         "Rx 2856 (2 packets a datagram) although 5688 (4 packets) is allowed: "
         "datagrams grow "
         "only while nothing is lost; they leave whole although the client's interface "
         "allows "
         "1444: if its MTU is 1500 and the network one, larger datagrams vanish "
         "without a "
         "word; most data went in datagrams of 1440"},
        {"read, the client takes one packet, no ack of the server",
         {DOWN, NULL, &frags1_1500, .largest = 1444, .packets = 1, MANY},
         EXPLAIN_PACKET,
         1,
         1444,
         0,
         NULL},
        {"read in the crypt, no ack of the server",
         {DOWN, NULL, &client_1500, .largest = 1436, .packets = 1, MANY, .security = 2},
         EXPLAIN_ENCRYPTED,
         1,
         1436,
         0,
         "Rx 1436: rxkad protects the packets (encrypted or authenticated), and such "
         "packets "
         "are never joined into jumbograms, so the 4 packets a datagram (5688) that "
         "the client "
         "allows stay unused"},
        {"requests, no ack of the server",
         {.sender = &client_1500, .largest = 60, .packets = 1, MANY},
         EXPLAIN_FEW_DATA,
         1,
         60,
         0,
         "at most 60 bytes a datagram: too little was sent to tell the size"},
        {"small requests only",
         {.sender = &client_9180,
          .receiver = &server_9180,
          .largest = 60,
          .packets = 1,
          MANY},
         EXPLAIN_FEW_DATA,
         6,
         8520,
         0,
         "at most 60 bytes a datagram: too little was sent to tell the size; both "
         "sides allow Rx 8520 (6 packets a datagram)"},
        {"a small reply, no ack of the server",
         {DOWN, NULL, &client_1500, .largest = 1076, .packets = 1, .datagrams = 1},
         EXPLAIN_FEW_DATA,
         4,
         5688,
         0,
         "at most 1076 bytes a datagram: too little was sent to tell the size; the "
         "client takes Rx 5688 (4 packets a datagram)"},
        {"a server of 1999, no ack of it",
         {DOWN, NULL, &client_1500, .largest = 1472, .dominant = 1472, .packets = 1,
          MANY},
         EXPLAIN_PACKET,
         1,
         1472,
         0,
         "Rx 1472: the client takes 4 packets a jumbogram, but the server fills "
         "packets to 1472 instead of 1440, so its own limit is 1 (AFS 3.4a or older)"},
        {"rxkad auth on 1500",
         {DOWN, &server_1500, &client_1500, .largest = 1440, .packets = 1, MANY,
          .security = 2, .level = RX_LEVEL_AUTH},
         EXPLAIN_ENCRYPTED,
         1,
         1440,
         0,
         "Rx 1440: rxkad protects the packets (authenticated), which leaves this of "
         "packets of 1444"},
        {"rxkad clear, told to another client",
         {DOWN, &server_9180, &client_9180, .largest = 8520, .packets = 6, MANY,
          .security = 2, .level = RX_LEVEL_CLEAR, .sender_elsewhere = true},
         EXPLAIN_JUMBO,
         6,
         8520,
         0,
         "Rx 8520 (6 packets a jumbogram): the server's interface allows 8588 (MTU "
         "8644 or more) and the client takes up to 15604 with 6 packets; the server "
         "announced its size to another client"},
        {"one full packet where jumbograms are allowed",
         {DOWN, &server_9180, &client_9180, .largest = 1440, .packets = 1,
          .datagrams = 5},
         EXPLAIN_FEW_DATA,
         6,
         8520,
         0,
         NULL},
        {"acks not seen",
         {DOWN, &server_9180, NULL, .largest = 8520, .packets = 6, MANY},
         EXPLAIN_NO_TRAILER,
         6,
         8520,
         0,
         "Rx 8520 (6 packets a datagram): no ack of the client was seen, so what it "
         "takes is "
         "not known"},
        {"VPN",
         {DOWN, &vpn, &client_1500, .largest = 1260, .packets = 1, MANY},
         EXPLAIN_SMALL,
         1,
         1260,
         0,
         "Rx 1260: the server announces 1260 (an interface MTU of 1316, or -rxmaxmtu "
         "1260)"},
        {"jumbograms though refused",
         {DOWN, &jumbo_1500, &frags1_1500, .largest = 5688, .packets = 4, MANY},
         EXPLAIN_REFUSED,
         4,
         5688,
         0,
         NULL},
        {"AFS 3.4a",
         {DOWN, &afs34, &afs34, .largest = 5692, .packets = 1, MANY, .pieces = 4},
         EXPLAIN_LARGE_PACKET,
         1,
         5692,
         4,
         "Rx 5692 in one packet without jumbograms (AFS 3.4a style): the client takes "
         "up to "
         "5692; it leaves in 4 fragments"},
        {"a server of 1999 on Ethernet",
         {DOWN, &afs34_ethernet, &client_1500, .largest = 1472, .dominant = 1444,
          .packets = 1, MANY},
         EXPLAIN_PACKET,
         1,
         1472,
         0,
         "Rx 1472: the server's interface allows 1472 (MTU 1500), the client's "
         "interface allows "
         "1444 (MTU 1500); the server tells no packets a jumbogram (AFS 3.4a or "
         "older); most "
         "data went in datagrams of 1444"},
        {"kAFS stores to a default server",
         {.sender = &kafs_old,
          .receiver = &server_9180,
          .largest = 1440,
          .packets = 1,
          MANY},
         EXPLAIN_KAFS,
         1,
         1440,
         0,
         "Rx 1440: the client is kAFS, which puts at most 1412 bytes of data in a "
         "packet"},
        {"server to a new kAFS",
         {DOWN, &server_1500, &kafs_new, .largest = 1444, .packets = 1, MANY},
         EXPLAIN_PACKET,
         1,
         1444,
         0,
         NULL},
        {"absurd trailer",
         {DOWN, &server_1500, &absurd, .largest = 1444, .packets = 1, MANY},
         EXPLAIN_ABSURD,
         1,
         1444,
         0,
         NULL},
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		struct explanation x;
		char text[400];
		expect_explain(&r->in, &x);
		explain_text(&r->in, &x, text, sizeof text);
		print_message("%s\n    %s: %s\n", r->what, explain_reason_id(x.reason),
		              text);
		assert_int_equal(x.reason, r->reason);
		assert_int_equal(x.size.packets, r->packets);
		assert_int_equal(x.size.udp_payload, r->udp);
		assert_int_equal(x.size.ip_len, r->udp + 28);
		assert_int_equal(x.pieces, r->pieces);
		if (r->text)
			assert_string_equal(text, r->text);
		assert_in_range(strlen(text), 10, sizeof text - 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
