/* Two capture files of one conversation, from the files to the three outputs. */
#include "netprobe/analysis.h"
#include "netprobe/report/json.h"
#include "netprobe/report/result_points.h"
#include "netprobe/report/schema.h"
#include "netprobe/report/text.h"
#include "tests/support/capture_build.h"
#include "tests/support/pkt_build.h"
#include "tests/support/schema_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BEGIN_NS UINT64_C(1700000000000000000)
#define EPB 6u

struct ends {
	struct capture client, server;
	int64_t ahead_ns; /* the server's clock */
	uint32_t serial;
	uint64_t now_ns;
};

static void put_frame(struct capture *c, const struct pkt *p, uint64_t ns)
{
	static const uint8_t zero[4];
	capture_block(c, EPB);
	capture_u32(c, 0);
	capture_u32(c, (uint32_t)(ns >> 32));
	capture_u32(c, (uint32_t)ns);
	capture_u32(c, (uint32_t)p->len);
	capture_u32(c, (uint32_t)p->len);
	capture_put(c, p->bytes, p->len);
	capture_put(c, zero, (4 - p->len % 4) % 4);
	capture_block_end(c);
}

static void pass(struct ends *e, enum way way, uint32_t size, bool arrives)
{
	static struct pkt p;
	bool to_server = way == TO_SERVER;
	const struct rx_header h = {.epoch = 0x90000001u,
	                            .cid = 0x1000,
	                            .call = 1,
	                            .seq = ++e->serial,
	                            .serial = e->serial,
	                            .type = RX_DATA,
	                            .flags = to_server ? RX_CLIENT : 0,
	                            .service = 1};
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p, &(struct pkt_ip4){.src = to_server ? "10.0.0.2" : "10.0.0.1",
	                              .dst = to_server ? "10.0.0.1" : "10.0.0.2"});
	pkt_udp(&p, to_server ? 7001 : 7000, to_server ? 7000 : 7001);
	pkt_rx(&p, &h);
	pkt_fill(&p, size - RX_HEADER);
	pkt_end(&p);
	e->now_ns += 1000000;
	uint64_t here = e->now_ns + (to_server ? 0 : 50000);
	uint64_t there = e->now_ns + (to_server ? 50000 : 0) + (uint64_t)e->ahead_ns;
	if (to_server || arrives)
		put_frame(&e->client, &p, here);
	if (!to_server || arrives)
		put_frame(&e->server, &p, there);
}

static void put_iface(struct capture *c, const char *name, const char *comment)
{
	const uint8_t resolution = 9;
	capture_block(c, 1);
	capture_u16(c, LINK_ETHERNET);
	capture_u16(c, 0);
	capture_u32(c, 0);
	capture_option(c, 2, name, strlen(name));
	capture_option(c, 9, &resolution, 1);
	capture_comment(c, comment);
	capture_block_end(c);
}

static void begin(struct ends *e, int64_t ahead_ns)
{
	*e = (struct ends){.ahead_ns = ahead_ns, .now_ns = BEGIN_NS};
	capture_section(&e->client, false);
	capture_iface(&e->client, LINK_ETHERNET, 0, "eth0", 9);
	capture_section(&e->server, false);
	capture_iface(&e->server, LINK_ETHERNET, 0, "atm0", 9);
}

static void analyse(struct ends *e, struct analysis *a, struct stream *stream)
{
	char path[2][64];
	const char *paths[] = {capture_path(&e->client, path[0]),
	                       capture_path(&e->server, path[1])};
	const struct analysis_options o = {
	        .paths = paths, .n_paths = 2, .stream = stream};
	struct err err = {0};
	if (analysis_run(a, &o, &err) != 0)
		fail_msg("%s", err.text);
	capture_close_path(path[0]);
	capture_close_path(path[1]);
	capture_free(&e->client);
	capture_free(&e->server);
}

static void with_loss(struct ends *e)
{
	begin(e, 1234000);
	for (int i = 0; i < 100; i++) {
		pass(e, TO_SERVER, 93, true);
		pass(e, TO_CLIENT, 1444, true);
		if (i % 20 == 10)
			pass(e, TO_CLIENT, 2856, false);
	}
}

static void text_tells_it(void **state)
{
	static const char *const parts[] = {
	        "\nBetween eth0 and atm0\n",
	        "10.0.0.1 to 10.0.0.2 (to client, passing atm0 first): 100 of 105 "
	        "datagrams arrived; lost 5, all of UDP payload >= 2856\n",
	        "1473 to 2944        0     5  100.00\n",
	        "(to server, passing eth0 first): 100 of 100 datagrams arrived\n",
	        "The clock of atm0 is 1.234 ms ahead of that of eth0 (+- 0.050 ms,",
	};
	const struct report_text_options o = {.top = 0};
	struct ends e;
	struct analysis a;
	struct err err = {0};
	char *text = NULL;
	size_t n;
	(void)state;
	with_loss(&e);
	analyse(&e, &a, NULL);
	FILE *out = open_memstream(&text, &n);
	assert_int_equal(report_text(&a.result, &o, out, &err), 0);
	fclose(out);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!strstr(text, parts[i]))
			fail_msg("no \"%s\" in %s", parts[i], text);
	free(text);
	analysis_free(&a);
}

static json_t *checked(const char *schema_name, const char *text)
{
	struct err err = {0};
	char why[600];
	json_t *schema = schema_of(schema_name, &err);
	json_t *o = json_loads(text, 0, NULL);
	assert_non_null(schema);
	assert_non_null(o);
	if (!schema_check(schema, o, why, sizeof why))
		fail_msg("%s: %s", schema_name, why);
	json_decref(schema);
	return o;
}

static void json_tells_it(void **state)
{
	struct ends e;
	struct analysis a;
	struct err err = {0};
	char *text = NULL;
	size_t n, at;
	(void)state;
	with_loss(&e);
	analyse(&e, &a, NULL);
	FILE *out = open_memstream(&text, &n);
	assert_int_equal(report_json(&a.result, out, &err), 0);
	fclose(out);
	json_t *report = checked("report", text), *p;
	json_t *list = json_object_get(report, "points");
	assert_int_equal(json_array_size(list), 2);
	json_array_foreach(list, at, p)
	{
		const char *first =
		        json_string_value(json_object_get(p, "first_interface"));
		bool down = strcmp(first, "atm0") == 0;
		double off = json_number_value(json_object_get(p, "clock_offset_us"));
		assert_int_equal(json_integer_value(json_object_get(p, "lost")),
		                 down ? 5 : 0);
		/* of the second's clock against the first's */
		assert_true(down ? off < -1233.9 && off > -1234.1
		                 : off > 1233.9 && off < 1234.1);
	}
	json_decref(report);
	free(text);
	analysis_free(&a);
}

static void records_tell_it(void **state)
{
	struct ends e;
	struct analysis a;
	struct err err = {0};
	char *text = NULL;
	size_t n, lines = 0;
	(void)state;
	FILE *out = open_memstream(&text, &n);
	struct stream stream = {.out = out, .kinds = 1u << STREAM_POINTS};
	assert_int_equal(stream_kind_find("points"), STREAM_POINTS);
	with_loss(&e);
	analyse(&e, &a, &stream);
	assert_int_equal(stream_finish(&stream, &a.result, &err), 0);
	fclose(out);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		json_decref(checked("record", line));
		lines++;
	}
	assert_int_equal(lines, 2);
	free(text);
	analysis_free(&a);
}

/* Clocks further apart than is waited for: said, not guessed. */
static void clocks_too_far_apart(void **state)
{
	const struct report_text_options o = {.top = 0};
	struct ends e;
	struct analysis a;
	struct err err = {0};
	char *text = NULL;
	size_t n;
	(void)state;
	begin(&e, POINTS_WAIT_NS * 2);
	for (int i = 0; i < 20; i++)
		pass(&e, TO_CLIENT, 1444, true);
	analyse(&e, &a, NULL);
	assert_int_equal(a.result.n_points, 0);
	FILE *out = open_memstream(&text, &n);
	assert_int_equal(report_text(&a.result, &o, out, &err), 0);
	fclose(out);
	assert_non_null(strstr(text, "No datagram was seen at two capture points"));
	free(text);
	analysis_free(&a);
}

/* Both interfaces have one name, and by the clocks one file ends before the other
 * begins, as ring files do; their addresses tell them apart. */
static void one_name_on_two_hosts(void **state)
{
	struct ends e = {.ahead_ns = INT64_C(60000000000), .now_ns = BEGIN_NS};
	struct analysis a;
	(void)state;
	capture_section(&e.client, false);
	put_iface(&e.client, "eth0", "cellbench: mtu=1500 addr=10.0.0.2/24");
	capture_section(&e.server, false);
	put_iface(&e.server, "eth0", "cellbench: mtu=1500 addr=10.0.0.1/24");
	for (int i = 0; i < 20; i++) {
		pass(&e, TO_SERVER, 93, true);
		pass(&e, TO_CLIENT, 1444, true);
	}
	analyse(&e, &a, NULL);
	assert_int_equal(a.result.n_ifaces, 2);
	assert_int_equal(a.result.n_points, 1);
	assert_int_equal(a.result.points[0].clock.offset_ns, e.ahead_ns);
	assert_int_equal(a.result.points[0].n, 2);
	assert_int_equal(a.result.points[0].passages[0].passage.both, 20);
	analysis_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(text_tells_it),
	        cmocka_unit_test(json_tells_it),
	        cmocka_unit_test(records_tell_it),
	        cmocka_unit_test(clocks_too_far_apart),
	        cmocka_unit_test(one_name_on_two_hosts),
	};
	return cmocka_run_group_tests_name("report/result_points", tests, NULL, NULL);
}
