#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/run/judge.h"

enum { MIB = 1 << 20 };

static struct run_phase cold(uint64_t read, bool all)
{
	return (struct run_phase){.cache = "cold",
	                          .cold_proven = true,
	                          .reads_all = all,
	                          .bytes = read,
	                          .read_bytes = read};
}

static void test_judge_cold_needs_what_was_read(void **state)
{
	(void)state;
	struct run_phase p = cold(8 * MIB, true);
	judge_phase(&p, JUDGE_HOST, "exit code 0", 9 * MIB, 0);
	assert_true(p.cold_proven);
	assert_string_equal(p.cold_proof, "exit code 0; 9437184 bytes were received by "
	                                  "this host during the phase");
	judge_phase(&p, JUDGE_RX_DATA, p.cold_proof, 7 * MIB, 0);
	assert_false(p.cold_proven);
	assert_non_null(strstr(p.cold_proof, "phase; 7340032 bytes of Rx data came"));
	judge_phase(&p, JUDGE_HOST, "", 9 * MIB, 0); /* it does not come back */
	assert_false(p.cold_proven);
}

/* Seeks read a place twice, and a chunk for a place: nothing at all is another thing.
 */
static void test_judge_cold_of_a_part(void **state)
{
	(void)state;
	struct run_phase p = cold(8 * MIB, false);
	judge_phase(&p, JUDGE_HOST, "", 2 * MIB, 0);
	assert_true(p.cold_proven);
	judge_phase(&p, JUDGE_HOST, "", 538, 0);
	assert_false(p.cold_proven);
}

struct warm_case {
	uint64_t read, written, operations, came, sent;
	bool proven, refuted;
	const char *proof; /* its end */
};

static void test_judge_warm(void **state)
{
	(void)state;
	static const struct warm_case cases[] = {
	        {8 * MIB, 0, 128, 0, 0, true, false, "during the phase"},
	        {8 * MIB, 0, 128, MIB, 0, false, false, ", of 8388608 that were read"},
	        {8 * MIB, 0, 128, 8 * MIB, 0, false, true, "that were read"},
	        /* what the phase before wrote is stored meanwhile */
	        {8 * MIB, 0, 128, 330000, 8 * MIB, true, false, "the phase"},
	        /* a rewrite: one acknowledgement for two packets; none came cached */
	        {8 * MIB, 8 * MIB, 128, 330000, 9 * MIB, true, false, "the phase"},
	        {8 * MIB, 8 * MIB, 128, 9 * MIB, 9 * MIB, false, true, "were read"},
	        /* seeks that wrote ten pieces, of which whole chunks were stored */
	        {1638400, 163840, 100, 245000, 9 * MIB, true, false, "the phase"},
	        /* little read beside much that was written */
	        {MIB, 99 * MIB, 100, 4 * MIB, 104 * MIB, false, false,
	         "answers to what it wrote may be 8796323, it read 1048576"},
	        /* names only */
	        {0, 0, 50, 30000, 9000, false, false,
	         "no reading of file data was counted"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct warm_case *c = &cases[i];
		struct run_phase p = {.cache = "warm",
		                      .read_bytes = c->read,
		                      .written_bytes = c->written,
		                      .operations = c->operations};
		judge_phase(&p, JUDGE_HOST, "", c->came, c->sent);
		if (p.warm_proven != c->proven || p.warm_refuted != c->refuted ||
		    !strstr(p.warm_proof, c->proof))
			fail_msg("case %zu: %d %d %s", i, p.warm_proven, p.warm_refuted,
			         p.warm_proof);
	}
}

/* The probe saw one of two links, the host's own counters both. */
static void test_judge_warm_stays_refuted(void **state)
{
	(void)state;
	struct run_phase p = {.cache = "warm", .read_bytes = MIB};
	judge_phase(&p, JUDGE_HOST, "", MIB, 0);
	assert_true(p.warm_refuted);
	judge_phase(&p, JUDGE_RX_DATA, p.warm_proof, 0, 0);
	assert_true(p.warm_refuted && !p.warm_proven);
}

static void test_judge_proof_fits(void **state)
{
	(void)state;
	char before[400];
	struct run_phase p = cold(MIB, true);
	memset(before, 'x', sizeof before - 1);
	before[sizeof before - 1] = '\0';
	judge_phase(&p, JUDGE_HOST, before, 2 * MIB, 0);
	assert_int_equal(strlen(p.cold_proof), sizeof p.cold_proof - 1);
	assert_non_null(strstr(p.cold_proof, "xx...; 2097152 bytes were received"));
}

static void test_judge_doubts(void **state)
{
	(void)state;
	char text[64];
	struct run_phase p = {.cache = "cold",
	                      .cold_proven = true,
	                      .stored_ns = RUN_SHORT_NS,
	                      .received_bytes = -1,
	                      .sent_bytes = -1,
	                      .written_bytes = MIB};
	assert_string_equal(judge_doubts(&p, text, sizeof text), "");
	p.sent_bytes = MIB / 2;
	assert_string_equal(judge_doubts(&p, text, sizeof text), "not stored");
	p.cold_proven = false;
	p.stored_ns = 1;
	assert_string_equal(judge_doubts(&p, text, sizeof text),
	                    "not cold; not stored; short");
	p.read_bytes = MIB; /* what came and what was sent are then of both */
	strcpy(p.cache, "warm");
	p.warm_refuted = true;
	assert_string_equal(judge_doubts(&p, text, sizeof text), "not warm; short");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_judge_cold_needs_what_was_read),
	        cmocka_unit_test(test_judge_cold_of_a_part),
	        cmocka_unit_test(test_judge_warm),
	        cmocka_unit_test(test_judge_warm_stays_refuted),
	        cmocka_unit_test(test_judge_proof_fits),
	        cmocka_unit_test(test_judge_doubts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
