/* The matrix in its forms, each held against what its readers want: the schema, the
 * grammar of performance data, Prometheus's text format. */
#include "netprobe/check/print.h"
#include "netprobe/report/schema.h"
#include "tests/support/schema_check.h"

#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROWS 5u

/* Rows of every kind: probed, seen, without a route, seen elsewhere, IPv6. */
struct scene {
	struct host_iface iface[2];
	unsigned offload[2];
	struct host_rule rule;
	struct seen seen[2];
	struct seen_list list;
	struct row row[ROWS];
	struct matrix m;
};

static struct addr ip(const char *text)
{
	struct addr a;
	assert_true(addr_parse(text, &a));
	return a;
}

static void fill_rows(struct scene *s)
{
	struct row *r = s->row;
	r[0] = (struct row){
	        .peer = {.name = "fs\"1\\", .addr = ip("10.1.0.2"), .port = 7000},
	        .has_iface = true,
	        .iface = s->iface[0],
	        .has_source = true,
	        .source = ip("10.1.0.1"),
	        .mtu = 9000,
	        .probed = true,
	        .path = {.end = PATH_FOUND,
	                 .passes = 1500,
	                 .fails = 1501,
	                 .silent_loss = true,
	                 .rtt_ns = 123456,
	                 .sent = 9},
	        .has_expect = true,
	        .program = EXPECT_CLIENT,
	        .seen = &s->seen[0]};
	r[0].expect.size[EXPECT_CLEAR].udp_payload = 8520;
	r[0].expect.size[EXPECT_CLEAR].ip_len = 8548;
	r[1] = (struct row){.peer = {.addr = ip("10.9.0.1"), .port = 7003},
	                    .route.kind = HOST_ROUTE_NONE};
	r[2] = (struct row){.peer = {.addr = ip("fd00::2"), .port = 7000},
	                    .has_iface = true,
	                    .iface = s->iface[0],
	                    .mtu = 9000,
	                    .probed = true,
	                    .path = {.end = PATH_SILENT, .sent = 5}};
	r[3] = (struct row){.peer = r[0].peer,
	                    .has_iface = true,
	                    .iface = s->iface[1],
	                    .mtu = 1500,
	                    .seen = &s->seen[1],
	                    .only_seen = true,
	                    .route_iface = "nic0"};
	r[4] = r[0]; /* the same once more, as two --from can ask for */
	for (size_t i = 0; i < ROWS; i++)
		row_judge(&r[i]);
}

static int set_up(void **state)
{
	struct scene *s = calloc(1, sizeof *s);
	assert_non_null(s);
	s->iface[0] = (struct host_iface){.name = "nic0",
	                                  .index = 2,
	                                  .up = true,
	                                  .mtu = 9000,
	                                  .addresses = "10.1.0.1/24"};
	s->iface[1] = (struct host_iface){
	        .name = "nic1", .index = 3, .up = true, .mtu = 1500};
	snprintf(s->rule.text, sizeof s->rule.text, "from 10.1.0.1 lookup 33");
	s->seen[0] = (struct seen){.peer = ip("10.1.0.2"),
	                           .iface = "nic0",
	                           .way[SEEN_SENT] = {70, 8520, 8520, 70000}};
	s->seen[1] = (struct seen){.peer = ip("10.1.0.2"),
	                           .iface = "nic1",
	                           .way[SEEN_RECEIVED] = {30, 1444, 1444, 30000}};
	s->list = (struct seen_list){.list = s->seen,
	                             .n = 2,
	                             .frames = 200,
	                             .dropped = 3,
	                             .live = true,
	                             .gone = "nic1"};
	fill_rows(s);
	s->m = (struct matrix){.ifaces = s->iface,
	                       .n_ifaces = 2,
	                       .offloads = s->offload,
	                       .rules = &s->rule,
	                       .n_rules = 1,
	                       .rows = s->row,
	                       .n_rows = ROWS,
	                       .seen = &s->list};
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

static char *printed(const struct scene *s, print_fn *print)
{
	char *text = NULL;
	size_t n;
	struct err err = {0};
	const struct print_options o = {
	        .active = true, .both_ways = true, .time_ns = 5};
	FILE *out = open_memstream(&text, &n);
	assert_int_equal(print(&s->m, &o, out, &err), 0);
	fclose(out);
	return text;
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static bool matches(const char *text, const char *pattern)
{
	regex_t r;
	assert_int_equal(regcomp(&r, pattern, REG_EXTENDED | REG_NOSUB), 0);
	int rc = regexec(&r, text, 0, NULL, 0);
	regfree(&r);
	return rc == 0;
}

static void test_json(void **state)
{
	struct scene *s = *state;
	struct err err = {0};
	char why[600], *text = printed(s, print_json);
	json_t *got = json_loads(text, 0, NULL), *schema = schema_of("check", &err);
	assert_non_null(got);
	assert_non_null(schema);
	if (!schema_check(schema, got, why, sizeof why))
		fail_msg("%s", why);
	json_object_set_new(json_array_get(json_object_get(got, "rows"), 0), "more",
	                    json_true());
	assert_false(schema_check(schema, got, why, sizeof why));
	s->m.seen = NULL;
	json_decref(got);
	free(text);
	text = printed(s, print_json);
	got = json_loads(text, 0, NULL);
	if (!schema_check(schema, got, why, sizeof why))
		fail_msg("%s", why);
	json_decref(got);
	json_decref(schema);
	free(text);
}

/* 'label'=value[UOM];[warn];[crit];[min];[max], no label twice. */
static void test_nagios(void **state)
{
	struct scene *s = *state;
	char *text = printed(s, print_nagios);
	static const char grammar[] = "^NETPROBE (OK|WARNING|CRITICAL|UNKNOWN) - [^|]+ "
	                              "\\|( '[^'=|]+'=(U|-?[0-9.]+(B|s)?"
	                              "(;[0-9.:~@-]*){0,2}(;[0-9.]*){0,2}))*\n$";
	if (!matches(text, grammar))
		fail_msg("no performance data by the guidelines: %s", text);
	has(text, "'10.1.0.2:7000 nic0'=1500B;8548:;;0;9000");
	has(text, "'10.1.0.2:7000 nic0 rtt'=0.000123s;;;0");
	has(text, "'10.9.0.1:7003 -'=U");
	const char *first = strstr(text, "'10.1.0.2:7000 nic0'");
	assert_null(strstr(first + 1, "'10.1.0.2:7000 nic0'"));
	assert_int_equal(print_nagios_code(&s->m), 2);
	free(text);
}

/* HELP, TYPE, then the samples of the metric, each set of labels once. */
static void test_prometheus(void **state)
{
	struct scene *s = *state;
	char *text = printed(s, print_prometheus), *rest, metric[80] = "",
	     seen[8192] = "\n";
	for (char *line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char name[80], labelled[300];
		if (sscanf(line, "# HELP %79s ", name) == 1) {
			assert_true(matches(line, "^# HELP netprobe_[a-z_]+ [^\n]+$"));
			assert_true(matches(name, "_(bytes|seconds|ok|verdict)$"));
			snprintf(metric, sizeof metric, "%s", name);
			continue;
		}
		if (sscanf(line, "# TYPE %79s gauge", name) == 1) {
			assert_string_equal(name, metric);
			continue;
		}
		if (!matches(line, "^netprobe_[a-z_]+(\\{([a-z]+=\"([^\"\\\\]|\\\\.)*"
		                   "\",?)+\\})? "
		                   "[0-9.e+-]+$"))
			fail_msg("no sample: %s", line);
		assert_int_equal(strncmp(line, metric, strlen(metric)), 0);
		snprintf(labelled, sizeof labelled, "\n%.*s\n",
		         (int)(strrchr(line, ' ') - line), line);
		if (strstr(seen, labelled))
			fail_msg("twice:%s", labelled);
		strncat(seen, labelled + 1, sizeof seen - strlen(seen) - 1);
	}
	has(seen, "netprobe_received_datagram_bytes{peer=\"10.1.0.2:7000\",interface="
	          "\"nic1\"");
	has(seen, "netprobe_path_mtu_bytes{peer=\"10.1.0.2:7000\",interface=\"nic0\"");
	free(text);
}

static void test_table(void **state)
{
	struct scene *s = *state;
	char *text = printed(s, print_table);
	has(text, "black-hole: packets to 10.1.0.2:7000 by nic0");
	has(text, "by nic0     ");
	has(text, "other-way: 30 DATA datagrams of 10.1.0.2:7000 came in by nic1");
	has(text, "200 frames, and 3 were lost");
	has(text, "Gone while it was captured on: nic1.");
	has(text, "on 10.1.0.2: netprobe check --active --peer 10.1.0.1:7001\n");
	has(text, "For the way\nback run at the other end");
	/* once a way, and none where there is no way */
	const char *first = strstr(text, "  on 10.1.0.2: ");
	assert_null(strstr(first + 1, "  on 10.1.0.2: "));
	assert_null(strstr(text, "  on 10.9.0.1: "));
	free(text);
	s->row[0].method = PROBE_ICMP; /* both ways at once */
	s->m.n_rows = 1;
	text = printed(s, print_table);
	has(text, "An echo goes both ways");
	assert_null(strstr(text, "  on 10.1.0.2: "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(test_json, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_nagios, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_prometheus, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_table, set_up, tear_down),
	};
	return cmocka_run_group_tests_name("check/print", tests, NULL, NULL);
}
