#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "tests/support/bench_run.h"
#include "tests/support/virtual_clock.h"

/* Every figure of every workload against delays that were programmed: within 1 %. */

enum { MS = 1000000, READ = 6 * MS, WRITE = 8 * MS, CLOSE = 40 * MS };
enum { BLOCK = 16384, BLOCKS = 64, SEEKS = 60 };

static bool is_near(double is, double programmed, const char *what)
{
	double off = is / programmed - 1;
	if (fabs(off) <= 0.01)
		return true;
	print_message("%s: %.0f where %.0f were programmed: %+.2f %%\n", what, is,
	              programmed, 100 * off);
	return false;
}

/* What the delays of a phase add up to; p50: of one operation. */
struct expected {
	const char *phase;
	int64_t calls, stored, p50;
	uint64_t operations, bytes, latencies;
};

static void check(const struct bench_run *b, const struct expected *want, size_t n)
{
	if (b->result < 0)
		fail_msg("%s", b->e.text);
	assert_int_equal(b->r.nphases, n);
	for (size_t i = 0; i < n; i++) {
		const struct expected *w = &want[i];
		const struct run_phase *p = &b->r.phases[i];
		double s = (double)w->stored / 1e9;
		assert_string_equal(p->name, w->phase);
		assert_int_equal(p->operations, w->operations);
		assert_int_equal(p->bytes, w->bytes);
		assert_int_equal(p->latency.count, w->latencies);
		assert_true(is_near((double)p->call_ns, (double)w->calls, "calls"));
		assert_true(is_near((double)p->stored_ns, (double)w->stored, "stored"));
		assert_true(is_near((double)p->latency.p50_ns, (double)w->p50, "p50"));
		assert_true(
		        is_near(run_phase_ops_s(p), (double)w->operations / s, "ops"));
		if (w->bytes > 0)
			assert_true(is_near(run_phase_kib_s(p),
			                    (double)w->bytes / 1024 / s, "KiB/s"));
		assert_true(run_phase_cpu(p) < 10); /* it waited */
		assert_false(p->failed);
	}
}

static struct bench_run prepare(const struct workload *workload)
{
	struct bench_run b;
	virtual_clock_start();
	bench_run_init(&b, &engine_null, workload);
	int64_t *delay = b.c.engine_options.null.delay_ns;
	delay[ENGINE_READ] = READ;
	delay[ENGINE_WRITE] = WRITE;
	delay[ENGINE_CLOSE] = CLOSE;
	return b;
}

/* Per character, stdio asks for 8 KiB at once. */
static void test_figures_bonnie(void **state)
{
	(void)state;
	static const uint64_t size = (uint64_t)BLOCKS * BLOCK;
	static const int64_t seeks = (int64_t)SEEKS * READ + SEEKS / 10 * WRITE;
	const struct expected want[] = {
	        {"per-char-output", 2 * BLOCKS * (int64_t)WRITE,
	         2 * BLOCKS * (int64_t)WRITE + CLOSE, WRITE, BLOCKS, size, 2 * BLOCKS},
	        {"block-output", BLOCKS * (int64_t)WRITE,
	         BLOCKS * (int64_t)WRITE + CLOSE, WRITE, BLOCKS, size, BLOCKS},
	        {"rewrite", BLOCKS * (int64_t)(READ + WRITE),
	         BLOCKS * (int64_t)(READ + WRITE) + CLOSE, READ + WRITE, BLOCKS, size,
	         BLOCKS},
	        /* the read that finds the end is not needed: the bytes are counted */
	        {"per-char-input", 2 * BLOCKS * (int64_t)READ,
	         2 * BLOCKS * (int64_t)READ + CLOSE, READ, BLOCKS, size, 2 * BLOCKS},
	        {"block-input", BLOCKS * (int64_t)READ, BLOCKS * (int64_t)READ + CLOSE,
	         READ, BLOCKS, size, BLOCKS},
	        {"random-seeks", seeks, seeks + CLOSE, READ, SEEKS,
	         (uint64_t)SEEKS * BLOCK, SEEKS},
	};
	struct bench_run b = prepare(&workload_bonnie);
	bench_run_execute(&b);
	check(&b, want, 6);
	assert_true(b.r.phases[0].verified && b.r.phases[2].verified);
	bench_run_clear(&b);
}

/* A call a byte; and every write stored at once. */
static void test_figures_bytes_and_stored_writes(void **state)
{
	(void)state;
	enum { BYTES = 256, REQUEST = 64, FSYNC = 5 * MS };
	const struct expected bytes[] = {
	        {"per-byte-output", BYTES * (int64_t)WRITE,
	         BYTES * (int64_t)WRITE + CLOSE, WRITE, BYTES / REQUEST, BYTES, BYTES},
	        {"per-byte-input", BYTES * (int64_t)READ, BYTES * (int64_t)READ + CLOSE,
	         READ, BYTES / REQUEST, BYTES, BYTES},
	};
	const struct expected stored[] = {
	        {"bulk-write", BLOCKS * (int64_t)(WRITE + FSYNC),
	         BLOCKS * (int64_t)(WRITE + FSYNC) + CLOSE, WRITE + FSYNC, BLOCKS,
	         (uint64_t)BLOCKS * BLOCK, BLOCKS},
	};
	struct bench_run b = prepare(&workload_bonnie);
	b.c.workload_options.size = BYTES;
	b.c.workload_options.request_size = REQUEST;
	b.c.workload_options.per_char = PER_CHAR_WRITE;
	b.c.workload_options.phases = "per-byte-output,per-byte-input";
	bench_run_execute(&b);
	check(&b, bytes, 2);
	bench_run_clear(&b);
	b = prepare(&workload_bulk);
	b.c.workload_options.phases = "bulk-write";
	b.c.workload_options.fsync = FSYNC_EVERY;
	b.c.engine_options.null.delay_ns[ENGINE_FSYNC] = FSYNC;
	bench_run_execute(&b);
	check(&b, stored, 1);
	bench_run_clear(&b);
}

static void test_figures_files(void **state)
{
	(void)state;
	enum { N = 50, STAT = 3 * MS, UNLINK = 5 * MS, OPEN = 2 * MS };
	const int64_t made = OPEN + WRITE + CLOSE;
	const int64_t seen = STAT + OPEN + 2 * READ + CLOSE; /* a read tells the end */
	struct expected want[] = {
	        {"seq-create", N * made, N * made, made, N, N * 1000, N},
	        {"seq-stat", N * seen, N * seen, seen, N, N * 1000, N},
	        {"seq-delete", N * (int64_t)UNLINK, N * (int64_t)UNLINK, UNLINK, N, 0,
	         N},
	        {"random-create", N * made, N * made, made, N, N * 1000, N},
	        {"random-stat", N * seen, N * seen, seen, N, N * 1000, N},
	        {"random-delete", N * (int64_t)UNLINK, N * (int64_t)UNLINK, UNLINK, N,
	         0, N},
	};
	struct bench_run b = prepare(&workload_bonnie);
	struct workload_options *o = &b.c.workload_options;
	o->phases = "seq-create,seq-stat,seq-delete,random-create,random-stat,"
	            "random-delete";
	o->files = N;
	o->file_max = o->file_min = 1000;
	int64_t *delay = b.c.engine_options.null.delay_ns;
	delay[ENGINE_OPEN] = OPEN;
	delay[ENGINE_STAT] = STAT;
	delay[ENGINE_UNLINK] = UNLINK;
	bench_run_execute(&b);
	check(&b, want, 6);
	bench_run_clear(&b);
}

static void test_figures_bulk_and_mixed(void **state)
{
	(void)state;
	static const uint64_t size = (uint64_t)BLOCKS * BLOCK;
	const struct expected bulk[] = {
	        {"bulk-write", BLOCKS * (int64_t)WRITE, BLOCKS * (int64_t)WRITE + CLOSE,
	         WRITE, BLOCKS, size, BLOCKS},
	        {"bulk-read", BLOCKS * (int64_t)READ, BLOCKS * (int64_t)READ + CLOSE,
	         READ, BLOCKS, size, BLOCKS},
	};
	struct bench_run b = prepare(&workload_bulk);
	bench_run_execute(&b);
	check(&b, bulk, 2);
	bench_run_clear(&b);
	/* 8 files of 8 requests; then 100 reads */
	const int64_t made = 8 * (int64_t)WRITE + CLOSE, one = READ + CLOSE;
	const struct expected mixed[] = {
	        {"mixed-create", 8 * made, 8 * made, made, 8, size, 8},
	        {"mixed", 100 * one, 100 * one, one, 100, 100 * BLOCK, 100},
	};
	b = prepare(&workload_mixed);
	b.c.workload_options.read_share = 100;
	bench_run_execute(&b);
	check(&b, mixed, 2);
	bench_run_clear(&b);
}

/* Only folders and names take time: what a tree costs is known from its shape. */
static void test_figures_tree(void **state)
{
	(void)state;
	enum { N = 40, DIRS = N / 9 + 1 };
	static const int64_t mkdir = 7 * MS, rename = 9 * MS, unlink = 5 * MS,
	                     rmdir = 11 * MS;
	struct bench_run b;
	virtual_clock_start();
	bench_run_init(&b, &engine_null, &workload_tree);
	int64_t *delay = b.c.engine_options.null.delay_ns;
	delay[ENGINE_MKDIR] = mkdir;
	delay[ENGINE_RENAME] = rename;
	delay[ENGINE_UNLINK] = unlink;
	delay[ENGINE_RMDIR] = rmdir;
	bench_run_execute(&b);
	assert_int_equal(b.result, 0);
	const int64_t want[] = {
	        DIRS * (2 * mkdir + rename),
	        DIRS * rename + N * rename,
	        DIRS * rename + N * rename,
	        N * unlink + DIRS * (3 * unlink + 2 * rmdir),
	};
	for (size_t i = 0; i < 4; i++) {
		assert_true(is_near((double)b.r.phases[i].stored_ns, (double)want[i],
		                    b.r.phases[i].name));
		assert_int_equal(b.r.phases[i].operations, N);
	}
	assert_true(
	        is_near((double)b.r.phases[1].latency.p50_ns, (double)rename, "tag"));
	assert_true(is_near((double)b.r.phases[3].latency.p50_ns, (double)unlink,
	                    "release"));
	bench_run_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_figures_bonnie),
	        cmocka_unit_test(test_figures_bytes_and_stored_writes),
	        cmocka_unit_test(test_figures_files),
	        cmocka_unit_test(test_figures_bulk_and_mixed),
	        cmocka_unit_test(test_figures_tree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
