#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_local_fragmentation_of_jumbograms(void **state)
{
	struct scene *s = *state;
	s->cut_mtu = 1500;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	scene_bulk(s, TO_CLIENT, 1, 10, 5688);
	scene_expect(s, "D3");
	const struct finding *f = scene_find(s, FIND_LOCAL_FRAGMENTATION);
	scene_has(f->text, "10 of 10 DATA datagrams");
	scene_has(f->text, "the first of IP length 1500");
	scene_has(f->remedy, "-nojumbo");
	scene_has(f->remedy, "-rxmaxfrags 1");
}

static void test_single_packets_cut_by_a_small_link(void **state)
{
	struct scene *s = *state;
	s->cut_mtu = 1300;
	scene_bulk(s, TO_SERVER, 1, 10, 1444);
	scene_expect(s, "D3");
	scene_has(scene_find(s, FIND_LOCAL_FRAGMENTATION)->remedy, "-rxmaxmtu 1272");
}

/* A route of 1492 under an interface of 1500. */
static void test_fragmented_though_it_fits(void **state)
{
	struct scene *s = *state;
	s->cut_mtu = 1460;
	s->iface[0].mtu = 1500;
	s->iface[0].addresses = "10.0.0.1/24";
	scene_bulk(s, TO_CLIENT, 1, 10, 1444);
	scene_expect(s, "D3b");
	const struct finding *f = scene_find(s, FIND_FRAGMENTED_THOUGH_FITS);
	scene_has(f->text, "fit the interface's MTU 1500");
	scene_has(f->remedy, "ip route get 10.0.0.2");
}

static void test_path_fragmentation_by_a_tunnel(void **state)
{
	struct scene *s = *state;
	s->cut_mtu = 1476;
	s->df = false;
	s->ttl = 60;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	scene_bulk(s, TO_CLIENT, 1, 10, 5688);
	scene_ack(s, TO_CLIENT, 1, 9, 0);
	scene_expect(s, "D4 D31");
	/* pieces end on multiples of 8, so an MTU of 1480 cuts to 1476 too */
	const struct finding *f = scene_find(s, FIND_PATH_FRAGMENTATION);
	scene_has(f->text, "a link of MTU 1476 to 1483");
	/* -rxmaxmtu 1448 would change nothing: 4 x (1444 + 8) - 8 holds 4 packets */
	assert_string_equal(f->remedy,
	                    "take -jumbo away from the file server (-nojumbo)");
	f = scene_find(s, FIND_TUNNEL);
	scene_has(f->text, "GRE (1476)");
	scene_has(f->text, "IPIP (1480)");
}

/* What -rxmaxmtu can do, and where -jumbo undoes it. */
static void test_remedy_fits_the_server(void **state)
{
	(void)state;
	static const struct {
		uint32_t cut;
		struct rx_trailer server;
		const char *remedy;
	} rows[] = {
	        {1396, {4, 1444, 1444, 32, 1}, "-rxmaxmtu 1368 on the servers"},
	        {1396, {4, 5692, 1444, 32, 4}, "-rxmaxmtu 1368 on the servers"},
	        {1468,
	         {4, 5692, 1444, 32, 4},
	         "take -jumbo away from the file server (-nojumbo) and set -rxmaxmtu "
	         "1440"},
	        {1468, {4, 8588, 8588, 32, 6}, "-rxmaxmtu 1440 on the servers"},
	        {1500,
	         {4, 15604, 8524, 32, 6},
	         "take -jumbo away from the file server (-nojumbo) and set -rxmaxmtu "
	         "1472"},
	        {1468, {0}, "-rxmaxmtu 1440 on the servers (IP length 1468 - 28)"},
	        {540, {4, 1444, 1444, 32, 1}, "no option makes Rx packets that small"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		void *own;
		scene_set_up(&own);
		struct scene *s = own;
		s->cut_mtu = rows[i].cut;
		s->df = false;
		s->ttl = 60;
		s->trailer[TO_CLIENT] = rows[i].server;
		scene_bulk(s, TO_CLIENT, 1, 10,
		           rows[i].server.packets > 1 ? 2856 : 1444);
		if (rows[i].server.words)
			scene_ack(s, TO_CLIENT, 1, 9, 0);
		scene_end(s);
		scene_has(scene_find(s, FIND_PATH_FRAGMENTATION)->remedy,
		          rows[i].remedy);
		scene_tear_down(&own);
	}
}

/* The first fragments alone still tell jumbograms from single packets. */
static void test_jumbograms_with_hidden_pieces(void **state)
{
	struct scene *s = *state;
	s->cut_mtu = 1500;
	s->drop_pieces = ~1u;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	scene_bulk(s, TO_CLIENT, 1, 20, 5688);
	scene_expect(s, "D3 D33");
	scene_has(scene_find(s, FIND_LOCAL_FRAGMENTATION)->remedy, "-nojumbo");
}

static void test_some_fragments_lost(void **state)
{
	struct scene *s = *state;
	s->cut_mtu = 1500;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 20, 5688);
	for (int i = 0; i < 5; i++) {
		s->drop_pieces = 4;
		scene_data(s, TO_CLIENT, seq, 5688);
		s->drop_pieces = 0;
		s->ns += 300000000;
		seq = scene_bulk(s, TO_CLIENT, seq, 4, 1440);
	}
	scene_expect(s, "D5");
	scene_has(scene_find(s, FIND_FRAGMENTS_LOST)->text, "5 of 25 datagrams");
}

static void test_first_fragments_only(void **state)
{
	struct scene *s = *state;
	s->cut_mtu = 1500;
	s->drop_pieces = ~1u;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 5, 1440);
	for (int i = 0; i < 5; i++) {
		scene_data(s, TO_CLIENT, seq, 2856);
		s->ns += 300000000;
		seq = scene_bulk(s, TO_CLIENT, seq, 2, 1440);
	}
	scene_expect(s, "D6");
}

/* The same pieces missing, but the datagrams arrive: the filter hides them. */
static void test_capture_filter_hides_fragments(void **state)
{
	struct scene *s = *state;
	s->cut_mtu = 1500;
	s->drop_pieces = ~1u;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	scene_bulk(s, TO_CLIENT, 1, 10, 5688);
	scene_end(s);
	scene_has(scene_find(s, FIND_FRAGMENTS_HIDDEN)->text,
	          "only the first fragment of 10 datagrams");
	assert_null(findings_find(&s->found, FIND_FIRST_FRAGMENTS_ONLY, 0, NULL, NULL));
}

static void test_fragments_blocked_behind_this_point(void **state)
{
	struct scene *s = *state;
	s->cut_mtu = 1500;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 5, 1440);
	for (int i = 0; i < 5; i++) {
		scene_data(s, TO_CLIENT, seq, 2856);
		s->ns += 300000000;
		seq = scene_bulk(s, TO_CLIENT, seq, 2, 1440);
	}
	scene_expect(s, "D6b");
	scene_has(scene_find(s, FIND_FRAGMENTS_BLOCKED)->text,
	          "do not get through behind this point");
}

/* Captured at the client: they are there, and nobody takes them. */
static void test_fragments_blocked_in_the_receiver(void **state)
{
	struct scene *s = *state;
	s->cut_mtu = 1500;
	s->iface[0].addresses = "10.0.0.2/24";
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 5, 1440);
	for (int i = 0; i < 5; i++) {
		scene_data(s, TO_CLIENT, seq, 2856);
		s->ns += 300000000;
		seq = scene_bulk(s, TO_CLIENT, seq, 2, 1440);
	}
	scene_expect(s, "D6b");
	scene_has(scene_find(s, FIND_FRAGMENTS_BLOCKED)->text,
	          "receiver's own stack or firewall");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(test_local_fragmentation_of_jumbograms),
	        SCENE_TEST(test_single_packets_cut_by_a_small_link),
	        SCENE_TEST(test_fragmented_though_it_fits),
	        SCENE_TEST(test_path_fragmentation_by_a_tunnel),
	        cmocka_unit_test(test_remedy_fits_the_server),
	        SCENE_TEST(test_jumbograms_with_hidden_pieces),
	        SCENE_TEST(test_some_fragments_lost),
	        SCENE_TEST(test_first_fragments_only),
	        SCENE_TEST(test_capture_filter_hides_fragments),
	        SCENE_TEST(test_fragments_blocked_behind_this_point),
	        SCENE_TEST(test_fragments_blocked_in_the_receiver),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
