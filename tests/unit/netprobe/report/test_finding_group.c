#include "netprobe/report/finding_group.h"

#include "netprobe/report/text_finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct addr host(unsigned n)
{
	return (struct addr){
	        .b = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = (uint8_t)n}};
}

/* to 0: about the host `from` */
static struct finding *add(struct findings *fs, enum finding_kind k, unsigned from,
                           unsigned to, const char *remedy)
{
	struct addr src = host(from), dst = host(to);
	struct finding *f = findings_add(fs, k, 0, &src, to ? &dst : NULL);
	assert_non_null(f);
	finding_say(f, "from %u to %u", from, to);
	finding_mend(f, "%s", remedy);
	finding_frames(f, 1000 + to, 1000 + to);
	return f;
}

static struct finding_groups groups_of(const struct findings *fs)
{
	struct finding_groups g;
	size_t members = 0;
	assert_int_equal(finding_groups_make(&g, fs), 0);
	for (size_t i = 0; i < g.n; i++)
		members += g.list[i].n;
	assert_int_equal(members, fs->n); /* none is missing or twice */
	return g;
}

static void one_server_many_clients(void **state)
{
	struct findings fs = {0};
	(void)state;
	for (unsigned i = 0; i < 30; i++)
		add(&fs, FIND_BLACK_HOLE, 1, 10 + i, "the same");
	for (unsigned i = 0; i < 5; i++)
		add(&fs, FIND_BLACK_HOLE, 10 + i, 1, "the same");
	findings_sort(&fs);
	struct finding_groups g = groups_of(&fs);
	assert_int_equal(g.n, 2);
	assert_int_equal(g.list[0].n, 30);
	assert_false(g.list[0].by_source);
	assert_int_equal(g.list[1].n, 5);
	assert_true(g.list[1].by_source);
	finding_groups_free(&g);
	findings_free(&fs);
}

static void about_one_host_each(void **state)
{
	struct findings fs = {0};
	(void)state;
	for (unsigned i = 0; i < 4; i++)
		add(&fs, FIND_STALE_TABLE, 10 + i, 0, "restart");
	findings_sort(&fs);
	struct finding_groups g = groups_of(&fs);
	assert_int_equal(g.n, 1);
	assert_true(g.list[0].by_source);
	finding_groups_free(&g);
	findings_free(&fs);
}

/* What differs in more than an end is another finding. */
static void what_differs(void **state)
{
	struct findings fs = {0};
	(void)state;
	add(&fs, FIND_BLACK_HOLE, 1, 10, "a");
	add(&fs, FIND_BLACK_HOLE, 1, 11, "b");
	add(&fs, FIND_BLACK_HOLE, 1, 12, "a")->severity = FINDING_INFO;
	snprintf(add(&fs, FIND_BLACK_HOLE, 1, 13, "a")->doubt, 10, "drops");
	add(&fs, FIND_LOSS_BY_SIZE, 1, 10, "a");
	add(&fs, FIND_BLACK_HOLE, 2, 14, "a");
	add(&fs, FIND_BLACK_HOLE, 1, 15, "a")->iface = 1;
	findings_sort(&fs);
	struct finding_groups g = groups_of(&fs);
	assert_int_equal(g.n, 7);
	finding_groups_free(&g);
	findings_free(&fs);
}

static char *text_of(const struct findings *fs, size_t top)
{
	struct result r = {.findings = *fs};
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	text_findings(&r, top, out);
	fclose(out);
	return text;
}

/* One entry with its peers, no more of them than top; a finding that is not shown is
 * counted. */
static void as_text(void **state)
{
	static const char *const few =
	        "\nFindings\n"
	        "  error   D1 black-hole: from 1 to 10\n"
	        "    likewise to 4 more: 10.0.0.11 (frame 1011), 10.0.0.12 (frame "
	        "1012), …\n"
	        "    remedy: the same\n"
	        "    confidence 50 to 100 %; frame 1010\n"
	        "  error   D1 black-hole: from 1 to 15\n"
	        "    remedy: other 0\n"
	        "    confidence 100 %; frame 1015\n"
	        "  2 more of D1 black-hole\n";
	struct findings fs = {0};
	(void)state;
	for (unsigned i = 0; i < 5; i++)
		add(&fs, FIND_BLACK_HOLE, 1, 10 + i, "the same")->confidence =
		        i == 3 ? 0.5 : 1;
	for (unsigned i = 0; i < 3; i++) {
		char remedy[16];
		snprintf(remedy, sizeof remedy, "other %u", i);
		add(&fs, FIND_BLACK_HOLE, 1, 15 + i, remedy);
	}
	findings_sort(&fs);
	char *text = text_of(&fs, 2);
	assert_string_equal(text, few);
	free(text);
	text = text_of(&fs, 0);
	assert_non_null(strstr(text, "10.0.0.14 (frame 1014)\n"));
	assert_null(strstr(text, "more of D1"));
	free(text);
	findings_free(&fs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_server_many_clients),
	        cmocka_unit_test(about_one_host_each),
	        cmocka_unit_test(what_differs),
	        cmocka_unit_test(as_text),
	};
	return cmocka_run_group_tests_name("report/finding_group", tests, NULL, NULL);
}
