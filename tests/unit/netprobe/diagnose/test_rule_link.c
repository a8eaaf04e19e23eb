#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct scene *on_atm(void **state)
{
	struct scene *s = *state;
	s->iface[0].addresses = "10.0.0.1/24";
	s->iface[0].mtu = 9180;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 8588, 8588, 32, 6};
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 15604, 8524, 32, 6};
	return s;
}

static void test_table_from_before_the_mtu_was_raised(void **state)
{
	struct scene *s = on_atm(state);
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 1444, 1444, 32, 1};
	scene_bulk(s, TO_CLIENT, 1, 60, 1444);
	scene_bulk(s, TO_SERVER, 1, 60, 1444);
	scene_expect(s, "D25");
	const struct finding *f = scene_find(s, FIND_STALE_TABLE);
	scene_has(f->text,
	          "10.0.0.1 announces packets of 1444, the size of MTU 1500, on an "
	          "interface of MTU 9180");
	scene_has(f->remedy, "restart");
}

static void test_table_from_before_the_mtu_was_lowered(void **state)
{
	struct scene *s = on_atm(state);
	s->iface[0].mtu = 1500;
	scene_bulk(s, TO_SERVER, 1, 60, 1440);
	scene_expect(s, "D25");
	scene_has(scene_find(s, FIND_STALE_TABLE)->text, "before the MTU was lowered");
}

static void test_big_link_unused_because_of_the_peer(void **state)
{
	struct scene *s = on_atm(state);
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 1444, 1444, 32, 1};
	scene_bulk(s, TO_CLIENT, 1, 60, 1444);
	scene_bulk(s, TO_SERVER, 1, 60, 1444);
	scene_expect(s, "D9");
	scene_has(scene_find(s, FIND_BIG_LINK_UNUSED)->text, "10.0.0.2 announces 1444");
}

static void test_peer_on_another_subnet_is_no_finding(void **state)
{
	struct scene *s = on_atm(state);
	s->client = "10.5.0.2";
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 1444, 1444, 32, 1};
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	scene_bulk(s, TO_CLIENT, 1, 60, 1444);
	scene_expect(s, "");
}

static void test_little_data_is_no_finding(void **state)
{
	struct scene *s = on_atm(state);
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 1444, 1444, 32, 1};
	scene_bulk(s, TO_CLIENT, 1, 10, 1000);
	scene_bulk(s, TO_SERVER, 1, 10, 1000);
	scene_expect(s, "");
}

/* 3000: no usual MTU's size, and no OpenAFS shape with these other words. */
static void test_size_beyond_the_link(void **state)
{
	struct scene *s = on_atm(state);
	s->iface[0].mtu = 1500;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 2000, 2000, 32, 1};
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	scene_bulk(s, TO_SERVER, 1, 10, 1444);
	scene_expect(s, "D12");
	scene_has(scene_find(s, FIND_SIZE_BEYOND_LINK)->remedy, "-rxmaxmtu 1472");
}

static void test_probe_grew_the_size(void **state)
{
	struct scene *s = *state;
	scene_bulk(s, TO_CLIENT, 1, 10, 1444);
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 5692, 1568, 32, 4};
	scene_bulk(s, TO_CLIENT, 11, 10, 1444);
	scene_expect(s, "D30");
	const struct finding *f = scene_find(s, FIND_PROBE_GREW);
	scene_has(f->text, "10.0.0.2 announces 1568 after 1444");
	scene_has(f->remedy, "-rxmaxmtu 1444");
	assert_int_equal(f->severity, FINDING_INFO);
}

/* The server may send as much: it is on a large link. */
static void test_probe_grew_the_size_beyond_what_holds(void **state)
{
	struct scene *s = *state;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 8588, 8588, 32, 6};
	scene_bulk(s, TO_SERVER, 1, 10, 1440);
	scene_bulk(s, TO_CLIENT, 1, 10, 1440);
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 5692, 1568, 32, 4};
	scene_bulk(s, TO_CLIENT, 11, 10, 1440);
	scene_expect(s, "D30");
	assert_int_equal(scene_find(s, FIND_PROBE_GREW)->severity, FINDING_WARNING);
}

static void test_both_small_is_the_peer_s_doing(void **state)
{
	struct scene *s = on_atm(state);
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 1444, 1444, 32, 1};
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	scene_bulk(s, TO_CLIENT, 1, 60, 1444);
	scene_bulk(s, TO_SERVER, 1, 60, 1444);
	scene_expect(s, "D9");
	assert_int_equal(scene_find(s, FIND_BIG_LINK_UNUSED)->severity, FINDING_INFO);
}

static void test_encrypted_on_a_big_link(void **state)
{
	struct scene *s = on_atm(state);
	s->security = 2;
	s->level = RX_LEVEL_CRYPT;
	scene_bulk(s, TO_CLIENT, 1, 60, 1436);
	scene_expect(s, "D27");
	const struct finding *f = scene_find(s, FIND_ENCRYPTED_SMALL);
	scene_has(f->text, "datagrams of 1436");
	/* the server sent no ack, so what it takes is not claimed */
	scene_has(f->text, "the end that tells what it takes allows jumbograms");
}

static void test_encrypted_and_both_ends_heard(void **state)
{
	struct scene *s = on_atm(state);
	s->security = 2;
	s->level = RX_LEVEL_CRYPT;
	scene_bulk(s, TO_CLIENT, 1, 60, 1436);
	scene_ack(s, TO_CLIENT, 1, 9, 0);
	scene_expect(s, "D27");
	scene_has(scene_find(s, FIND_ENCRYPTED_SMALL)->text,
	          "both ends take jumbograms");
}

static void test_encrypted_on_ethernet_is_no_finding(void **state)
{
	struct scene *s = *state;
	s->security = 2;
	s->level = RX_LEVEL_CRYPT;
	s->iface[0].mtu = 1500;
	scene_bulk(s, TO_CLIENT, 1, 60, 1436);
	scene_expect(s, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(test_table_from_before_the_mtu_was_raised),
	        SCENE_TEST(test_table_from_before_the_mtu_was_lowered),
	        SCENE_TEST(test_big_link_unused_because_of_the_peer),
	        SCENE_TEST(test_peer_on_another_subnet_is_no_finding),
	        SCENE_TEST(test_little_data_is_no_finding),
	        SCENE_TEST(test_size_beyond_the_link),
	        SCENE_TEST(test_probe_grew_the_size),
	        SCENE_TEST(test_probe_grew_the_size_beyond_what_holds),
	        SCENE_TEST(test_both_small_is_the_peer_s_doing),
	        SCENE_TEST(test_encrypted_on_a_big_link),
	        SCENE_TEST(test_encrypted_and_both_ends_heard),
	        SCENE_TEST(test_encrypted_on_ethernet_is_no_finding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
