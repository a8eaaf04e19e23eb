#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/base/clock.h"
#include "tests/support/bench_run.h"

enum { BLOCKS = 64, MS = 1000000 };

static struct bench_run prepare(const struct engine_ops *engine)
{
	struct bench_run b;
	bench_run_init(&b, engine, &workload_bonnie);
	return b;
}

static void assert_good(const struct bench_run *b)
{
	if (b->result < 0)
		fail_msg("%s", b->e.text);
}

static void test_bonnie_per_char_variants_have_names_of_their_own(void **state)
{
	(void)state;
	struct bench_run b = prepare(&engine_null);
	b.c.workload_options.per_char = PER_CHAR_BOTH;
	bench_run_execute(&b);
	assert_good(&b);
	const struct run_phase *stdio = bench_run_phase(&b, "per-char-output");
	const struct run_phase *byte = bench_run_phase(&b, "per-byte-output");
	assert_int_equal(b.r.nphases, 8);
	assert_int_equal(stdio->bytes, byte->bytes);
	assert_true(byte->verified);
	/* stdio makes a call of 8 KiB: 128 in a mebibyte */
	assert_int_equal(stdio->latency.count, 128);
	assert_string_equal(byte->latency.of, "write of a byte");
	assert_true(byte->latency.count > 1000);
	assert_non_null(bench_run_phase(&b, "per-byte-input"));
	bench_run_clear(&b);
}

static void test_bonnie_without_per_char(void **state)
{
	(void)state;
	struct bench_run b = prepare(&engine_posix);
	b.c.workload_options.per_char = PER_CHAR_NONE;
	b.c.workload_options.fsync = FSYNC_EVERY;
	bench_run_execute(&b);
	assert_good(&b);
	assert_int_equal(b.r.nphases, 4);
	assert_string_equal(b.r.phases[0].name, "block-output");
	assert_true(bench_run_phase(&b, "rewrite")->verified);
	assert_true(bench_run_is_clean(b.dir));
	bench_run_clear(&b);
}

/* Four seekers wait for four reads at once: a quarter of the time, all of the seeks,
 * and each still takes what was programmed. */
static void test_bonnie_seekers_work_at_once(void **state)
{
	(void)state;
	struct bench_run b = prepare(&engine_null);
	b.c.workload_options.phases = "random-seeks";
	b.c.workload_options.seekers = 4;
	b.c.workload_options.seeks = 100;
	b.c.engine_options.null.delay_ns[ENGINE_READ] = 4 * MS;
	bench_run_execute(&b);
	assert_good(&b);
	const struct run_phase *p = &b.r.phases[0];
	assert_int_equal(p->operations, 100);
	assert_int_equal(p->bytes, 100 * 16384);
	assert_int_equal(p->latency.count, 100);
	assert_true(p->call_ns >= 100 * MS);
	assert_true(p->call_ns < 300 * MS); /* one seeker takes 400 */
	assert_true(p->latency.p50_ns > 39 * MS / 10 && p->latency.p50_ns < 12 * MS);
	bench_run_clear(&b);
}

static void test_bonnie_seekers_fail_in_order(void **state)
{
	(void)state;
	struct bench_run b = prepare(&engine_null);
	b.c.workload_options.seekers = 3;
	b.c.workload_options.per_char = PER_CHAR_NONE;
	struct null_options *o = &b.c.engine_options.null;
	o->fail_op = ENGINE_READ;
	o->fail_at = BLOCKS * 3 + 20; /* rewrite, verification, input, seeks */
	o->fail_errno = EIO;
	bench_run_execute(&b);
	assert_int_equal(b.result, -1);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_non_null(strstr(b.e.text, "cold/random-seeks: reading at offset"));
	assert_int_equal(b.r.nphases, 3);
	bench_run_clear(&b);
}

/* A phase that is selected alone finds the file it needs, untimed. */
static void test_bonnie_selected_phases(void **state)
{
	(void)state;
	struct bench_run b = prepare(&engine_posix);
	b.c.workload_options.phases = "rewrite,block-input";
	b.c.caches[1] = CACHE_WARM;
	b.c.ncaches = 2;
	bench_run_execute(&b);
	assert_good(&b);
	assert_int_equal(b.r.nphases, 4);
	assert_string_equal(b.r.phases[0].name, "rewrite");
	assert_true(b.r.phases[0].verified && b.r.phases[2].verified);
	const struct run_phase *warm = &b.r.phases[3];
	assert_string_equal(warm->cache, "warm");
	assert_int_equal(warm->warm_bytes, 1 << 20);
	assert_int_equal(warm->warm_operations, BLOCKS);
	assert_string_equal(warm->warm_means, "all was read once, untimed");
	assert_true(warm->warm_proven);
	assert_non_null(strstr(warm->warm_proof, "256 of 256 pages resident"));
	assert_string_equal(warm->server_cache, "not touched");
	bench_run_clear(&b);
}

/* An odd and an even number of rewrites leave different words: both are known. */
static void test_bonnie_repeated_rewrites_verify(void **state)
{
	(void)state;
	for (unsigned passes = 2; passes <= 3; passes++) {
		struct bench_run b = prepare(&engine_null);
		b.c.workload_options.phases = "rewrite";
		b.c.passes = passes;
		bench_run_execute(&b);
		assert_good(&b);
		assert_int_equal(b.r.phases[0].npasses, passes);
		assert_true(b.r.phases[0].verified);
		bench_run_clear(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_bonnie_per_char_variants_have_names_of_their_own),
	        cmocka_unit_test(test_bonnie_without_per_char),
	        cmocka_unit_test(test_bonnie_seekers_work_at_once),
	        cmocka_unit_test(test_bonnie_seekers_fail_in_order),
	        cmocka_unit_test(test_bonnie_selected_phases),
	        cmocka_unit_test(test_bonnie_repeated_rewrites_verify),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
