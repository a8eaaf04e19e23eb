/* Nothing at all passes between two capture points. */
#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Point 0 is the client's, point 1 the server's. */
static void set_up_points(struct scene *s)
{
	s->ifaces = 2;
	s->iface[0].name = "client.pcapng:eth0";
	s->iface[1] = s->iface[0];
	s->iface[1].name = "server.pcapng:atm0";
	s->iface[1].file = 1;
	assert_int_equal(track_keep_points(s->track), 0);
}

static bool found(const struct scene *s)
{
	return s->found.of_kind[FIND_LOSS_BETWEEN_POINTS] > 0;
}

static void at_point(struct scene *s, uint32_t at, uint8_t ttl)
{
	s->at = at;
	s->ttl = ttl;
}

/* A request that passes both points, and its reply that passes the server's. */
static void request_and_lost_reply(struct scene *s, uint32_t call)
{
	const uint32_t serial = s->serial[TO_SERVER];
	s->call = call;
	at_point(s, 0, 64);
	scene_data(s, TO_SERVER, 1, 60);
	s->serial[TO_SERVER] = serial;
	at_point(s, 1, 63);
	scene_data(s, TO_SERVER, 1, 60);
	at_point(s, 1, 64);
	scene_data(s, TO_CLIENT, 1, 200);
}

static void one_direction(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	/* asked and answered again and again: a client without a reply begins no other
	 * call; the last ones are at the edge of the capture */
	for (int i = 0; i < 7; i++)
		request_and_lost_reply(s, 1);
	scene_end(s);
	const struct finding *f = scene_find(s, FIND_LOSS_BETWEEN_POINTS);
	assert_int_equal(f->severity, FINDING_ERROR);
	assert_true(f->confidence > 0.8);
	assert_true(f->first_frame > 0);
	scene_has(f->text, "between server.pcapng:atm0 and client.pcapng:eth0 all ");
	scene_has(f->text,
	          " datagrams from 10.0.0.1 to 10.0.0.2 are lost (UDP payload 200)");
	scene_has(f->text, "what 10.0.0.2 sends arrives");
	scene_has(f->remedy, "stops 10.0.0.1 to 10.0.0.2 whatever its size");
}

/* The client acknowledges what its own capture does not show: it came by another
 * interface. */
static void acknowledged_all_the_same(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	for (uint32_t call = 1; call <= 7; call++) {
		request_and_lost_reply(s, call);
		const uint32_t serial = s->serial[TO_SERVER];
		at_point(s, 0, 64);
		scene_ack(s, TO_SERVER, 2, 9, s->serial[TO_CLIENT]);
		s->serial[TO_SERVER] = serial;
		at_point(s, 1, 63);
		scene_ack(s, TO_SERVER, 2, 9, s->serial[TO_CLIENT]);
	}
	scene_end(s);
	assert_false(found(s));
}

/* ---- both directions ------------------------------------------------------ */

/* The client asks n times; the server's point captures another client meanwhile. */
static void ask_in_vain(struct scene *s, uint32_t n)
{
	s->iface[0].addresses = "10.0.0.2/24";
	s->iface[1].addresses = "10.9.0.1/24,10.0.0.1/24";
	at_point(s, 0, 64);
	for (uint32_t i = 0; i < n; i++) {
		s->call = i + 1;
		scene_data(s, TO_SERVER, 1, 100 + i);
	}
}

static void captured(struct scene *s, int64_t from, int64_t until)
{
	s->iface[1].from_ns = from;
	s->iface[1].until_ns = until;
}

static void both_directions(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	const int64_t from = s->ns;
	ask_in_vain(s, 5);
	captured(s, from, s->ns + 1);
	scene_end(s);
	const struct finding *f = scene_find(s, FIND_LOSS_BETWEEN_POINTS);
	scene_has(f->text, "between client.pcapng:eth0 and server.pcapng:atm0 nothing "
	                   "passes: all 5 datagrams from 10.0.0.2 to 10.0.0.1 are lost "
	                   "(UDP payload 100 to 104), and nothing comes back");
	scene_has(f->doubt, "only the clocks");
	assert_int_equal(f->severity, FINDING_ERROR);
}

/* The other end sends, too, and nothing of that comes. */
static void both_talk_in_vain(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	const int64_t from = s->ns;
	ask_in_vain(s, 5);
	at_point(s, 1, 64);
	for (uint32_t i = 0; i < 4; i++)
		scene_data(s, TO_CLIENT, 1, 60);
	captured(s, from, s->ns + 1);
	s->iface[0].from_ns = from;
	s->iface[0].until_ns = s->ns + 1;
	scene_end(s);
	assert_int_equal(s->found.of_kind[FIND_LOSS_BETWEEN_POINTS], 2);
}

/* A server asked at one address answers from the other, and none of that comes. */
static void answers_from_another_address(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	const int64_t from = s->ns;
	s->iface[0].addresses = "10.0.0.2/24";
	s->iface[1].addresses = "10.9.0.1/24,10.0.0.1/24";
	for (int i = 0; i < 7; i++) {
		const uint32_t serial = s->serial[TO_SERVER];
		s->server = "10.9.0.1";
		at_point(s, 0, 64);
		scene_data(s, TO_SERVER, 1, 60);
		s->serial[TO_SERVER] = serial;
		at_point(s, 1, 64);
		scene_data(s, TO_SERVER, 1, 60);
		s->server = "10.0.0.1";
		scene_data(s, TO_CLIENT, 1, 200);
	}
	s->iface[0].from_ns = from;
	s->iface[0].until_ns = s->ns + 1;
	captured(s, from, s->ns + 1);
	scene_end(s);
	assert_int_equal(s->found.of_kind[FIND_LOSS_BETWEEN_POINTS], 1);
	const struct finding *f = scene_find(s, FIND_LOSS_BETWEEN_POINTS);
	scene_has(f->text, "between server.pcapng:atm0 and client.pcapng:eth0 all 7 "
	                   "datagrams from 10.0.0.1 to 10.0.0.2 are lost");
	scene_has(f->text, "what the host of 10.0.0.2 sends arrives");
}

static void too_few(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	const int64_t from = s->ns;
	ask_in_vain(s, 2);
	captured(s, from, s->ns + 1);
	scene_end(s);
	assert_false(found(s));
}

static void the_other_point_did_not_capture_then(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	ask_in_vain(s, 5);
	captured(s, s->ns, s->ns + 1);
	scene_end(s);
	assert_false(found(s));
}

static void addresses_not_told(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	const int64_t from = s->ns;
	ask_in_vain(s, 5);
	captured(s, from, s->ns + 1);
	s->iface[1].addresses = "";
	scene_end(s);
	assert_false(found(s));
}

/* An answer shows that the request arrived, by whatever way. */
static void something_comes_back(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	const int64_t from = s->ns;
	ask_in_vain(s, 5);
	scene_data(s, TO_CLIENT, 1, 60);
	captured(s, from, s->ns + 1);
	scene_end(s);
	assert_false(found(s));
}

/* The server's other interface was not captured, or the client has not this address:
 * nothing says that the points lie on the way. */
static void the_sender_is_another_host(void **state)
{
	struct scene *s = *state;
	set_up_points(s);
	const int64_t from = s->ns;
	ask_in_vain(s, 5);
	captured(s, from, s->ns + 1);
	s->iface[0].addresses = "10.0.0.77/24";
	scene_end(s);
	assert_false(found(s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(one_direction),
	        SCENE_TEST(acknowledged_all_the_same),
	        SCENE_TEST(both_directions),
	        SCENE_TEST(both_talk_in_vain),
	        SCENE_TEST(answers_from_another_address),
	        SCENE_TEST(too_few),
	        SCENE_TEST(the_other_point_did_not_capture_then),
	        SCENE_TEST(addresses_not_told),
	        SCENE_TEST(something_comes_back),
	        SCENE_TEST(the_sender_is_another_host),
	};
	return cmocka_run_group_tests_name("diagnose/rule_severed", tests, NULL, NULL);
}
