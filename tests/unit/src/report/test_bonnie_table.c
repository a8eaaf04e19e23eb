#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "src/report/bonnie_table.h"

/* A phase with these figures, measured over one second. */
static struct run_phase phase(const char *cache, const char *name, uint64_t per_s,
                              double cpu)
{
	struct run_phase p = {.stored_ns = 1000000000,
	                      .cpu_ns = (int64_t)(cpu * 1e7),
	                      .bytes = per_s << 10,
	                      .cold_proven = true};
	strcpy(p.cache, cache);
	strcpy(p.name, name);
	return p;
}

static struct run_phase seeks(const char *cache, double per_s, double cpu)
{
	struct run_phase p = phase(cache, "random-seeks", 0, cpu);
	p.operations = 4000;
	p.stored_ns = (int64_t)(4000 / per_s * 1e9);
	p.cpu_ns = (int64_t)(cpu / 100 * (double)p.stored_ns);
	return p;
}

static char *print(const struct run_phase *phases, size_t n, uint64_t mib)
{
	struct run r = {.size = mib << 20, .nphases = n};
	char *text;
	size_t size;
	r.phases = malloc(n * sizeof *phases);
	memcpy(r.phases, phases, n * sizeof *phases);
	FILE *f = open_memstream(&text, &size);
	bonnie_table_print(&r, f);
	fclose(f);
	free(r.phases);
	return text;
}

#define HEADING                                                                        \
	"       -------Sequential Output-------- ---Sequential Input-- --Random--\n"   \
	"       -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---\n"   \
	"Cache MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU\n"

/* The rows are those published in 1995 for a file of 20 MB and chunks of 1 MB. */
static void test_bonnie_table_published_rows(void **state)
{
	(void)state;
	const struct run_phase phases[] = {
	        phase("cold", "per-char-output", 901, 59.5),
	        phase("cold", "block-output", 2195, 8.9),
	        phase("cold", "rewrite", 872, 4.2),
	        phase("cold", "per-char-input", 944, 62.1),
	        phase("cold", "block-input", 2147, 3.9),
	        seeks("cold", 56.2, 1.2),
	        phase("warm", "per-char-output", 1307, 41.0),
	        phase("warm", "block-output", 2180, 9.5),
	        phase("warm", "rewrite", 1821, 10.2),
	        phase("warm", "per-char-input", 3281, 99.2),
	        phase("warm", "block-input", 119510, 99.2),
	        seeks("warm", 118.7, 1.5),
	};
	char *text = print(phases, sizeof phases / sizeof *phases, 20);
	assert_string_equal(text, HEADING "cold  20   901 59.5  2195  8.9   872  4.2   "
	                                  "944 62.1  2147  3.9  56.2  1.2\n"
	                                  "warm  20  1307 41.0  2180  9.5  1821 10.2  "
	                                  "3281 99.2 119510 99.2 118.7  1.5\n");
	free(text);
}

static void test_bonnie_table_missing_and_doubtful(void **state)
{
	(void)state;
	struct run_phase phases[] = {
	        phase("cold", "per-char-output", 901, 59.5),
	        phase("cold", "block-output", 2195, 8.9),
	};
	phases[1].cold_proven = false;
	char *text = print(phases, 2, 5);
	assert_string_equal(text, HEADING "cold?  5   901 59.5  2195  8.9     -    -   "
	                                  "  -    -     -    -     -    -\n");
	free(text);
}

static void test_bonnie_table_repeated_state_is_a_new_row(void **state)
{
	(void)state;
	const struct run_phase phases[] = {
	        phase("warm", "per-char-output", 1, 1),
	        phase("warm", "per-char-output", 2, 1),
	};
	char *text = print(phases, 2, 5);
	assert_non_null(strstr(text, "warm   5     1  1.0"));
	assert_non_null(strstr(text, "warm   5     2  1.0"));
	free(text);
}

/* Rows of two chunk sizes are told apart; rows of one name need none. */
static void test_bonnie_table_of_several_names(void **state)
{
	(void)state;
	struct bonnie_result rows[3] = {{.name = "chunk 1M", .cache = "warm"},
	                                {.name = "chunk 1M", .cache = "cold"},
	                                {.name = "chunk 64K", .cache = "warm"}};
	char *text;
	size_t size;
	for (size_t n = 2; n <= 3; n++) {
		FILE *f = open_memstream(&text, &size);
		bonnie_table_rows(rows, n, f);
		fclose(f);
		const char *a = strstr(text, "chunk 1M:\n" HEADING "warm");
		const char *b = strstr(text, "\nchunk 64K:\n" HEADING "warm");
		assert_int_equal(a != NULL, n == 3);
		assert_int_equal(b != NULL, n == 3);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_bonnie_table_of_several_names),
	        cmocka_unit_test(test_bonnie_table_published_rows),
	        cmocka_unit_test(test_bonnie_table_missing_and_doubtful),
	        cmocka_unit_test(test_bonnie_table_repeated_state_is_a_new_row),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
