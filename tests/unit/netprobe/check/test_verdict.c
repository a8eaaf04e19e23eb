/* Rows as a host and a network would give them, and what is said of them. */
#include "netprobe/check/row.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct addr ip(const char *text)
{
	struct addr a;
	assert_true(addr_parse(text, &a));
	return a;
}

/* A client on 10.77.2.12/24 and a default server on the same link, probed. */
static struct row healthy(uint32_t mtu)
{
	struct row r = {.peer = {.addr = ip("10.77.2.1"), .port = 7000},
	                .route.kind = HOST_ROUTE_UNICAST,
	                .has_iface = true,
	                .iface = {.name = "at0", .up = true, .mtu = mtu},
	                .mtu = mtu,
	                .probed = true,
	                .path = {.end = PATH_FOUND, .passes = mtu, .sent = 2},
	                .program = EXPECT_CLIENT};
	struct expect_iface f = {ip("10.77.2.12"), 24, mtu};
	struct expect_host h = {{.program = EXPECT_CLIENT}, &f, 1};
	struct expect_case c = {.host = &h, .peer = r.peer.addr};
	expect_choose(&c, &r.expect);
	r.trailer = expect_likely_peer(&c, &r.expect);
	c.trailer = &r.trailer;
	expect_choose(&c, &r.expect);
	r.has_expect = true;
	return r;
}

static void is(struct row *r, enum verdict v, const char *said)
{
	row_judge(r);
	assert_string_equal(verdict_id(r->verdict), verdict_id(v));
	bool found = !said;
	for (size_t i = 0; i < r->findings; i++)
		found |= said && strstr(r->finding[i].text, said);
	if (!found)
		fail_msg("'%s' not in '%s'", said,
		         r->findings ? r->finding[0].text : "");
}

static void test_healthy(void **state)
{
	(void)state;
	static const uint32_t mtu[] = {1280, 1492, 1500, 4352, 9000, 9180, 65520};
	for (size_t i = 0; i < sizeof mtu / sizeof *mtu; i++) {
		struct row r = healthy(mtu[i]);
		is(&r, VERDICT_OK, NULL);
		assert_int_equal(r.findings, 0);
		r.probed = false;
		is(&r, VERDICT_OK, NULL);
	}
	struct row self = healthy(1500);
	self.route.kind = HOST_ROUTE_LOCAL;
	is(&self, VERDICT_LOCAL, NULL);
	assert_int_equal(verdict_gravity(self.verdict), GRAVITY_OK);
}

static void path(struct row *r, uint32_t passes, bool silent)
{
	r->path.passes = passes;
	r->path.fails = passes + 1;
	r->path.silent_loss = silent;
	r->path.icmp = !silent;
	r->path.icmp_mtu = silent ? 0 : passes;
	r->path.has_from = !silent;
	r->path.from = ip("10.77.2.254");
}

static void test_sizes(void **state)
{
	(void)state;
	struct row r = healthy(9180);
	path(&r, 8547, true); /* one byte less than six packets want */
	is(&r, VERDICT_BLACK_HOLE, "mtu 8547");
	path(&r, 8548, true); /* they just fit */
	is(&r, VERDICT_PATH_SMALLER, "8548");
	assert_int_equal(verdict_gravity(r.verdict), GRAVITY_NOTE);
	path(&r, 1500, false);
	is(&r, VERDICT_TOO_LARGE, "10.77.2.254");
	is(&r, VERDICT_TOO_LARGE, "-rxmaxfrags 1 -rxmaxmtu 1472");
	r.program = EXPECT_SERVER;
	is(&r, VERDICT_TOO_LARGE, "or -rxmaxmtu 1472");
	/* a tunnel that OpenAFS's margin of 28 bytes gets through */
	r = healthy(1500);
	path(&r, 1476, true);
	is(&r, VERDICT_PATH_SMALLER, "1472");
	path(&r, 1471, true);
	is(&r, VERDICT_BLACK_HOLE, "1471");
	/* a route whose MTU was set to what gets through: all is well */
	r = healthy(9180);
	path(&r, 1500, true);
	r.mtu = r.route.mtu = 1500;
	is(&r, VERDICT_OK, NULL);
}

static void test_learned(void **state)
{
	(void)state;
	struct row r = healthy(9180);
	r.probed = false;
	r.route.path_mtu = 1500;
	is(&r, VERDICT_TOO_LARGE, "told this host that 1500");
	r.route.path_mtu = 9000;
	is(&r, VERDICT_PATH_SMALLER, "9000");
	r.probed = true; /* what was measured counts more */
	is(&r, VERDICT_OK, NULL);
}

static void test_ends(void **state)
{
	(void)state;
	static const struct {
		enum path_end end;
		enum verdict verdict;
		const char *said;
	} rows[] = {
	        {PATH_SILENT, VERDICT_SILENT, "none of 5"},
	        {PATH_UNREACHABLE, VERDICT_UNREACHABLE, "No route to host"},
	        {PATH_REFUSED, VERDICT_REFUSED, "port 7000"},
	        {PATH_GONE, VERDICT_GONE, "at0"},
	        {PATH_FORBIDDEN, VERDICT_FORBIDDEN, "firewall"},
	        {PATH_FELL_SILENT, VERDICT_FELL_SILENT, "no more"},
	        {PATH_NOT_EXACT, VERDICT_NOT_EXACT, "between 0 and 9180"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct row r = healthy(9180);
		r.path = (struct path_result){
		        .end = rows[i].end, .sent = 5, .sys = EHOSTUNREACH};
		is(&r, rows[i].verdict, rows[i].said);
		assert_int_equal(r.findings, 1);
	}
}

static void test_route(void **state)
{
	(void)state;
	struct row r = healthy(1500);
	r.route.kind = HOST_ROUTE_NONE;
	r.probed = false;
	is(&r, VERDICT_NO_ROUTE, "no route");
	r = healthy(1500);
	r.iface.up = false;
	r.probed = false;
	is(&r, VERDICT_LINK_DOWN, "at0 is down");
	r = healthy(1500);
	r.has_other = true;
	r.other = ip("10.77.1.1");
	is(&r, VERDICT_ASKED_OTHER, "10.77.1.1");
}

static void test_wanted(void **state)
{
	(void)state;
	struct row r = healthy(9180);
	struct expectation w = {.mtu = 9180, .path = 9180, .rx = 8520, .line = 3};
	r.wanted = &w;
	is(&r, VERDICT_OK, NULL);
	w.mtu = 9000;
	is(&r, VERDICT_MTU_DIFFERS, "line 3");
	w = (struct expectation){.path = 9181, .line = 4};
	is(&r, VERDICT_PATH_DIFFERS, "get through");
	r.probed = false;
	is(&r, VERDICT_PATH_DIFFERS, "kernel");
	w = (struct expectation){.rx = 1444, .line = 5};
	is(&r, VERDICT_RX_DIFFERS, "8520");
}

static void test_seen(void **state)
{
	(void)state;
	struct row r = healthy(9180);
	struct seen s = {.way[SEEN_SENT].datagrams = 5000,
	                 .way[SEEN_SENT].largest = 8520,
	                 .has_own = true,
	                 .own = {4, 15604, 8524, 32, 6}};
	r.seen = &s;
	is(&r, VERDICT_OK, NULL);
	s.way[SEEN_SENT].largest = 1436; /* encrypted */
	is(&r, VERDICT_OK, NULL);
	s.way[SEEN_SENT].largest = 900;
	is(&r, VERDICT_OBSERVED_SMALLER, "5000");
	s.way[SEEN_SENT].datagrams = 5; /* few small calls tell nothing */
	is(&r, VERDICT_OK, NULL);
	s.way[SEEN_SENT].largest = 8588;
	is(&r, VERDICT_OBSERVED_LARGER, "8588");
	s.way[SEEN_SENT].largest = 1440;
	s.own = (struct rx_trailer){4, 8588, 8588, 32, 6}; /* a server's, same link */
	is(&r, VERDICT_OK, NULL);
	s.own = (struct rx_trailer){4, 1444, 1444, 32, 1};
	is(&r, VERDICT_STALE_TABLE, "restart");
	/* more than this host announced that it takes; before an ack 1444 is right */
	s.way[SEEN_SENT] = (struct seen_way){0};
	s.own = (struct rx_trailer){4, 15604, 8524, 32, 6};
	s.way[SEEN_RECEIVED].largest = s.own.max_receive + 1;
	is(&r, VERDICT_OBSERVED_LARGER, "announced that it takes");
	s.own = (struct rx_trailer){4, 1260, 1260, 32, 1};
	s.way[SEEN_RECEIVED].largest = 1444;
	row_judge(&r);
	for (size_t i = 0; i < r.findings; i++)
		assert_int_not_equal(r.finding[i].verdict, VERDICT_OBSERVED_LARGER);
}

static void test_names(void **state)
{
	(void)state;
	for (int v = 0; v < VERDICTS; v++)
		assert_non_null(verdict_id((enum verdict)v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_healthy), cmocka_unit_test(test_sizes),
	        cmocka_unit_test(test_learned), cmocka_unit_test(test_ends),
	        cmocka_unit_test(test_route),   cmocka_unit_test(test_wanted),
	        cmocka_unit_test(test_seen),    cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
