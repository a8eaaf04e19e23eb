#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/joined.h"
#include "src/report/report.h"
#include "tests/support/tmpdir.h"

static const char probe_json[] =
        "{\"schema\":\"netprobe-report/1\",\"phases\":[{\"id\":1,\"name\":"
        "\"cold/block-input\",\"begin_ns\":1000000000,\"end_ns\":3000000000,"
        "\"interfaces\":[{\"name\":\"atm0\",\"to_client\":{\"ip_packets\":3803,"
        "\"ip_bytes\":33600000,\"rx_datagrams\":3803,\"rx_data_bytes\":33554432,"
        "\"fragments\":0,\"datagram_sizes\":[[8520,3800],[1440,3]],"
        "\"ceiling_bytes_per_s\":16717500.0,\"share_of_ceiling\":0.987},"
        "\"to_server\":{\"ip_packets\":1900,\"ip_bytes\":123,\"resends\":2}},"
        "{\"name\":\"eth0\"}]},{\"id\":2}],\"verdicts\":[{\"interface\":\"atm0\","
        "\"client\":\"10.0.0.1\",\"server\":\"10.0.0.2\","
        "\"direction\":\"to_server\",\"service\":\"fs\","
        "\"text\":\"jumbograms of 6\"}]}";

static void write_probe(const char *dir, const char *text)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/probe.json", dir);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static struct run_phase block_input(uint64_t bytes)
{
	struct run_phase p = {.id = 1,
	                      .reads_all = true,
	                      .cold_proven = true,
	                      .stored_ns = 2000000000,
	                      .call_ns = 2000000000,
	                      .bytes = bytes};
	strcpy(p.name, "block-input");
	strcpy(p.cache, "cold");
	return p;
}

static void test_joined_rows(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	struct probe_result p;
	struct err e = {0};
	struct run_phase phase = block_input(32 << 20);
	struct run r = {.phases = &phase, .nphases = 1};
	size_t n;
	write_probe(dir, probe_json);
	assert_int_equal(probe_result_load(&p, dir, &e), 0);
	assert_non_null(probe_result_phase(&p, 2));
	assert_null(probe_result_phase(&p, 3));
	struct joined *j = joined_rows(&r, &p, &n);
	assert_int_equal(n, 1);
	assert_true(j[0].to_client);
	assert_string_equal(j[0].interface, "atm0");
	assert_true(fabs(j[0].wire_kib_s - 33600000 / 1024.0 / 2) < 0.01);
	assert_true(fabs(j[0].share - 0.987) < 1e-9);
	assert_int_equal(j[0].flow->top_size, 8520);
	assert_true(fabs(j[0].top_share - 3800 / 3803.0) < 1e-9);
	free(j);
	/* as in a rewrite: both directions carry much */
	p.phases[0].interfaces[0].to_server.rx_data_bytes = 4 << 20;
	j = joined_rows(&r, &p, &n);
	assert_int_equal(n, 2);
	assert_false(j[1].to_client);
	assert_int_equal(j[1].resends, 2);
	assert_true(j[1].share < 0);
	free(j);
	probe_result_fini(&p);
	tmpdir_remove(dir);
}

static void test_probe_result_bad_files(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "{\"phases\":", "[]", "null", "{} x"};
	static const char *const odd[] = {"{}", "{\"phases\":3}",
	                                  "{\"phases\":[7,null,{\"interfaces\":5}]}",
	                                  "{\"phases\":[{\"id\":1,\"interfaces\":[{"
	                                  "\"to_client\":{\"datagram_sizes\":[[1],3,"
	                                  "[-1,-2]],\"ip_packets\":-5}}]}],"
	                                  "\"verdicts\":\"x\"}"};
	char *dir = tmpdir_make();
	struct probe_result p;
	assert_int_equal(probe_result_load(&p, dir, NULL), 1);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err e = {0};
		write_probe(dir, bad[i]);
		assert_int_equal(probe_result_load(&p, dir, &e), -1);
		assert_int_equal(e.code, ERR_PARTIAL);
	}
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		write_probe(dir, odd[i]);
		assert_int_equal(probe_result_load(&p, dir, NULL), 0);
		probe_result_fini(&p);
	}
	tmpdir_remove(dir);
}

/* Cold is believed only if the data came over the wire. */
static void test_report_judge_cold(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	struct probe_result p;
	struct run_phase phases[] = {block_input(32 << 20), block_input(64 << 20)};
	struct run r = {.workload = "bonnie", .phases = phases, .nphases = 2};
	write_probe(dir, probe_json);
	assert_int_equal(probe_result_load(&p, dir, NULL), 0);
	report_judge_caches(&r, &p);
	assert_true(phases[0].cold_proven);
	assert_non_null(strstr(phases[0].cold_proof, "33554432 bytes of Rx data came"));
	assert_false(phases[1].cold_proven);
	probe_result_fini(&p);
	tmpdir_remove(dir);
}

/* Warm is shown by what the probe saw only where data come over the network at all. */
static void test_report_judge_warm(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	struct probe_result p;
	struct run_phase phases[] = {block_input(32 << 20), block_input(32 << 20)};
	struct run r = {.workload = "bonnie", .phases = phases, .nphases = 2};
	for (size_t i = 0; i < 2; i++) {
		strcpy(phases[i].cache, "warm");
		phases[i].read_bytes = 32 << 20;
		phases[i].received_bytes = i == 0 ? 33 << 20 : -1;
	}
	write_probe(dir, probe_json);
	assert_int_equal(probe_result_load(&p, dir, NULL), 0);
	report_judge_caches(&r, &p);
	assert_true(run_phase_not_warm(&phases[0]));
	assert_string_equal(
	        phases[0].warm_proof,
	        "33554432 bytes of Rx data came, of 33554432 that were read");
	assert_false(phases[1].warm_proven || phases[1].warm_refuted);
	assert_string_equal(phases[1].warm_proof, "");
	probe_result_fini(&p);
	tmpdir_remove(dir);
}

static void test_report_text_and_json_agree(void **state)
{
	(void)state;
	char *dir = tmpdir_make(), *text;
	size_t size;
	struct probe_result p;
	struct run_phase phase = block_input(32 << 20);
	struct run r = {.workload = "bonnie",
	                .phases = &phase,
	                .nphases = 1,
	                .problems = json_array(),
	                .facts = json_object()};
	write_probe(dir, probe_json);
	assert_int_equal(probe_result_load(&p, dir, NULL), 0);
	FILE *f = open_memstream(&text, &size);
	report_text(&r, &p, f);
	fclose(f);
	assert_non_null(strstr(text, "cold/block-input"));
	assert_non_null(strstr(text, "16384     16406          98.7      8520"));
	assert_non_null(strstr(text, "atm0, 10.0.0.1 to 10.0.0.2: jumbograms of 6\n"));
	json_t *o = report_json(&r, &p);
	const json_t *row = json_array_get(
	        json_object_get(json_object_get(o, "probe"), "phases"), 0);
	assert_int_equal(json_integer_value(json_object_get(row, "datagram_size")),
	                 8520);
	assert_true(json_real_value(json_object_get(row, "share_of_ceiling")) == 0.987);
	json_decref(o);
	json_decref(r.problems);
	json_decref(r.facts);
	free(text);
	probe_result_fini(&p);
	tmpdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_joined_rows),
	        cmocka_unit_test(test_probe_result_bad_files),
	        cmocka_unit_test(test_report_judge_cold),
	        cmocka_unit_test(test_report_judge_warm),
	        cmocka_unit_test(test_report_text_and_json_agree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
