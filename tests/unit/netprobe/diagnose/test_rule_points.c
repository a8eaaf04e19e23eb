#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void set_up_points(struct scene *s)
{
	s->ifaces = 2;
	s->iface[0].name = "client.pcapng:eth0";
	s->iface[1] = s->iface[0];
	s->iface[1].name = "server.pcapng:atm0";
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 9012, 9012, 32, 6};
}

/* A datagram from the server, captured at point 1 and, if it arrives, at point 0. */
static void pass(struct scene *s, uint32_t seq, uint32_t size, bool arrives,
                 uint32_t cut_mtu)
{
	uint32_t serial = s->serial[TO_CLIENT];
	s->at = 1;
	s->ttl = 64;
	scene_data(s, TO_CLIENT, seq, size);
	if (!arrives)
		return;
	s->at = 0;
	s->ttl = 63;
	s->serial[TO_CLIENT] = serial; /* the same datagram */
	s->cut_mtu = cut_mtu;
	scene_data(s, TO_CLIENT, seq, size);
	s->cut_mtu = 0;
}

static bool has_kind(const struct scene *s, enum finding_kind k)
{
	return s->found.of_kind[k] > 0;
}

static void test_loss_by_size(void **state)
{
	struct scene *s = *state;
	uint32_t seq = 1;
	set_up_points(s);
	for (; seq < 20; seq++)
		pass(s, seq, 1444, true, 0);
	for (; seq < 30; seq += 2)
		pass(s, seq, 2860, false, 0);
	for (; seq < 50; seq++)
		pass(s, seq, 1444, true, 0);
	scene_end(s);
	const struct finding *f = scene_find(s, FIND_LOSS_BETWEEN_POINTS);
	assert_int_equal(f->severity, FINDING_ERROR);
	assert_true(f->confidence > 0.9);
	assert_true(f->first_frame > 0);
	assert_false(has_kind(s, FIND_CUT_BETWEEN_POINTS));
	scene_has(f->text, "between server.pcapng:atm0 and client.pcapng:eth0");
	scene_has(f->text, "5 of 5 datagrams of UDP payload 2860 and more");
	scene_has(f->text, "from 10.0.0.1 to 10.0.0.2");
	scene_has(f->text, "of smaller ones 0 of ");
	scene_has(f->remedy, "-rxmaxmtu 1444");
}

static void test_loss_of_any_size(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	for (uint32_t seq = 1; seq < 60; seq += 2)
		pass(s, seq, seq % 3 ? 2860 : 1444, seq % 7 != 0, 0);
	scene_end(s);
	assert_false(has_kind(s, FIND_LOSS_BETWEEN_POINTS));
	assert_false(has_kind(s, FIND_CUT_BETWEEN_POINTS));
}

static void test_cut_between(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	for (uint32_t seq = 1; seq < 60; seq += 2)
		pass(s, seq, 2860, true, 1500);
	scene_end(s);
	const struct finding *f = scene_find(s, FIND_CUT_BETWEEN_POINTS);
	assert_int_equal(f->severity, FINDING_WARNING);
	assert_false(has_kind(s, FIND_LOSS_BETWEEN_POINTS));
	scene_has(f->text, "are cut into fragments of up to 1500 bytes, by the one "
	                   "router there");
	scene_has(f->remedy, "-rxmaxmtu 1472");
}

/* -rxmaxmtu alone does not end the jumbograms of a server with -jumbo. */
static void test_a_server_with_jumbo_is_told_so(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	for (uint32_t seq = 1; seq < 60; seq += 2)
		pass(s, seq, 2860, true, 1500);
	scene_ack(s, TO_CLIENT, 1, 1, 0);
	scene_end(s);
	scene_has(scene_find(s, FIND_CUT_BETWEEN_POINTS)->remedy, "-nojumbo");
}

/* A capture filter that passes first fragments only is no loss. */
static void test_hidden_fragments(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	for (uint32_t seq = 1; seq < 20; seq++)
		pass(s, seq, 1444, true, 0);
	s->drop_pieces = ~1u;
	for (uint32_t seq = 20; seq < 40; seq += 2)
		pass(s, seq, 2860, true, 1500);
	s->drop_pieces = 0;
	for (uint32_t seq = 40; seq < 60; seq++)
		pass(s, seq, 1444, true, 0);
	scene_end(s);
	assert_false(has_kind(s, FIND_LOSS_BETWEEN_POINTS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(test_loss_by_size),
	        SCENE_TEST(test_loss_of_any_size),
	        SCENE_TEST(test_cut_between),
	        SCENE_TEST(test_a_server_with_jumbo_is_told_so),
	        SCENE_TEST(test_hidden_fragments),
	};
	return cmocka_run_group_tests_name("diagnose/rule_points", tests, NULL, NULL);
}
