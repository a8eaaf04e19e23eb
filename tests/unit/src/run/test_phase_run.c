#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/run/latency.h"
#include "tests/support/bench_run.h"
#include "tests/support/virtual_clock.h"

enum { MS = 1000000, PASS = 64 * MS };

/* 64 writes of a millisecond, closes that take none. */
static struct bench_run prepare(void)
{
	struct bench_run b;
	virtual_clock_start();
	bench_run_init(&b, &engine_null, &workload_bulk);
	b.c.engine_options.null.delay_ns[ENGINE_WRITE] = MS;
	b.c.workload_options.phases = "bulk-write";
	return b;
}

static void test_phase_run_repeats_a_short_phase(void **state)
{
	(void)state;
	struct bench_run b = prepare();
	b.c.min_ns = 500 * MS;
	bench_run_execute(&b);
	assert_int_equal(b.result, 0);
	const struct run_phase *p = &b.r.phases[0];
	assert_int_equal(p->npasses, 8); /* 8 * 64 ms */
	assert_false(run_phase_short(p));
	assert_int_equal(p->operations, 8 * 64);
	assert_int_equal(p->bytes, 8 << 20);
	assert_int_equal(p->latency.count, 8 * 64);
	int64_t sum = 0;
	for (size_t i = 0; i < p->npasses; i++) {
		const struct run_pass *pass = &p->passes[i];
		assert_int_equal(pass->bytes, 1 << 20);
		assert_int_equal(pass->id, p->id + (int)i);
		assert_true(fabs((double)pass->stored_ns / PASS - 1) < 0.01);
		sum += pass->stored_ns;
	}
	assert_int_equal(sum, p->stored_ns);
	assert_true(fabs(run_phase_kib_s(p) / 16000 - 1) < 0.01);
	struct run back; /* the record keeps each of them */
	assert_int_equal(run_load(&back, b.r.dir, &b.e), 0);
	assert_int_equal(back.phases[0].npasses, 8);
	json_t *kept = run_json(&back), *had = run_json(&b.r);
	assert_true(json_equal(json_object_get(kept, "phases"),
	                       json_object_get(had, "phases")));
	json_decref(kept);
	json_decref(had);
	assert_int_equal(back.phases[0].latency.p99_ns, p->latency.p99_ns);
	assert_string_equal(back.phases[0].latency.of, "write");
	assert_int_equal(back.phases[0].latency.hist.count, 8 * 64);
	run_latency_sum_up(&back.phases[0].latency); /* the histogram says the same */
	assert_int_equal(back.phases[0].latency.p50_ns, p->latency.p50_ns);
	assert_int_equal(back.phases[0].latency.p99_ns, p->latency.p99_ns);
	run_fini(&back);
	bench_run_clear(&b);
}

static void test_phase_run_long_enough_runs_once(void **state)
{
	(void)state;
	struct bench_run b = prepare();
	b.c.min_ns = 50 * MS;
	bench_run_execute(&b);
	assert_int_equal(b.r.phases[0].npasses, 1);
	bench_run_clear(&b);
}

/* Each pass of a cold phase is made cold anew, untimed. */
static void test_phase_run_cold_before_each_pass(void **state)
{
	(void)state;
	struct bench_run b = prepare();
	b.c.workload_options.phases = "bulk-read";
	b.c.engine_options.null.delay_ns[ENGINE_WRITE] = 0;
	b.c.engine_options.null.delay_ns[ENGINE_DROP] = 30 * MS;
	b.c.engine_options.null.delay_ns[ENGINE_READ] = MS / 4;
	b.c.passes = 5;
	int64_t start = clock_mono_ns();
	bench_run_execute(&b);
	assert_true(clock_mono_ns() - start > 5 * (30 + 16) * MS);
	const struct run_phase *p = &b.r.phases[0];
	assert_int_equal(p->npasses, 5);
	assert_true(fabs((double)p->stored_ns / (5 * 16 * MS) - 1) < 0.01);
	assert_true(p->cold_proven);
	bench_run_clear(&b);
}

/* Nothing is measured, so it ends by the clock on the wall or by the number. */
static void test_phase_run_gives_up_and_says_so(void **state)
{
	(void)state;
	struct bench_run b = prepare();
	b.c.workload_options.phases = "bulk-read";
	b.c.engine_options.null.delay_ns[ENGINE_WRITE] = 0;
	b.c.engine_options.null.delay_ns[ENGINE_DROP] = 40 * MS;
	b.c.min_ns = 20 * MS;
	bench_run_execute(&b);
	assert_int_equal(b.result, 0);
	assert_true(b.r.phases[0].npasses > 1 && b.r.phases[0].npasses < 15);
	assert_true(run_phase_short(&b.r.phases[0]));
	bench_run_clear(&b);
}

/* What the passes before gave is kept, and the phase is called failed. */
static void test_phase_run_failure_in_a_later_pass(void **state)
{
	(void)state;
	struct bench_run b = prepare();
	struct null_options *o = &b.c.engine_options.null;
	o->fail_op = ENGINE_WRITE;
	o->fail_at = 3 * 64 + 10;
	o->fail_errno = ENOSPC;
	b.c.passes = 6;
	bench_run_execute(&b);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_non_null(strstr(b.e.text, "cold/bulk-write#4: writing at offset"));
	assert_int_equal(b.r.nphases, 1);
	assert_true(b.r.phases[0].failed);
	assert_int_equal(b.r.phases[0].npasses, 3);
	assert_int_equal(b.r.phases[0].bytes, 3 << 20);
	bench_run_clear(&b);
}

/* What is read and what is written is told apart, and read back from the record. */
static void test_phase_run_tells_directions(void **state)
{
	(void)state;
	static const struct {
		const struct workload *workload;
		const char *phase;
		uint64_t read, written;
	} cases[] = {
	        {&workload_bulk, "bulk-write", 0, 1 << 20},
	        {&workload_bulk, "bulk-read", 1 << 20, 0},
	        {&workload_bonnie, "rewrite", 1 << 20, 1 << 20},
	        {&workload_bonnie, "per-char-input", 1 << 20, 0},
	        {&workload_bonnie, "random-seeks", 60 * 16384, 6 * 16384},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench_run b;
		bench_run_init(&b, &engine_null, cases[i].workload);
		b.c.workload_options.phases = cases[i].phase;
		bench_run_execute(&b);
		assert_int_equal(b.result, 0);
		struct run back;
		assert_int_equal(run_load(&back, b.r.dir, &b.e), 0);
		assert_int_equal(back.phases[0].read_bytes, cases[i].read);
		assert_int_equal(back.phases[0].written_bytes, cases[i].written);
		assert_int_equal(back.phases[0].received_bytes, -1); /* no network */
		run_fini(&back);
		bench_run_clear(&b);
	}
}

/* Both ways in one phase: the sum is what the phase moved. */
static void test_phase_run_directions_add_up(void **state)
{
	(void)state;
	static const struct workload *const both[] = {&workload_mixed, &workload_tree};
	for (size_t k = 0; k < 2; k++) {
		struct bench_run b;
		bench_run_init(&b, &engine_null, both[k]);
		bench_run_execute(&b);
		for (size_t i = 0; i < b.r.nphases; i++) {
			const struct run_phase *p = &b.r.phases[i];
			assert_int_equal(p->read_bytes + p->written_bytes, p->bytes);
		}
		const struct run_phase *p =
		        bench_run_phase(&b, k == 0 ? "mixed" : "tag");
		assert_true(p->read_bytes > 0 && p->written_bytes > 0);
		bench_run_clear(&b);
	}
}

/* Where neither pages nor bytes can be counted, the record says so. */
static void test_phase_run_warm_says_why_not(void **state)
{
	(void)state;
	struct bench_run b;
	bench_run_init(&b, &engine_null, &workload_bulk);
	b.c.caches[0] = CACHE_WARM;
	bench_run_execute(&b);
	const struct run_phase *p = bench_run_phase(&b, "bulk-write");
	assert_true(p->warm_proven);
	assert_string_equal(p->warm_proof, "the phase reads no file");
	p = bench_run_phase(&b, "bulk-read");
	assert_false(p->warm_proven || p->warm_refuted);
	assert_non_null(strstr(p->warm_proof, "with this engine, neither"));
	bench_run_clear(&b);
}

static unsigned network(void *st)
{
	(void)st;
	return ENGINE_NETWORK;
}

/* Where data come over the network and nothing came: warm, not cold, not stored. */
static void test_phase_run_counts_what_came(void **state)
{
	(void)state;
	struct engine_ops ops = engine_posix;
	struct bench_run b;
	ops.caps_here = network;
	bench_run_init(&b, &ops, &workload_bulk);
	b.c.caches[1] = CACHE_WARM;
	b.c.ncaches = 2;
	bench_run_execute(&b);
	assert_int_equal(b.r.nphases, 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(b.r.phases[i].received_bytes >= 0);
	if (b.r.phases[1].received_bytes > 10000 ||
	    b.r.phases[3].received_bytes > 10000)
		skip(); /* others use the network at this moment */
	assert_true(run_phase_not_cold(&b.r.phases[1]));
	assert_true(b.r.phases[3].warm_proven);
	assert_true(run_phase_not_stored(&b.r.phases[2]));
	assert_false(run_phase_not_stored(&b.r.phases[3]));
	bench_run_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_phase_run_repeats_a_short_phase),
	        cmocka_unit_test(test_phase_run_long_enough_runs_once),
	        cmocka_unit_test(test_phase_run_cold_before_each_pass),
	        cmocka_unit_test(test_phase_run_gives_up_and_says_so),
	        cmocka_unit_test(test_phase_run_failure_in_a_later_pass),
	        cmocka_unit_test(test_phase_run_tells_directions),
	        cmocka_unit_test(test_phase_run_directions_add_up),
	        cmocka_unit_test(test_phase_run_warm_says_why_not),
	        cmocka_unit_test(test_phase_run_counts_what_came),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
