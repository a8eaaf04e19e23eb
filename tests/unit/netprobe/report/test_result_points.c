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
	enum point_kind kind;
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

static void put_rx(struct ends *e, struct pkt *p, bool to_server, uint32_t size)
{
	const struct rx_header h = {.epoch = 0x90000001u,
	                            .cid = 0x1000,
	                            .call = 1,
	                            .seq = e->serial,
	                            .serial = e->serial,
	                            .type = RX_DATA,
	                            .flags = to_server ? RX_CLIENT : 0,
	                            .service = 1};
	pkt_udp(p, to_server ? 7001 : 7000, to_server ? 7000 : 7001);
	pkt_rx(p, &h);
	pkt_fill(p, size - RX_HEADER);
}

/* NFS: size is the UDP payload, or the IP length of a TCP packet. */
static void put_nfs(struct ends *e, struct pkt *p, bool to_server, uint32_t size)
{
	uint16_t sport = to_server ? 1000 : 2049, dport = to_server ? 2049 : 1000;
	if (e->kind == POINT_TCP) {
		pkt_tcp(p, &(struct pkt_tcp){.sport = sport,
		                             .dport = dport,
		                             .seq = e->serial * 3000,
		                             .ack = true});
		pkt_fill(p, size - 40);
		return;
	}
	pkt_udp(p, sport, dport);
	pkt_u32(p, e->serial);
	pkt_fill(p, size - 4);
}

static void pass(struct ends *e, enum way way, uint32_t size, bool arrives)
{
	static struct pkt p;
	bool to_server = way == TO_SERVER;
	e->serial++;
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p, &(struct pkt_ip4){.src = to_server ? "10.0.0.2" : "10.0.0.1",
	                              .dst = to_server ? "10.0.0.1" : "10.0.0.2",
	                              .id = (uint16_t)e->serial,
	                              .proto = e->kind == POINT_TCP ? PKT_PROTO_TCP
	                                                            : PKT_PROTO_UDP});
	(e->kind == POINT_RX ? put_rx : put_nfs)(e, &p, to_server, size);
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

static void with_loss(struct ends *e, enum point_kind kind)
{
	begin(e, 1234000);
	e->kind = kind;
	for (int i = 0; i < 100; i++) {
		pass(e, TO_SERVER, 93, true);
		pass(e, TO_CLIENT, 1444, true);
		if (i % 20 == 10)
			pass(e, TO_CLIENT, 2856, false);
	}
}

static char *text_of(struct analysis *a)
{
	const struct report_text_options o = {.top = 0};
	struct err err = {0};
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	assert_int_equal(report_text(&a->result, &o, out, &err), 0);
	fclose(out);
	return text;
}

/* Lines of findings are broken: they are looked through as one, too. */
static void check_text(const char *text, const char *part)
{
	char *flat = strdup(text), *to = flat;
	for (const char *at = text; *at; at++) {
		bool broken = strncmp(at, "\n    ", 5) == 0;
		*to++ = broken ? ' ' : *at;
		at += broken ? 4 : 0;
	}
	*to = 0;
	if (!strstr(text, part) && !strstr(flat, part))
		fail_msg("no \"%s\" in %s", part, text);
	free(flat);
}

#define KINDS_PARTS 6

static void text_tells_it(void **state)
{
	static const char *const all[] = {
	        "\nBetween eth0 and atm0\n",
	        "The clock of atm0 is 1.234 ms ahead of that of eth0 (+- 0.050 ms,",
	};
	static const char *const parts[POINT_KINDS][KINDS_PARTS] = {
	        [POINT_RX] =
	                {"10.0.0.1 to 10.0.0.2 (to client, passing atm0 first): 100 of "
	                 "105 datagrams arrived; lost 5, all of UDP payload >= 2856\n",
	                 "1473 to 2944        0     5  100.00\n",
	                 "(to server, passing eth0 first): 100 of 100 datagrams "
	                 "arrived\n",
	                 "D34 loss-between-points: between atm0 and eth0 5 of 5 "
	                 "datagrams of UDP payload 2856 and more",
	                 "-rxmaxmtu 1444"},
	        [POINT_UDP] =
	                {"10.0.0.1 to 10.0.0.2 (UDP, passing atm0 first): 100 of "
	                 "105 datagrams arrived; lost 5, all of UDP payload >= 2856\n",
	                 "10.0.0.2 to 10.0.0.1 (UDP, passing eth0 first): 100 of 100 "
	                 "datagrams arrived\n",
	                 "D34 loss-between-points: between atm0 and eth0 5 of 5 UDP "
	                 "datagrams of UDP payload 2856 and more",
	                 "meanwhile datagrams of 1444 bytes at most"},
	        [POINT_TCP] =
	                {"10.0.0.1 to 10.0.0.2 (TCP, passing atm0 first): 100 of "
	                 "105 packets arrived; lost 5, all of IP length >= 2856\n",
	                 "IP length     arrived  lost  lost %\n",
	                 "1501 to 2972        0     5  100.00\n",
	                 "10.0.0.2 to 10.0.0.1 (TCP, passing eth0 first): 100 of 100 "
	                 "packets arrived\n",
	                 "D34 loss-between-points: between atm0 and eth0 5 of 5 TCP "
	                 "packets of IP length 2856 and more",
	                 "a route with mtu 1444 towards 10.0.0.2"},
	};
	(void)state;
	for (enum point_kind kind = 0; kind < POINT_KINDS; kind++) {
		struct ends e;
		struct analysis a;
		with_loss(&e, kind);
		analyse(&e, &a, NULL);
		char *text = text_of(&a);
		for (size_t i = 0; i < 2; i++)
			check_text(text, all[i]);
		for (size_t i = 0; i < KINDS_PARTS && parts[kind][i]; i++)
			check_text(text, parts[kind][i]);
		free(text);
		analysis_free(&a);
	}
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

static void check_passage(json_t *p, enum point_kind kind)
{
	bool tcp = kind == POINT_TCP;
	bool down = strcmp(json_string_value(json_object_get(p, "first_interface")),
	                   "atm0") == 0;
	double off = json_number_value(json_object_get(p, "clock_offset_us"));
	assert_string_equal(json_string_value(json_object_get(p, "protocol")),
	                    point_kind_name(kind));
	assert_int_equal(json_is_null(json_object_get(p, "way")), kind != POINT_RX);
	assert_int_equal(json_integer_value(json_object_get(p, "lost")), down ? 5 : 0);
	assert_int_equal(json_is_null(json_object_get(p, "lost_ip_length_min")),
	                 !down || !tcp);
	assert_int_equal(json_is_null(json_object_get(p, "lost_udp_payload_min")),
	                 !down || tcp);
	assert_int_equal(json_is_null(json_object_get(p, "arrived_ip_length_max")),
	                 !tcp);
	/* of the second's clock against the first's */
	assert_true(down ? off < -1233.9 && off > -1234.1
	                 : off > 1233.9 && off < 1234.1);
}

static json_t *json_of(struct analysis *a)
{
	struct err err = {0};
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	assert_int_equal(report_json(&a->result, out, &err), 0);
	fclose(out);
	json_t *report = checked("report", text);
	free(text);
	return report;
}

static void json_tells_it(void **state)
{
	(void)state;
	for (enum point_kind kind = 0; kind < POINT_KINDS; kind++) {
		struct ends e;
		struct analysis a;
		size_t at;
		with_loss(&e, kind);
		analyse(&e, &a, NULL);
		json_t *report = json_of(&a), *p;
		json_t *list = json_object_get(report, "points");
		assert_int_equal(json_array_size(list), 2);
		json_array_foreach(list, at, p) check_passage(p, kind);
		json_decref(report);
		analysis_free(&a);
	}
}

/* An offload at the server: what is lost is not known, and no number says it is. */
static void regrouped_is_not_lost(void **state)
{
	struct ends e;
	struct analysis a;
	size_t at;
	(void)state;
	begin(&e, 0);
	e.kind = POINT_TCP;
	for (int i = 0; i < 20; i++) {
		pass(&e, TO_SERVER, 93, true);
		pass(&e, TO_CLIENT, 1000, true);
		pass(&e, TO_CLIENT, 3000, false);
		struct capture keep = e.server, none = {0};
		e.server = none; /* the parts are at the client alone */
		pass(&e, TO_CLIENT, 1500, true);
		pass(&e, TO_CLIENT, 1500, true);
		capture_free(&e.server);
		e.server = keep;
	}
	pass(&e, TO_CLIENT, 1000, true);
	analyse(&e, &a, NULL);
	char *text = text_of(&a);
	check_text(text, "21 packets arrived; 20 seen only at the first, 40 only at "
	                 "the second: an offload joins or parts packets");
	check_text(text, "Findings: none");
	free(text);
	json_t *report = json_of(&a), *p;
	json_array_foreach(json_object_get(report, "points"), at, p)
	{
		bool down = json_is_true(json_object_get(p, "regrouped"));
		assert_int_equal(json_is_null(json_object_get(p, "lost")), down);
		assert_int_equal(json_is_null(json_object_get(p, "lost_share")), down);
		assert_int_equal(
		        json_integer_value(json_object_get(p, "unmatched_at_second")),
		        down ? 40 : 0);
	}
	json_decref(report);
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
	with_loss(&e, POINT_TCP);
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
	struct ends e;
	struct analysis a;
	(void)state;
	begin(&e, POINTS_WAIT_NS * 2);
	for (int i = 0; i < 20; i++)
		pass(&e, TO_CLIENT, 1444, true);
	analyse(&e, &a, NULL);
	assert_int_equal(a.result.n_points, 0);
	char *text = text_of(&a);
	check_text(text, "No datagram was seen at two capture points");
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
	        cmocka_unit_test(regrouped_is_not_lost),
	        cmocka_unit_test(records_tell_it),
	        cmocka_unit_test(clocks_too_far_apart),
	        cmocka_unit_test(one_name_on_two_hosts),
	};
	return cmocka_run_group_tests_name("report/result_points", tests, NULL, NULL);
}
