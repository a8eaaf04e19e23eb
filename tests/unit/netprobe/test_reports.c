/* Cases of trouble with other tools that only a whole run shows, from a capture file
 * to the report: tests/README.md names them. */
#include "netprobe/report/json.h"
#include "netprobe/report/result_pair.h"
#include "netprobe/report/text.h"
#include "tests/support/pkt_build.h"
#include "tests/support/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static struct pkt p;

static void put(struct capture *c, uint32_t sec, uint32_t fraction)
{
	capture_u32(c, sec);
	capture_u32(c, fraction);
	capture_u32(c, (uint32_t)p.len);
	capture_u32(c, (uint32_t)p.len);
	capture_put(c, p.bytes, p.len);
}

static void build_data(bool tagged, uint32_t serial, size_t data)
{
	pkt_begin(&p);
	pkt_ethernet(&p, tagged ? PKT_TYPE_VLAN : PKT_TYPE_IP4);
	if (tagged)
		pkt_vlan(&p, 210, PKT_TYPE_IP4);
	pkt_ip4(&p, &(struct pkt_ip4){.id = (uint16_t)serial});
	pkt_udp(&p, 7000, 7001);
	pkt_rx(&p, &(struct rx_header){.epoch = 0x90000001,
	                               .cid = 0x1000,
	                               .call = 1,
	                               .seq = serial,
	                               .serial = serial,
	                               .type = RX_DATA,
	                               .service = 1});
	pkt_fill(&p, data);
	pkt_end(&p);
}

static void analyse(const struct capture *c, int64_t interval_ns, struct analysis *a)
{
	char path[64];
	const char *paths[] = {capture_path(c, path)};
	const struct analysis_options o = {
	        .paths = paths, .n_paths = 1, .interval_ns = interval_ns};
	struct err err = {0};
	if (analysis_run(a, &o, &err) != 0)
		fail_msg("%s", err.text);
	capture_close_path(path);
}

static char *json_of(const struct analysis *a)
{
	char *text = NULL;
	size_t n;
	struct err err = {0};
	FILE *out = open_memstream(&text, &n);
	assert_int_equal(report_json(&a->result, out, &err), 0);
	fclose(out);
	return text;
}

/* 31: a capture in nanoseconds keeps all of them. */
static void nanoseconds_reach_the_report(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct capture c = {0};
		struct analysis a;
		capture_pcap(&c, CAPTURE_NANO, big, 0, LINK_ETHERNET);
		build_data(false, 1, 100);
		put(&c, 1700000000, 123456789);
		put(&c, 1700000000, 987654321);
		analyse(&c, 0, &a);
		char *text = json_of(&a);
		assert_non_null(strstr(text, "\"first_ns\": 1700000000123456789"));
		assert_non_null(strstr(text, "\"last_ns\": 1700000000987654321"));
		free(text);
		analysis_free(&a);
		capture_free(&c);
	}
}

/* 41: a tag makes frames longer, not packets. */
static void a_tag_changes_no_size(void **state)
{
	struct analysis a[2];
	(void)state;
	for (int tagged = 0; tagged < 2; tagged++) {
		struct capture c = {0};
		capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
		build_data(tagged, 1, 1444);
		put(&c, 1, 0);
		analyse(&c, 0, &a[tagged]);
		capture_free(&c);
	}
	const struct iface_stats *plain = a[0].result.ifaces[0].stats;
	const struct iface_stats *tag = a[1].result.ifaces[0].stats;
	assert_int_equal(plain->wire_bytes, 1514);
	assert_int_equal(tag->wire_bytes, 1518);
	assert_int_equal(plain->ip_lengths.max, 1500);
	assert_int_equal(tag->ip_lengths.max, 1500);
	assert_int_equal(tag->ip_bytes, plain->ip_bytes);
	assert_string_equal(a[1].result.flows[0].chosen[TO_CLIENT],
	                    a[0].result.flows[0].chosen[TO_CLIENT]);
	analysis_free(&a[0]);
	analysis_free(&a[1]);
}

/* 48: IPv6 offsets are bytes once multiplied by 8: 1448 + 1448 + 1448 + 434. */
static void ip6_datagram_of_four_pieces(void **state)
{
	static const uint32_t sizes[] = {1448, 1448, 1448, 434};
	struct capture c = {0};
	struct analysis a;
	uint32_t offset = 0;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	for (uint32_t i = 0; i < 4; i++) {
		pkt_begin(&p);
		pkt_ethernet(&p, PKT_TYPE_IP6);
		pkt_ip6(&p, &(struct pkt_ip6){.next = PKT_PROTO_FRAGMENT});
		pkt_ip6_fragment(&p, PKT_PROTO_UDP, offset, i < 3, 77);
		if (i == 0)
			pkt_udp_of(&p, 53, 5000, 4770);
		pkt_fill(&p, sizes[i] - (i == 0 ? 8 : 0));
		pkt_end(&p);
		put(&c, 1, i);
		offset += sizes[i];
	}
	analyse(&c, 0, &a);
	assert_int_equal(a.result.ifaces[0].stats->trains[FRAGMENT_WHOLE], 1);
	assert_int_equal(a.result.n_pairs, 1);
	assert_int_equal(a.result.pairs[0].pair->fragments.udp_max, 4770);
	assert_int_equal(a.result.pairs[0].pair->fragments.datagram_max, 4778 + 40);
	analysis_free(&a);
	capture_free(&c);
}

/* 57: the hour that Berlin has twice.  The zone changes nothing, and a second is a
 * second. */
static void clocks_going_back_change_nothing(void **state)
{
	struct capture c = {0};
	char *text[2];
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	build_data(false, 1, 100);
	put(&c, 1729990799, 0); /* 2024-10-27T00:59:59Z */
	build_data(false, 2, 100);
	put(&c, 1729990801, 0);
	for (int i = 0; i < 2; i++) {
		struct analysis a;
		size_t n;
		setenv("TZ", i ? "Europe/Berlin" : "UTC", 1);
		tzset();
		analyse(&c, INT64_C(1000000000), &a);
		assert_int_equal(a.result.last_ns - a.result.first_ns, 2000000000);
		const struct series_row **rows =
		        series_sorted(track_series(a.result.track), &n);
		assert_int_equal(n, 2);
		assert_int_equal(rows[1]->key.begin_ns - rows[0]->key.begin_ns,
		                 2000000000);
		free(rows);
		char *json = json_of(&a);
		text[i] =
		        strdup(strstr(json, "\"first_ns\"")); /* paths differ before */
		free(json);
		analysis_free(&a);
	}
	setenv("TZ", "UTC", 1);
	tzset();
	/* the capture's path is in the interface's name */
	char *x = strstr(text[0], "\"interfaces\""),
	     *y = strstr(text[1], "\"interfaces\"");
	assert_int_equal(x - text[0], y - text[1]);
	assert_memory_equal(text[0], text[1], (size_t)(x - text[0]));
	x = strstr(text[0], "\"intervals\"");
	y = strstr(text[1], "\"intervals\"");
	assert_int_equal(strlen(x), strlen(y));
	free(text[0]);
	free(text[1]);
	capture_free(&c);
}

static char *text_of(const struct analysis *a)
{
	const struct report_text_options o = {0};
	char *text = NULL;
	size_t n;
	struct err err = {0};
	FILE *out = open_memstream(&text, &n);
	assert_int_equal(report_text(&a->result, &o, out, &err), 0);
	fclose(out);
	return text;
}

/* Rows over time begin where the clock says, told from the first frame and not from
 * the first row: 10 s of other traffic pass before there is any Rx. */
static void rows_count_from_the_first_frame(void **state)
{
	struct capture c = {0};
	struct analysis a;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p, &(struct pkt_ip4){.id = 1});
	pkt_udp(&p, 53, 5353);
	pkt_fill(&p, 100);
	pkt_end(&p);
	put(&c, 1700000000, 250000);
	build_data(false, 1, 100);
	put(&c, 1700000010, 250000);
	build_data(false, 2, 100);
	put(&c, 1700000012, 750000);
	analyse(&c, INT64_C(1000000000), &a);
	char *text = text_of(&a);
	assert_non_null(strstr(text, "\n 9.750 "));
	assert_non_null(strstr(text, "\n11.750 "));
	assert_null(strstr(text, "\n 0.000 "));
	free(text);
	analysis_free(&a);
	capture_free(&c);
}

/* What is not known is no number, and the first second of 1970 is one. */
static void times_without_frames_are_unknown(void **state)
{
	(void)state;
	for (int frames = 0; frames < 2; frames++) {
		struct capture c = {0};
		struct analysis a;
		capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
		build_data(false, 1, 100);
		if (frames)
			put(&c, 0, 0);
		analyse(&c, 0, &a);
		char *text = json_of(&a);
		assert_non_null(strstr(text, frames ? "\"first_ns\": 0,"
		                                    : "\"first_ns\": null,"));
		assert_non_null(strstr(text, frames ? "\"last_ns\": 0,"
		                                    : "\"last_ns\": null,"));
		free(text);
		analysis_free(&a);
		capture_free(&c);
	}
}

/* A reply that ends in a packet that was not captured has no duration, and the table
 * tells of how many calls its durations are. */
static void calls_without_an_end_are_not_timed(void **state)
{
	struct capture c = {0};
	struct analysis a;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	build_data(false, 1, 100);
	put(&c, 1, 0);
	analyse(&c, 0, &a);
	char *text = text_of(&a), *row = strstr(text, "not readable");
	assert_non_null(strstr(text, "  timed  ms median"));
	assert_non_null(row);
	*strchr(row, '\n') = 0;
	assert_non_null(strstr(row, "  0          -"));
	free(text);
	analysis_free(&a);
	capture_free(&c);
}

/* What is behind --to is not read to its end, which here would be found to be cut; what
 * is a little out of order still is. */
static void reading_ends_behind_the_window(void **state)
{
	struct capture c = {0};
	struct analysis a;
	struct err err = {0};
	char path[64];
	uint32_t serial = 0;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	for (int i = 0; i < 100; i++) {
		build_data(false, ++serial, 100);
		put(&c, 1700000000, (uint32_t)i);
	}
	for (uint32_t i = 0; i < 5000; i++) {
		build_data(false, ++serial, 100);
		put(&c, 1700000010 + i / 1000, 0);
		if (i == 1500) /* late, but within what is waited for */
			put(&c, 1700000009, 0);
	}
	const char *paths[] = {capture_path_n(&c, c.n - 10, path)};
	struct analysis_options o = {.paths = paths, .n_paths = 1};
	for (int all = 0; all < 2; all++) {
		o.window.to = (struct moment){MOMENT_ABSOLUTE,
		                              INT64_C(1700000010) * 1000000000};
		if (all)
			o.window.to.kind = MOMENT_NONE;
		assert_int_equal(analysis_run(&a, &o, &err), 0);
		assert_int_equal(a.result.frames, all ? 5100 : 101);
		assert_int_equal(source_cut_count(a.source), all);
		assert_int_equal(source_note_count(a.source), !all);
		if (!all)
			assert_non_null(strstr(source_note(a.source, 0),
			                       "what comes behind --to was not read"));
		analysis_free(&a);
	}
	capture_close_path(path);
	capture_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(nanoseconds_reach_the_report),
	        cmocka_unit_test(a_tag_changes_no_size),
	        cmocka_unit_test(ip6_datagram_of_four_pieces),
	        cmocka_unit_test(clocks_going_back_change_nothing),
	        cmocka_unit_test(rows_count_from_the_first_frame),
	        cmocka_unit_test(times_without_frames_are_unknown),
	        cmocka_unit_test(calls_without_an_end_are_not_timed),
	        cmocka_unit_test(reading_ends_behind_the_window),
	};
	return cmocka_run_group_tests_name("reports", tests, NULL, NULL);
}
