/* Captures cut at any byte: whole frames before the cut are analysed, one cut is told,
 * and sums add up. */
#include "tests/support/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define CUTS_EACH 200u /* of a capture, besides the bytes around its first blocks */
#define DENSE 700u

static void check_cut(const struct sweep_capture *s, size_t n, uint64_t frames,
                      bool whole, bool has_header)
{
	char what[200];
	struct analysis a;
	struct err err = {0};
	snprintf(what, sizeof what, "%.80s cut at byte %zu", s->name, n);
	if (sweep_analyse(&s->file, n, &a, &err) != 0) {
		if (has_header || err.code != ERR_USAGE || !err.text[0])
			fail_msg("%s: %s", what, err.text);
		return;
	}
	if (!has_header)
		fail_msg("%s: no header, but a report", what);
	sweep_check(&a, what);
	if (a.result.frames != frames)
		fail_msg("%s: %llu frames, expected %llu", what,
		         (unsigned long long)a.result.frames,
		         (unsigned long long)frames);
	if (source_cut_count(a.source) != !whole)
		fail_msg("%s: %zu cuts told", what, source_cut_count(a.source));
	assert_int_equal(analysis_exit_code(&a) == ERR_PARTIAL, !whole);
	analysis_free(&a);
}

/* Every byte of the beginning, then at steps that hit all remainders. */
static void every_cut_keeps_what_is_whole(void **state)
{
	static struct sweep_capture list[SWEEP_CAPTURES];
	(void)state;
	size_t captures = sweep_load(list);
	for (size_t i = 0; i < captures; i++) {
		const struct sweep_capture *s = &list[i];
		size_t step = s->file.n / CUTS_EACH | 1, begin = 0, end;
		size_t next = 0;
		uint64_t frames = 0;
		bool is_frame;
		for (; (end = sweep_block_end(&s->file, begin, &is_frame)) != 0;
		     begin = end) {
			for (; next < end; next += next < DENSE ? 1 : step)
				check_cut(s, next, frames, next == begin, begin > 0);
			frames += is_frame;
		}
		assert_int_equal(begin, s->file.n);
		check_cut(s, begin, frames, true, true);
	}
	sweep_free(list, captures);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_cut_keeps_what_is_whole)};
	return cmocka_run_group_tests_name("sweep_prefix", tests, NULL, NULL);
}
