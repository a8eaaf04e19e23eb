#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "tests/support/bench_run.h"
#include "tests/support/virtual_clock.h"

enum { MS = 1000000 };

/* Reads cost 2 ms, writes 4: the sum tells the share that was asked for. */
static void test_mixed_share_of_reads(void **state)
{
	(void)state;
	static const unsigned shares[] = {0, 30, 100};
	for (size_t i = 0; i < 3; i++) {
		struct bench_run b;
		virtual_clock_start();
		bench_run_init(&b, &engine_null, &workload_mixed);
		b.c.workload_options.phases = "mixed";
		b.c.workload_options.read_share = shares[i];
		b.c.workload_options.size = 8 * 16384;
		b.c.engine_options.null.delay_ns[ENGINE_READ] = 2 * MS;
		b.c.engine_options.null.delay_ns[ENGINE_WRITE] = 4 * MS;
		bench_run_execute(&b);
		if (b.result < 0)
			fail_msg("%s", b.e.text);
		const struct run_phase *p = &b.r.phases[0];
		assert_int_equal(p->operations, 100);
		assert_int_equal(p->bytes, 100 * 16384);
		double reads = (400 - (double)p->call_ns / MS) / 2;
		if (fabs(reads - shares[i]) > 15)
			fail_msg("%.1f %% reads where %u were asked", reads, shares[i]);
		bench_run_clear(&b);
	}
}

static void test_mixed_on_files(void **state)
{
	(void)state;
	struct bench_run b;
	virtual_clock_start();
	bench_run_init(&b, &engine_posix, &workload_mixed);
	b.c.caches[1] = CACHE_WARM;
	b.c.ncaches = 2;
	bench_run_execute(&b);
	if (b.result < 0)
		fail_msg("%s", b.e.text);
	assert_int_equal(b.r.nphases, 4);
	assert_int_equal(b.r.phases[0].operations, 8);
	assert_int_equal(b.r.phases[0].bytes, 1 << 20);
	assert_int_equal(b.r.phases[3].warm_bytes, 1 << 20);
	assert_true(bench_run_is_clean(b.dir));
	bench_run_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_mixed_share_of_reads),
	        cmocka_unit_test(test_mixed_on_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
