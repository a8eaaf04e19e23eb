#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/compare_report.h"
#include "src/study/compare.h"

/* Two sources, compared. */
struct bench {
	struct source a, b;
	struct comparison c;
};

static const struct compare_options usual = {.margin = COMPARE_MARGIN};

static void hold(struct bench *b)
{
	struct err e = {0};
	struct side x = {.source = &b->a, .name = "first"};
	struct side y = {.source = &b->b, .name = "second"};
	assert_int_equal(compare(&b->c, &x, &y, &usual, &e), 0);
}

static void open_and_hold(struct bench *b, const char *x, const char *y)
{
	struct err e = {0};
	assert_int_equal(source_open(&b->a, x, &e), 0);
	assert_int_equal(source_open(&b->b, y, &e), 0);
	hold(b);
}

static void done(struct bench *b)
{
	comparison_fini(&b->c);
	source_fini(&b->a);
	source_fini(&b->b);
}

static void assert_near(double value, double expected, double margin)
{
	if (!(fabs(value - expected) <= margin))
		fail_msg("%.6g is not within %g of %.6g", value, margin, expected);
}

static const struct compare_row *row(const struct comparison *c, const char *phase)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->rows[i].a->phase, phase) == 0)
			return &c->rows[i];
	fail_msg("no row %s", phase);
	return NULL;
}

static struct compare_mean mean(const struct comparison *c, enum phase_group group)
{
	struct compare_mean m;
	for (size_t i = 0; i < c->n; i++)
		if (compare_mean(c, i, &m) && m.group == group)
			return m;
	fail_msg("no mean of %s", group_names[group]);
	return m;
}

/* What follows from the figures of 2002: five ratios, their means, and which way
 * round they are to be read. */
static void test_compare_published_2002(void **state)
{
	(void)state;
	struct bench b;
	static const struct expected {
		const char *phase;
		double ratio;
		enum verdict verdict;
	} rows[] = {
	        {"per-char-output", 0.612, VERDICT_SLOWER},
	        {"block-output", 0.727, VERDICT_SLOWER},
	        {"rewrite", 0.688, VERDICT_SLOWER},
	        {"per-char-input", 0.856, VERDICT_SLOWER},
	        {"block-input", 0.836, VERDICT_SLOWER},
	        {"random-seeks", 0.995, VERDICT_NONE},
	        {"seq-create", 0.563, VERDICT_SLOWER},
	        {"seq-stat", 0.992, VERDICT_NONE},
	        {"seq-delete", 0.424, VERDICT_SLOWER},
	        {"random-create", 0.556, VERDICT_SLOWER},
	        {"random-stat", 1.002, VERDICT_NONE},
	        {"random-delete", 0.218, VERDICT_SLOWER},
	};
	open_and_hold(&b, "published:inode-2002", "published:namei-2002");
	assert_int_equal(b.c.n, sizeof rows / sizeof *rows);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct compare_row *r = row(&b.c, rows[i].phase);
		assert_near(r->ratio, rows[i].ratio, 0.0005);
		assert_int_equal(r->verdict, rows[i].verdict);
	}
	struct compare_mean data = mean(&b.c, GROUP_DATA);
	assert_int_equal(data.n, 5);
	assert_near(data.arithmetic, 0.7437, 0.00005);
	assert_near(data.geometric, 0.7380, 0.00005);
	struct compare_mean change = mean(&b.c, GROUP_CHANGE);
	assert_int_equal(change.n, 4);
	assert_near(change.arithmetic, 0.440, 0.0005);
	done(&b);
}

static void test_compare_published_2000(void **state)
{
	(void)state;
	struct bench b;
	static const double ratios[] = {22.1, 71.2, 63.6, 1.60, 1.95, 1.89};
	static const double margins[] = {0.05, 0.05, 0.05, 0.005, 0.005, 0.005};
	open_and_hold(&b, "published:cvs-2000#local", "published:cvs-2000#afs");
	assert_int_equal(b.c.n, 6);
	for (int i = 0; i < 6; i++) {
		assert_near(b.c.rows[i].ratio, ratios[i], margins[i]);
		assert_near(b.c.rows[i].speed, 1 / b.c.rows[i].ratio, 1e-9);
		assert_int_equal(b.c.rows[i].verdict, VERDICT_SLOWER);
	}
	done(&b);
}

/* Each row of 1995 against itself: the sizes and chunks must find their own. */
static void test_compare_published_1995_with_itself(void **state)
{
	(void)state;
	struct bench b;
	open_and_hold(&b, "published:atm-1995", "published:atm-1995");
	assert_int_equal(b.c.n, 54);
	for (size_t i = 0; i < b.c.n; i++)
		assert_near(b.c.rows[i].ratio, 1, 0);
	done(&b);
}

static void test_compare_report_names_the_baseline_both_ways(void **state)
{
	(void)state;
	struct bench b;
	char *text;
	size_t n;
	open_and_hold(&b, "published:inode-2002", "published:namei-2002");
	FILE *f = open_memstream(&text, &n);
	compare_report_text(&b.c, f);
	fclose(f);
	assert_non_null(strstr(text, "second, compared with the baseline first"));
	assert_non_null(strstr(
	        text, "second runs at 74.4 % of the speed of first, that is 25.6 % "
	              "slower"));
	assert_non_null(strstr(text, "0.7437 in the arithmetic mean, 0.7380 in the"));
	assert_non_null(strstr(text, "file server: inode in A, namei in B"));
	assert_null(strstr(text, "74.4 % slower"));
	free(text);
	done(&b);
}

/* A source with one phase and these values. */
static void make(struct source *s, const char *cache, enum figure_unit unit,
                 const double *values, size_t n)
{
	*s = (struct source){
	        .kind = "run", .facts = json_object(), .notes = json_array()};
	struct figure f = {.unit = unit, .cpu = -1};
	strcpy(f.phase, "p");
	strcpy(f.cache, cache);
	struct figure *at = source_figure(s, &f);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(figure_add(at, values[i]), 0);
}

static void test_compare_verdicts_of_repeated_runs(void **state)
{
	(void)state;
	static const double a[] = {100, 103, 97, 101, 99, 102, 98};
	static const double near[] = {101, 98, 104, 99, 100, 103, 97};
	static const double low[] = {80, 83, 77, 81, 79, 82, 78};
	const struct expected {
		const double *b;
		enum figure_unit unit;
		enum verdict verdict;
	} cases[] = {
	        {near, UNIT_KIB_S, VERDICT_NONE},
	        {low, UNIT_KIB_S, VERDICT_SLOWER},
	        {low, UNIT_SECONDS, VERDICT_FASTER},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;
		make(&b.a, "cold", cases[i].unit, a, 7);
		make(&b.b, "cold", cases[i].unit, cases[i].b, 7);
		hold(&b);
		assert_int_equal(b.c.n, 1);
		assert_true(b.c.rows[0].has_interval);
		assert_int_equal(b.c.rows[0].verdict, cases[i].verdict);
		assert_int_equal(compare_fails(&b.c.rows[0], 0.1),
		                 cases[i].verdict == VERDICT_SLOWER);
		assert_false(compare_fails(&b.c.rows[0], 0.3));
		done(&b);
	}
}

static void test_compare_missing_and_failed(void **state)
{
	(void)state;
	static const double a[] = {100};
	struct bench b;
	make(&b.a, "", UNIT_KIB_S, a, 1);
	make(&b.b, "", UNIT_KIB_S, a, 0);
	hold(&b);
	assert_int_equal(b.c.rows[0].verdict, VERDICT_MISSING);
	assert_false(compare_fails(&b.c.rows[0], 0.1));
	comparison_fini(&b.c);
	b.b.figures[0].failed = true;
	hold(&b);
	assert_int_equal(b.c.rows[0].verdict, VERDICT_FAILED);
	assert_true(compare_fails(&b.c.rows[0], 0.1));
	done(&b);
}

static void test_compare_cold_is_never_held_against_warm(void **state)
{
	(void)state;
	static const double a[] = {100};
	struct bench b;
	struct err e = {0};
	make(&b.a, "cold", UNIT_KIB_S, a, 1);
	make(&b.b, "warm", UNIT_KIB_S, a, 1);
	struct side x = {.source = &b.a, .name = "x"},
	            y = {.source = &b.b, .name = "y"};
	assert_int_equal(compare(&b.c, &x, &y, &usual, &e), -1);
	assert_int_equal(e.code, ERR_USAGE);
	done(&b);
}

/* A figure of unknown cache state is held against the cold one and the warm one. */
static void test_compare_unknown_state_with_each(void **state)
{
	(void)state;
	static const double a[] = {100};
	struct bench b;
	make(&b.a, "", UNIT_KIB_S, a, 1);
	make(&b.b, "cold", UNIT_KIB_S, a, 1);
	struct figure warm = b.b.figures[0];
	strcpy(warm.cache, "warm");
	assert_int_equal(figure_add(source_figure(&b.b, &warm), 300), 0);
	hold(&b);
	assert_int_equal(b.c.n, 2);
	assert_near(b.c.rows[0].ratio, 1, 0);
	assert_near(b.c.rows[1].ratio, 3, 0);
	done(&b);
}

static bool warns(const struct comparison *c, const char *what)
{
	size_t i;
	const json_t *w;
	json_array_foreach(c->warnings, i,
	                   w) if (strstr(json_string_value(w), what)) return true;
	return false;
}

static void test_compare_tells_what_differs(void **state)
{
	(void)state;
	static const double a[] = {100};
	struct bench b;
	make(&b.a, "cold", UNIT_KIB_S, a, 1);
	make(&b.b, "", UNIT_KIB_S, a, 1);
	b.a.figures[0].size = 32 << 20;
	b.b.figures[0].size = 64 << 20;
	b.b.figures[0].doubt = "not cold";
	json_object_set_new(b.a.facts, "engine", json_string("afs"));
	json_object_set_new(b.b.facts, "engine", json_string("posix"));
	json_object_set_new(b.a.facts, "host.name", json_string("h"));
	json_object_set_new(b.b.facts, "host.name", json_string("h"));
	json_object_set_new(b.a.facts, "chunk_size", json_integer(65536));
	hold(&b);
	assert_int_equal(json_array_size(b.c.differences), 2);
	assert_true(warns(&b.c, "engines differ"));
	assert_true(warns(&b.c, "32 MiB in A, 64 MiB in B"));
	assert_true(warns(&b.c, "told of A only"));
	assert_true(warns(&b.c, "not shown to be cold"));
	assert_true(warns(&b.c, "one figure"));
	assert_false(warns(&b.c, "machines differ"));
	done(&b);
}

/* However narrow one side is, one figure of the other tells nothing of its scatter. */
static void test_compare_one_figure_has_no_interval(void **state)
{
	(void)state;
	static const double many[] = {100, 101, 99, 100, 100}, one[] = {97},
	                    off[] = {80};
	struct bench b;
	for (int k = 0; k < 2; k++) {
		make(&b.a, "cold", UNIT_KIB_S, many, 5);
		make(&b.b, "cold", UNIT_KIB_S, k ? off : one, 1);
		hold(&b);
		assert_false(b.c.rows[0].has_interval);
		assert_int_equal(b.c.rows[0].verdict,
		                 k ? VERDICT_SLOWER : VERDICT_NONE);
		assert_true(warns(&b.c, "one figure"));
		done(&b);
	}
}

/* A run and repeated runs come from the same program: what only one of them has was
 * not set in the other. */
static void test_compare_run_with_repeated_runs(void **state)
{
	(void)state;
	static const double a[] = {100};
	struct bench b;
	make(&b.a, "cold", UNIT_KIB_S, a, 1);
	make(&b.b, "cold", UNIT_KIB_S, a, 1);
	b.a.kind = "run";
	b.b.kind = "repeated runs";
	json_object_set_new(b.b.facts, "engine.slow.write.every", json_integer(20));
	hold(&b);
	assert_int_equal(json_array_size(b.c.differences), 1);
	assert_false(warns(&b.c, "what is timed may differ"));
	done(&b);
}

/* The raw link is held against every data phase. */
static void test_compare_with_the_link(void **state)
{
	(void)state;
	static const double rate[] = {20000};
	struct bench b;
	struct err e = {0};
	make(&b.a, "", UNIT_KIB_S, rate, 1);
	strcpy(b.a.figures[0].phase, PHASE_LINK);
	assert_int_equal(source_open(&b.b, "published:atm-1995#chunk 64K", &e), 0);
	hold(&b);
	assert_int_equal(b.c.n, 15); /* five data phases in three rows */
	done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_compare_published_2002),
	        cmocka_unit_test(test_compare_published_2000),
	        cmocka_unit_test(test_compare_published_1995_with_itself),
	        cmocka_unit_test(test_compare_report_names_the_baseline_both_ways),
	        cmocka_unit_test(test_compare_verdicts_of_repeated_runs),
	        cmocka_unit_test(test_compare_missing_and_failed),
	        cmocka_unit_test(test_compare_cold_is_never_held_against_warm),
	        cmocka_unit_test(test_compare_unknown_state_with_each),
	        cmocka_unit_test(test_compare_tells_what_differs),
	        cmocka_unit_test(test_compare_one_figure_has_no_interval),
	        cmocka_unit_test(test_compare_run_with_repeated_runs),
	        cmocka_unit_test(test_compare_with_the_link),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
