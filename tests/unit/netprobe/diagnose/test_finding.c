#include "netprobe/diagnose/finding.h"
#include "netprobe/report/text_finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct addr a = {.b = {[15] = 1}}, b = {.b = {[15] = 2}};

static void test_catalogue_is_whole(void **state)
{
	(void)state;
	for (int i = 0; i < FINDING_KINDS; i++) {
		const struct finding_about *x = finding_about((enum finding_kind)i);
		assert_non_null(x->id);
		assert_non_null(x->slug);
		assert_true(strlen(x->meaning) > 20);
		assert_true(strlen(x->evidence) > 20);
		assert_true(strlen(x->remedy) > 5);
		for (int k = 0; k < i; k++) {
			const struct finding_about *y =
			        finding_about((enum finding_kind)k);
			assert_string_not_equal(x->id, y->id);
			assert_string_not_equal(x->slug, y->slug);
		}
	}
}

/* doc/findings.md is what `netprobe findings` prints. */
static void test_document_is_current(void **state)
{
	(void)state;
	char *printed = NULL, *kept = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&printed, &n);
	assert_non_null(out);
	struct err err = {0};
	assert_int_equal(text_catalogue(out, &err), 0);
	fclose(out);
	FILE *in = fopen("doc/findings.md", "re");
	if (!in) {
		free(printed);
		skip(); /* not run from the top of the tree */
	}
	kept = calloc(1, n + 2);
	assert_non_null(kept);
	size_t got = fread(kept, 1, n + 1, in);
	fclose(in);
	kept[got] = 0;
	assert_string_equal(kept, printed);
	free(kept);
	free(printed);
}

static void test_one_finding_for_each_way(void **state)
{
	(void)state;
	struct findings fs = {0};
	assert_non_null(findings_add(&fs, FIND_LOSS, 0, &a, &b));
	assert_null(findings_add(&fs, FIND_LOSS, 0, &a, &b));
	assert_non_null(findings_add(&fs, FIND_LOSS, 0, &b, &a));
	assert_non_null(findings_add(&fs, FIND_LOSS, 1, &a, &b));
	assert_non_null(findings_add(&fs, FIND_LOSS, 0, &a, NULL));
	assert_non_null(findings_add(&fs, FIND_LOSS, 0, NULL, NULL));
	assert_int_equal(fs.n, 5);
	assert_int_equal(findings_find(&fs, FIND_LOSS, 0, &a, &b)->also, 1);
	assert_null(findings_find(&fs, FIND_CHECKSUM, 0, &a, &b));
	findings_free(&fs);
}

static void test_most_severe_first(void **state)
{
	(void)state;
	struct findings fs = {0};
	assert_int_equal(findings_worst(&fs), -1);
	findings_add(&fs, FIND_OLD_PEER, 0, &a, NULL);
	assert_int_equal(findings_worst(&fs), FINDING_INFO);
	findings_add(&fs, FIND_LOSS, 0, &a, &b);
	findings_add(&fs, FIND_MIXED_MTU, 0, &a, &b);
	findings_add(&fs, FIND_BLACK_HOLE, 0, &a, &b);
	findings_sort(&fs);
	assert_int_equal(fs.list[0].kind, FIND_BLACK_HOLE);
	assert_int_equal(fs.list[1].kind, FIND_MIXED_MTU);
	assert_int_equal(fs.list[2].kind, FIND_LOSS);
	assert_int_equal(fs.list[3].kind, FIND_OLD_PEER);
	assert_int_equal(findings_worst(&fs), FINDING_ERROR);
	findings_free(&fs);
}

static void test_many_of_a_kind_are_counted(void **state)
{
	(void)state;
	struct findings fs = {0};
	for (unsigned i = 0; i < FINDINGS_OF_KIND + 50; i++) {
		struct addr x = {.b = {(uint8_t)(i >> 8), (uint8_t)i}};
		findings_add(&fs, FIND_OTHER_ADDRESS, 0, &x, &b);
	}
	assert_int_equal(fs.n, FINDINGS_OF_KIND);
	assert_int_equal(fs.more[FIND_OTHER_ADDRESS], 50);
	findings_free(&fs);
}

/* What is too long is cut, not written past its end; no finding is no crash. */
static void test_texts_are_bounded(void **state)
{
	(void)state;
	struct findings fs = {0};
	struct finding *f = findings_add(&fs, FIND_LOSS, 0, &a, &b);
	for (int i = 0; i < 500; i++) {
		finding_say(f, "%s", "0123456789");
		finding_mend(f, "%s", "0123456789");
		finding_fact(f, "n", 1);
	}
	assert_int_equal(strlen(f->text), FINDING_TEXT - 1);
	assert_int_equal(strlen(f->remedy), FINDING_REMEDY - 1);
	assert_int_equal(f->facts, FINDING_FACTS);
	finding_say(NULL, "nothing");
	finding_mend(NULL, "nothing");
	finding_fact(NULL, "n", 1);
	finding_frames(NULL, 1, 2);
	findings_free(&fs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_catalogue_is_whole),
	        cmocka_unit_test(test_document_is_current),
	        cmocka_unit_test(test_one_finding_for_each_way),
	        cmocka_unit_test(test_most_severe_first),
	        cmocka_unit_test(test_many_of_a_kind_are_counted),
	        cmocka_unit_test(test_texts_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
