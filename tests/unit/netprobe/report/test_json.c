/* What is in no list of the report is counted in it. */
#include "netprobe/analysis.h"
#include "netprobe/report/json.h"
#include "netprobe/report/schema.h"
#include "tests/support/capture_build.h"
#include "tests/support/pkt_build.h"
#include "tests/support/schema_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define HOSTS 20000u /* more than are kept */

/* A packet from this host, and an ICMP error about one to it. */
static void put_host(struct track *t, unsigned host, uint64_t *frame)
{
	static struct pkt p, error;
	char src[20];
	snprintf(src, sizeof src, "10.1.%u.%u", host / 250, host % 250);
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p, &(struct pkt_ip4){.src = src});
	pkt_udp(&p, 2049, 700);
	pkt_fill(&p, 72);
	pkt_end(&p);
	pkt_begin(&error);
	pkt_ethernet(&error, PKT_TYPE_IP4);
	pkt_ip4(&error, &(struct pkt_ip4){.dst = src, .proto = PKT_PROTO_ICMP});
	pkt_icmp(&error, 3, 3, 0);
	pkt_quote(&error, &p, 28);
	pkt_end(&error);
	for (int i = 0; i < 2; i++) {
		const uint64_t n = ++*frame;
		struct frame f =
		        pkt_frame(i ? &error : &p, LINK_ETHERNET, (int64_t)n * 1000, n);
		f.iface = 0;
		track_frame(t, &f);
	}
}

static json_int_t number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);
	if (!json_is_integer(v))
		fail_msg("no number %s", key);
	return json_integer_value(v);
}

static void what_left_the_tables(void **state)
{
	struct capture c = {0};
	char path[64], why[600], *text = NULL;
	size_t n;
	uint64_t frame = 0;
	struct analysis a;
	struct err err = {0};
	(void)state;
	capture_section(&c, false);
	capture_iface(&c, LINK_ETHERNET, 0, "eth0", 9);
	const char *paths[] = {capture_path(&c, path)};
	const struct analysis_options o = {.paths = paths, .n_paths = 1};
	assert_int_equal(analysis_run(&a, &o, &err), 0);
	for (unsigned i = 0; i < HOSTS; i++)
		put_host(a.track, i, &frame);
	FILE *out = open_memstream(&text, &n);
	assert_int_equal(report_json(&a.result, out, &err), 0);
	fclose(out);
	json_t *schema = schema_of("report", &err), *report = json_loads(text, 0, NULL);
	if (!schema_check(schema, report, why, sizeof why))
		fail_msg("%s", why);
	const json_t *input = json_object_get(report, "input");
	struct track_pairs_gone gone = track_pairs_gone(a.track);
	assert_true(gone.pairs > 0 && gone.ip_packets > 0);
	assert_int_equal(number(input, "pairs_evicted"), gone.pairs);
	assert_int_equal(number(input, "pairs_evicted_ip_packets"), gone.ip_packets);
	assert_int_equal(number(input, "pairs_evicted_ip_bytes"), gone.ip_bytes);
	/* every packet is in a pair or in these */
	uint64_t kept = 0;
	for (const struct pair *p = NULL; (p = track_pair_next(a.track, p));)
		for (int k = 0; k < PAIR_KINDS; k++)
			kept += p->kind[k].packets;
	assert_int_equal(kept + gone.ip_packets, 2 * HOSTS);
	assert_true(track_icmp_errors_evicted(a.track) > 0);
	assert_int_equal(number(input, "icmp_evicted"),
	                 track_icmp_errors_evicted(a.track));
	assert_int_equal(number(input, "points_alike"), 0);
	json_decref(schema);
	json_decref(report);
	free(text);
	analysis_free(&a);
	capture_close_path(path);
	capture_free(&c);
}

/* Findings beyond what is kept of a kind. */
static void findings_beyond(void **state)
{
	struct capture c = {0};
	char path[64], *text = NULL;
	size_t n;
	struct analysis a;
	struct err err = {0};
	(void)state;
	capture_section(&c, false);
	const char *paths[] = {capture_path(&c, path)};
	const struct analysis_options o = {.paths = paths, .n_paths = 1};
	assert_int_equal(analysis_run(&a, &o, &err), 0);
	for (unsigned i = 0; i < FINDINGS_OF_KIND + 7; i++) {
		const struct addr from = {.b = {1, (uint8_t)(i >> 8), (uint8_t)i}};
		findings_add(&a.result.findings, FIND_BLACK_HOLE, 0, &from, NULL);
	}
	FILE *out = open_memstream(&text, &n);
	assert_int_equal(report_json(&a.result, out, &err), 0);
	fclose(out);
	json_t *report = json_loads(text, 0, NULL);
	assert_int_equal(number(json_object_get(report, "input"), "findings_left_out"),
	                 7);
	assert_int_equal(json_array_size(json_object_get(report, "findings")),
	                 FINDINGS_OF_KIND);
	json_decref(report);
	free(text);
	analysis_free(&a);
	capture_close_path(path);
	capture_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_left_the_tables),
	        cmocka_unit_test(findings_beyond),
	};
	return cmocka_run_group_tests_name("report/json", tests, NULL, NULL);
}
