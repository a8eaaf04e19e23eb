/* What n clients did together, and rank 0's barrier, without MPI: ranks are lines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/base/clock.h"
#include "src/study/clients_barrier.h"
#include "src/study/clients_worker.h"

static void test_jain(void **state)
{
	(void)state;
	const double equal[] = {5, 5, 5, 5}, one[] = {8, 0, 0, 0}, some[] = {1, 2, 3};
	const double none[] = {0, 0};
	assert_float_equal(clients_jain(equal, 4), 1, 1e-12);
	assert_float_equal(clients_jain(one, 4), 0.25, 1e-12);
	assert_float_equal(clients_jain(some, 3), 36.0f / 42, 1e-6);
	assert_float_equal(clients_jain(none, 2), 0, 0);
}

static void test_hosts(void **state)
{
	(void)state;
	char word[8];
	assert_true(clients_host("atm,atm2", 0, word, sizeof word));
	assert_string_equal(word, "atm");
	assert_true(clients_host(" atm, atm2 atm3\n", 2, word, sizeof word));
	assert_string_equal(word, "atm3");
	assert_false(clients_host("atm,atm2", 2, word, sizeof word));
	assert_false(clients_host("", 0, word, sizeof word));
	assert_false(clients_host("much-too-long", 0, word, sizeof word));
	char *filled = worker_fill("ssh {} -x {}", "c1");
	assert_string_equal(filled, "ssh c1 -x c1");
	free(filled);
}

static json_t *rank(int bytes, double seconds)
{
	return json_pack("{s:[{s:s, s:s, s:I, s:I, s:I, s:I, s:b}]}", "phases", "name",
	                 "bulk-read", "cache", "cold", "stored_ns",
	                 (json_int_t)(seconds * 1e9), "cpu_ns", (json_int_t)100000000,
	                 "bytes", (json_int_t)bytes, "operations", (json_int_t)16,
	                 "failed", 0);
}

static double figure(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

/* Two clients of 1 MiB, one in 1 s, one in 2; a third has nothing to show. */
static void test_joint_phases(void **state)
{
	(void)state;
	json_t *ranks = json_pack("[o, o, {s:[]}]", rank(1 << 20, 1), rank(1 << 20, 2),
	                          "phases");
	json_t *marks = json_pack(
	        "[{s:s, s:i, s:i, s:i}, {s:s, s:i, s:i, s:i}, {s:s, s:i}]", "name",
	        "cold/bulk-read", "server_cpu_ns", 300, "machine_busy_ns", 100000000,
	        "machine_time_ns", 300000000, "name", "cold/bulk-read#2",
	        "server_cpu_ns", 200, "machine_busy_ns", 200000000, "machine_time_ns",
	        300000000, "name", "cold/bulk-reader", "server_cpu_ns", 7);
	json_t *phases = clients_phases(ranks, marks);
	assert_int_equal(json_array_size(phases), 1);
	const json_t *p = json_array_get(phases, 0);
	assert_float_equal(figure(p, "ranks"), 2, 0);
	assert_float_equal(figure(p, "rate"), 1024, 1e-9); /* 2 MiB in 2 s */
	assert_float_equal(figure(p, "rate_sum"), 1536, 1e-9);
	const double jain = 1536.0 * 1536 / (2 * (1024.0 * 1024 + 512 * 512));
	assert_true(fabs(figure(p, "jain") - jain) < 1e-9);
	assert_float_equal(figure(p, "server_cpu_ns"), 500, 0);
	assert_float_equal(figure(p, "machine_busy_share"), 0.5, 0);
	assert_float_equal(figure(p, "client_cpu_s_per_mib"), 0.1, 1e-9);
	/* the third one's work is in the server's time and not in the bytes */
	assert_null(json_object_get(p, "server_cpu_s_per_mib"));
	json_decref(phases);
	json_array_remove(ranks, 2);
	phases = clients_phases(ranks, marks);
	p = json_array_get(phases, 0);
	assert_float_equal(figure(p, "server_cpu_s_per_mib"), 250e-9, 1e-12);
	json_decref(phases);
	/* a pass whose CPU time is not known: the sum is not known, and not less */
	json_object_del(json_array_get(marks, 1), "server_cpu_ns");
	phases = clients_phases(ranks, marks);
	p = json_array_get(phases, 0);
	assert_null(json_object_get(p, "server_cpu_ns"));
	assert_null(json_object_get(p, "server_cpu_share"));
	assert_float_equal(figure(p, "machine_busy_share"), 0.5, 0);
	json_decref(phases);
	json_decref(ranks);
	json_decref(marks);
}

/* What the barrier said: "0:go 1:go ". */
static char said[256];

static void on_say(void *ctx, int to, const char *text)
{
	(void)ctx;
	size_t n = strlen(said);
	snprintf(said + n, sizeof said - n, "%d:%s ", to, text);
}

static struct barrier *barrier_of(int ranks)
{
	static char *const words[] = {NULL};
	static const struct clients_config c = {.out = "/nonexistent", .words = words};
	struct barrier *b;
	struct err e = {0};
	said[0] = '\0';
	assert_int_equal(barrier_new(&b, &c, "/nonexistent", ranks, on_say, NULL, &e),
	                 0);
	return b;
}

static void assert_said(struct barrier *b, const char *text)
{
	barrier_step(b, 0);
	assert_string_equal(said, text);
	said[0] = '\0';
}

static const char complete[] = "exit 0 {\"end\":\"complete\",\"phases\":[]}";

static void test_barrier(void **state)
{
	(void)state;
	struct barrier *b = barrier_of(2);
	bool whole;
	struct err e = {0};
	assert_said(b, "");
	barrier_take(b, 1, "begin 1 5 cold/bulk-write");
	assert_said(b, ""); /* rank 0 is not there yet */
	barrier_take(b, 0, "begin 1 5 cold/bulk-write");
	assert_said(b, "0:go 1:go ");
	barrier_take(b, 0, "end 1 6");
	barrier_take(b, 0, "begin 2 7 cold/bulk-read");
	assert_said(b, ""); /* rank 1 is still in the phase before */
	barrier_take(b, 1, "end 1 8");
	assert_said(b, "");
	barrier_take(b, 1, "begin 2 9 cold/bulk-read");
	assert_said(b, "0:go 1:go ");
	barrier_take(b, 0, "end 2 9");
	barrier_take(b, 1, "end 2 9");
	barrier_take(b, 0, "finish");
	assert_said(b, ""); /* the probe must see rank 1's end, too */
	barrier_take(b, 1, "finish");
	assert_said(b, "0:done 1:done ");
	barrier_take(b, 0, complete);
	assert_false(barrier_over(b));
	barrier_take(b, 1, complete);
	assert_true(barrier_over(b));
	assert_string_equal(said, "1:bye ");
	json_t *record = barrier_record(b, &whole, &e);
	assert_true(whole);
	assert_int_equal(e.code, ERR_NONE);
	assert_int_equal(json_array_size(json_object_get(record, "marks")), 2);
	json_decref(record);
	barrier_free(b);
}

/* A rank that needs a pass more than the other does not block it. */
static void test_passes_differ(void **state)
{
	(void)state;
	struct barrier *b = barrier_of(2);
	barrier_take(b, 0, "begin 2 5 cold/write#2");
	barrier_take(b, 1, "begin 3 5 cold/read");
	assert_said(b, "0:go ");
	barrier_take(b, 0, "end 2 6");
	barrier_take(b, 0, "begin 3 6 cold/read");
	barrier_step(b, 0); /* marks the end, lets both go */
	assert_said(b, "0:go 1:go ");
	barrier_free(b);
}

/* A client that dies in a phase, and a rank that falls silent. */
static void test_deaths(void **state)
{
	(void)state;
	struct barrier *b = barrier_of(3);
	bool whole;
	struct err e = {0};
	for (int r = 0; r < 3; r++)
		barrier_take(b, r, "begin 1 5 cold/bulk-write");
	assert_said(b, "0:go 1:go 2:go ");
	barrier_take(b, 2, "exit 1 {\"end\":\"killed by signal 9\",\"phases\":[]}");
	barrier_take(b, 0, "end 1 6");
	barrier_take(b, 0, "begin 2 7 cold/bulk-read");
	assert_said(b, "");
	/* rank 1 was heard of last a moment ago; from now on that is too long ago */
	int64_t later = clock_mono_ns() + 1;
	barrier_step(b, later);
	barrier_step(b, later);
	assert_string_equal(said, "0:go ");
	barrier_take(b, 0, "end 2 8");
	barrier_take(b, 0, "finish");
	barrier_step(b, 0);
	barrier_step(b, 0);
	barrier_take(b, 0, complete);
	said[0] = '\0';
	assert_true(barrier_over(b));
	assert_string_equal(said, "2:bye broken ");
	json_t *record = barrier_record(b, &whole, &e);
	assert_false(whole);
	assert_int_equal(e.code, ERR_PARTIAL);
	assert_non_null(strstr(e.text, "rank 1"));
	const json_t *ranks = json_object_get(record, "ranks");
	assert_string_equal(
	        json_string_value(json_object_get(json_array_get(ranks, 2), "end")),
	        "killed by signal 9 in cold/bulk-write");
	assert_string_equal(
	        json_string_value(json_object_get(json_array_get(ranks, 1), "end")),
	        "no sign of life, last in cold/bulk-write");
	json_decref(record);
	barrier_free(b);
}

/* The page of a study shows all clients together, not the first of them. */
static void test_join(void **state)
{
	(void)state;
	struct run_phase p[] = {{.name = "bulk-write",
	                         .cache = "cold",
	                         .bytes = 2 << 20,
	                         .written_bytes = 2 << 20,
	                         .operations = 32,
	                         .stored_ns = 300000000,
	                         .cpu_ns = 10,
	                         .latency = {.of = "write", .count = 5}},
	                        {.name = "bulk-read", .cache = "cold", .bytes = 7}};
	struct run r = {.phases = p, .nphases = 2};
	json_t *record = json_loads(
	        "{\"phases\":[{\"name\":\"bulk-write\",\"cache\":\"cold\",\"ranks\":2,"
	        "\"bytes\":4194304,\"operations\":64,\"seconds\":0.4,"
	        "\"client_cpu_ns\":25,\"server_cpu_ns\":8000000000,"
	        "\"server_cpu_s_per_mib\":2,\"latency\":{\"of\":\"write\",\"count\":64,"
	        "\"p99_ns\":77}},"
	        "{\"name\":\"bulk-read\",\"cache\":\"cold\",\"ranks\":1,\"bytes\":9}]}",
	        0, NULL);
	assert_non_null(record);
	clients_join(&r, record);
	assert_float_equal(run_phase_kib_s(&p[0]), 10240, 1e-3);
	assert_int_equal(p[0].written_bytes, 4 << 20);
	assert_int_equal(p[0].operations, 64);
	assert_int_equal(p[0].cpu_ns, 25);
	assert_true(p[0].cpu.has_server && !p[0].cpu.has_split);
	assert_true(run_phase_s_per_mib(&p[0], p[0].cpu.server_ns) == 2);
	assert_string_equal(p[0].latency.of, "write");
	assert_int_equal(p[0].latency.count, 64);
	assert_int_equal(p[0].latency.p99_ns, 77);
	assert_int_equal(p[1].bytes, 7); /* alone: its own record is exact */
	clients_join(&r, NULL);
	assert_int_equal(p[0].bytes, 4 << 20);
	json_decref(record);
}

/* Lines that no rank of ours sends change nothing. */
static void test_nonsense(void **state)
{
	(void)state;
	struct barrier *b = barrier_of(1);
	barrier_take(b, 7, "begin 1 5 x");
	barrier_take(b, -1, "begin 1 5 x");
	barrier_take(b, 0, "begin one");
	barrier_take(b, 0, "");
	assert_said(b, "");
	barrier_take(b, 0, "exit");
	assert_false(barrier_over(b));
	barrier_take(b, 0, "exit 0 {broken");
	assert_true(barrier_over(b));
	barrier_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_jain),          cmocka_unit_test(test_hosts),
	        cmocka_unit_test(test_joint_phases),  cmocka_unit_test(test_barrier),
	        cmocka_unit_test(test_passes_differ), cmocka_unit_test(test_deaths),
	        cmocka_unit_test(test_nonsense),      cmocka_unit_test(test_join),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
