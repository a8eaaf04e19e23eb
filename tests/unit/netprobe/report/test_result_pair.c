/* From packets to the printed report: pairs and ICMP errors in all its forms. */
#include "netprobe/analysis.h"
#include "netprobe/report/json.h"
#include "netprobe/report/result_pair.h"
#include "netprobe/report/text.h"
#include "tests/support/capture_build.h"
#include "tests/support/pkt_build.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define A "10.77.1.1"
#define B "10.77.1.11"
#define ROUTER "10.77.1.254"

static struct pkt p, piece, quoted;

static void put(struct capture *c, const struct pkt *x)
{
	capture_u32(c, 1000);
	capture_u32(c, 0);
	capture_u32(c, (uint32_t)x->len);
	capture_u32(c, (uint32_t)x->len);
	capture_put(c, x->bytes, x->len);
}

static void begin(struct pkt *x, const char *src, const char *dst, uint8_t proto)
{
	pkt_begin(x);
	pkt_ip4(x, &(struct pkt_ip4){.src = src, .dst = dst, .proto = proto});
}

static void rx(struct pkt *x, bool to_server, size_t data)
{
	begin(x, to_server ? B : A, to_server ? A : B, PKT_PROTO_UDP);
	pkt_udp(x, to_server ? 7001 : 7000, to_server ? 7000 : 7001);
	pkt_rx(x, &(struct rx_header){.epoch = 0x90000001,
	                              .cid = 0x1000,
	                              .call = 1,
	                              .seq = 1,
	                              .serial = 1,
	                              .type = RX_DATA,
	                              .flags = to_server ? RX_CLIENT : 0,
	                              .service = 1});
	pkt_fill(x, data);
	pkt_end(x);
}

static void udp(struct pkt *x, const char *src, const char *dst, size_t payload)
{
	begin(x, src, dst, PKT_PROTO_UDP);
	pkt_udp(x, 2049, 800);
	pkt_fill(x, payload);
	pkt_end(x);
}

static void error_about(struct capture *c, const struct pkt *about, uint32_t mtu)
{
	begin(&p, ROUTER, A, PKT_PROTO_ICMP);
	pkt_icmp(&p, 3, 4, mtu);
	pkt_quote(&p, about, 28);
	pkt_end(&p);
	put(c, &p);
}

/* Both formats of what was captured. */
struct reports {
	char *text;
	json_t *json;
};

static struct reports report_of(const struct capture *c)
{
	char path[64];
	const char *paths[] = {capture_path(c, path)};
	struct analysis a;
	struct analysis_options o = {.paths = paths, .n_paths = 1};
	struct err err = {0};
	assert_int_equal(analysis_run(&a, &o, &err), 0);
	struct reports r;
	size_t n;
	FILE *out = open_memstream(&r.text, &n);
	assert_int_equal(
	        report_text(&a.result, &(struct report_text_options){0}, out, &err), 0);
	fclose(out);
	char *json;
	out = open_memstream(&json, &n);
	assert_int_equal(report_json(&a.result, out, &err), 0);
	fclose(out);
	r.json = json_loads(json, 0, NULL);
	assert_non_null(r.json);
	free(json);
	analysis_free(&a);
	capture_close_path(paths[0]);
	return r;
}

static void done(struct reports *r, struct capture *c)
{
	free(r->text);
	json_decref(r->json);
	capture_free(c);
}

static json_t *row(const struct reports *r, const char *list, size_t i)
{
	return json_array_get(json_object_get(r->json, list), i);
}

static json_int_t number(json_t *o, const char *key)
{
	assert_true(json_is_integer(json_object_get(o, key)));
	return json_integer_value(json_object_get(o, key));
}

static const char *string(json_t *o, const char *key)
{
	assert_true(json_is_string(json_object_get(o, key)));
	return json_string_value(json_object_get(o, key));
}

static void test_nothing_but_rx(void **state)
{
	(void)state;
	struct capture c = {0};
	capture_pcap(&c, CAPTURE_MICRO, false, 65535, LINK_IPV4);
	rx(&p, true, 16);
	put(&c, &p);
	struct reports r = report_of(&c);
	assert_int_equal(json_array_size(json_object_get(r.json, "pairs")), 0);
	assert_null(strstr(r.text, "pair of hosts"));
	assert_null(strstr(r.text, "ICMP errors, by"));
	done(&r, &c);
}

/* trouble-reports.md 53: trains, bytes in fragments, share. */
static void test_share_of_fragments(void **state)
{
	(void)state;
	struct capture c = {0};
	capture_pcap(&c, CAPTURE_MICRO, false, 65535, LINK_IPV4);
	rx(&p, false, 5664);
	for (unsigned i = 0; pkt_piece(&piece, &p, 1500, 0, i); i++)
		put(&c, &piece);
	udp(&p, A, B, 1000);
	put(&c, &p);
	struct reports r = report_of(&c);
	json_t *o = row(&r, "pairs", 0);
	assert_string_equal(string(o, "source_address"), A);
	assert_int_equal(number(o, "fragments"), 4);
	assert_int_equal(number(o, "trains_whole"), 1);
	assert_int_equal(number(o, "fragment_ip_bytes"), 5720 + 60);
	assert_int_equal(number(o, "rx_ip_bytes"), 5720 + 60);
	assert_int_equal(number(o, "udp_ip_bytes"), 1028);
	assert_int_equal(number(o, "ip_bytes"), 5780 + 1028);
	assert_int_equal(number(o, "ip_packets"), 5);
	assert_int_equal(number(o, "largest_whole_ip_length"), 1028);
	double share = json_real_value(json_object_get(o, "fragment_share"));
	assert_true(share > 0.849 && share < 0.8491); /* 5780 / 6808 */
	assert_non_null(strstr(r.text, "route or path MTU 1500"));
	done(&r, &c);
}

/* 18: ICMP finds the flow it quotes, or says that it was not seen. */
static void test_icmp_and_its_flow(void **state)
{
	(void)state;
	struct capture c = {0};
	capture_pcap(&c, CAPTURE_MICRO, false, 65535, LINK_IPV4);
	rx(&quoted, false, 1416);
	error_about(&c, &quoted, 1400);
	put(&c, &quoted); /* the flow comes later */
	error_about(&c, &quoted, 1400);
	udp(&quoted, A, "10.9.9.9", 1400);
	put(&c, &quoted);
	error_about(&c, &quoted, 0);
	udp(&quoted, "10.9.9.1", "10.9.9.2", 1400);
	error_about(&c, &quoted, 1300);
	struct reports r = report_of(&c);
	json_t *first = row(&r, "icmp", 0);
	assert_int_equal(number(first, "count"), 2);
	assert_string_equal(string(first, "quoted_flow"), "Rx flow seen");
	assert_string_equal(string(first, "error"), "fragmentation needed");
	assert_int_equal(number(first, "mtu_min"), 1400);
	for (size_t i = 1; i < 3; i++) {
		json_t *o = row(&r, "icmp", i);
		bool stranger = strcmp(string(o, "quoted_source_address"), A) != 0;
		assert_string_equal(string(o, "quoted_flow"),
		                    stranger ? "not seen here" : "hosts seen");
		assert_int_equal(number(o, "without_mtu"), !stranger);
		assert_int_equal(json_is_null(json_object_get(o, "mtu_min")),
		                 !stranger);
	}
	assert_non_null(strstr(r.text, "ICMP for a flow not seen here: 1 packets"));
	assert_non_null(strstr(r.text, "0 (none told)"));
	done(&r, &c);
}

/* 44: the note on first fragments, in both formats. */
static void test_hidden_pieces_are_told(void **state)
{
	(void)state;
	for (unsigned all = 0; all < 2; all++) {
		struct capture c = {0};
		capture_pcap(&c, CAPTURE_MICRO, false, 65535, LINK_IPV4);
		for (unsigned i = 0; i < 3; i++) {
			pkt_begin(&p);
			pkt_ip4(&p, &(struct pkt_ip4){.id = (uint16_t)i});
			pkt_udp(&p, 7000, 7001);
			pkt_fill(&p, 3000);
			pkt_end(&p);
			for (unsigned k = 0; k < (all ? 3 : 1); k++) {
				assert_true(pkt_piece(&piece, &p, 1500, 0, k));
				put(&c, &piece);
			}
		}
		struct reports r = report_of(&c);
		json_t *o = row(&r, "interfaces", 0);
		assert_int_equal(
		        json_is_true(json_object_get(o, "later_fragments_hidden")),
		        !all);
		assert_int_equal(strstr(r.text, "first fragments only") != NULL, !all);
		done(&r, &c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_nothing_but_rx),
	        cmocka_unit_test(test_share_of_fragments),
	        cmocka_unit_test(test_icmp_and_its_flow),
	        cmocka_unit_test(test_hidden_pieces_are_told),
	};
	return cmocka_run_group_tests_name("report/result_pair", tests, NULL, NULL);
}
