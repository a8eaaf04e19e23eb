#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/joined.h"
#include "src/report/measure.h"
#include "src/report/summary.h"

/* Phase `id`, whose data took so many milliseconds. */
static struct run_phase phase_of(int id, const char *name, uint64_t bytes, int64_t ms)
{
	struct run_phase p = {.id = id,
	                      .cold_proven = true,
	                      .stored_ns = ms * 1000000,
	                      .call_ns = ms * 1000000,
	                      .bytes = bytes,
	                      .operations = 1000};
	snprintf(p.name, sizeof p.name, "%s", name);
	strcpy(p.cache, "cold");
	return p;
}

/* Whether a sentence of the list holds all of these words; NULL ends them. */
static bool says(const json_t *list, const char *const *words)
{
	size_t i;
	const json_t *sentence;
	json_array_foreach(list, i, sentence)
	{
		size_t k = 0;
		while (words[k] && strstr(json_string_value(sentence), words[k]))
			k++;
		if (!words[k])
			return true;
	}
	return false;
}

#define SAYS(list, ...) says((list), (const char *const[]){__VA_ARGS__, NULL})

struct scene {
	struct run_phase phases[6][2];
	struct run runs[6];
	struct report_run list[6];
};

/* Two configurations, three runs of each; the second is twice as fast in reading. */
static void make_scene(struct scene *s)
{
	*s = (struct scene){0};
	for (size_t i = 0; i < 6; i++) {
		bool fast = i % 2 == 1;
		int64_t ms = (fast ? 1000 : 2000) + 10 * (int64_t)(i / 2);
		s->phases[i][0] = phase_of(1, "block-input", 10 << 20, ms);
		s->phases[i][1] = phase_of(2, "random-seeks", 10 << 20, 1000);
		s->runs[i] = (struct run){
		        .status = RUN_COMPLETE, .phases = s->phases[i], .nphases = 2};
		s->list[i] = (struct report_run){.label = fast ? "jumbo" : "default",
		                                 .dir = "x",
		                                 .run = &s->runs[i]};
	}
}

static void test_repeats_are_put_together(void **state)
{
	(void)state;
	struct scene s;
	struct measures m;
	make_scene(&s);
	assert_int_equal(measures_make(&m, s.list, 6), 0);
	assert_int_equal(m.nconfigs, 2);
	assert_string_equal(m.configs[1], "jumbo");
	assert_int_equal(m.n, 4);
	const struct measure *at = measure_find(&m, 1, "block-input", "cold");
	assert_non_null(at);
	assert_int_equal(at->n, 3);
	assert_true(fabs(at->median - 10240 / 1.01) < 0.01);
	assert_true(at->middle.low <= at->median && at->median <= at->middle.high);
	assert_true(at->middle.low < at->middle.high);
	assert_int_equal(at->unit, UNIT_KIB_S);
	assert_true(at->wire_share < 0);
	assert_int_equal(measure_find(&m, 0, "random-seeks", "cold")->unit, UNIT_OPS_S);
	assert_null(measure_find(&m, 0, "block-input", "warm"));
	const struct measure *phases[4];
	assert_int_equal(measure_phases(&m, phases), 2);
	assert_string_equal(phases[1]->phase, "random-seeks");
	measures_fini(&m);
}

static void test_failed_phases_have_no_value(void **state)
{
	(void)state;
	struct scene s;
	struct measures m;
	make_scene(&s);
	s.phases[0][0].failed = s.phases[2][0].failed = true;
	s.phases[4][0].cold_proven = false;
	assert_int_equal(measures_make(&m, s.list, 6), 0);
	const struct measure *at = measure_find(&m, 0, "block-input", "cold");
	assert_int_equal(at->n, 1);
	assert_true(at->failed && at->not_cold && !at->is_short);
	json_t *list = summary_sentences(s.list, 6, &m);
	assert_true(SAYS(list, "Failed: cold/block-input"));
	assert_true(SAYS(list, "Not shown to be cold", "cold/block-input"));
	json_decref(list);
	measures_fini(&m);
}

static void test_summary_of_configurations(void **state)
{
	(void)state;
	struct scene s;
	struct measures m;
	make_scene(&s);
	s.runs[3].status = RUN_FAILED;
	assert_int_equal(measures_make(&m, s.list, 6), 0);
	json_t *list = summary_sentences(s.list, 6, &m);
	assert_true(SAYS(list, "2 configurations in 6 runs, 5 of them complete."));
	assert_true(SAYS(list, "cold/block-input: best with jumbo, 10139 KiB/s",
	                 "worst with default", "a factor of 1.99 (95 %:"));
	assert_false(SAYS(list, "block-input", "no difference"));
	/* no configuration is better in these */
	assert_false(SAYS(list, "random-seeks", "best with"));
	assert_false(SAYS(list, "The probe"));
	assert_false(SAYS(list, "Findings"));
	json_decref(list);
	measures_fini(&m);
}

/* One interface that carried so much to the client in one pass. */
static struct probe_interface carried(uint64_t bytes, uint64_t size)
{
	struct probe_interface on = {.name = "atm0"};
	on.to_client = (struct probe_flow){.ip_packets = 10,
	                                   .ip_bytes = bytes + 1000,
	                                   .rx_data_bytes = bytes,
	                                   .resends = 1,
	                                   .top_size = size,
	                                   .top_count = 9,
	                                   .sized = 10,
	                                   .has_ceiling = true,
	                                   .ceiling = 4e6,
	                                   .has_share = true,
	                                   .share = 0.9};
	return on;
}

static void test_passes_are_summed(void **state)
{
	(void)state;
	struct probe_interface on[] = {carried(1000000, 1444), carried(3000000, 8520)};
	struct probe_phase seen[] = {{.id = 1,
	                              .begin_ns = 1,
	                              .end_ns = 500000001,
	                              .interfaces = &on[0],
	                              .ninterfaces = 1},
	                             {.id = 2,
	                              .begin_ns = 1,
	                              .end_ns = 500000001,
	                              .interfaces = &on[1],
	                              .ninterfaces = 1}};
	struct probe_result probe = {.phases = seen, .nphases = 2};
	struct run_pass passes[] = {{.id = 1}, {.id = 2}};
	struct run_phase p = phase_of(1, "block-input", 4000000, 1000);
	p.passes = passes;
	p.npasses = 2;
	struct run r = {.phases = &p, .nphases = 1};
	size_t n;
	struct joined *j = joined_rows(&r, &probe, &n);
	assert_int_equal(n, 1);
	assert_int_equal(j->rx_data_bytes, 4000000);
	assert_int_equal(j->resends, 2);
	assert_true(fabs(j->wire_kib_s - 4002000 / 1024.0) < 0.01);
	assert_true(fabs(j->share - 1.0) < 1e-9);
	assert_int_equal(j->flow->top_size, 8520);
	free(j);
	const struct report_run one = {.label = "", .run = &r, .probe = &probe};
	struct measures m;
	assert_int_equal(measures_make(&m, &one, 1), 0);
	assert_true(fabs(m.list[0].wire_share - 1) < 1e-9);
	assert_true(fabs(m.list[0].ceiling - 4e6 / 1024) < 1e-6);
	measures_fini(&m);
}

static void test_summary_of_one_run(void **state)
{
	(void)state;
	struct probe_interface on = carried(4000000, 8520);
	struct probe_phase seen = {.id = 1,
	                           .begin_ns = 1,
	                           .end_ns = 1000000001,
	                           .interfaces = &on,
	                           .ninterfaces = 1};
	struct probe_total total = {.name = "atm0",
	                            .kind = "atm-llc",
	                            .mtu = 9180,
	                            .rate_bps = 149760000,
	                            .to_client = on.to_client};
	struct probe_result probe = {
	        .phases = &seen,
	        .nphases = 1,
	        .totals = &total,
	        .ntotals = 1,
	        .diagnosed = true,
	        .verdicts = json_pack("[{s:s, s:s, s:s, s:s}]", "interface", "atm0",
	                              "service", "fs", "direction", "to_client", "text",
	                              "because"),
	        .findings = json_array()};
	struct run_phase phases[] = {phase_of(1, "block-input", 4000000, 1000),
	                             phase_of(2, "rewrite", 4000000, 100)};
	struct run r = {.workload = "bonnie",
	                .engine = "afs",
	                .phases = phases,
	                .nphases = 2,
	                .size = 4 << 20,
	                .status = RUN_COMPLETE};
	json_t *list = summary_of_run(&r, &probe);
	assert_true(SAYS(list, "bonnie on 4 MiB", "complete"));
	assert_true(SAYS(list, "Reading was best in cold/block-input, at 3906 KiB/s",
	                 "90.0 % of the 3906 KiB/s that atm0 (atm-llc, 149.76 Mbit/s, "
	                 "MTU 9180)",
	                 "datagrams of 8520 bytes"));
	assert_false(SAYS(list, "Writing was best"));
	assert_true(
	        SAYS(list, "server to client", "90.0 % of 10", "1 packets were sent"));
	assert_true(SAYS(list, "was chosen so: because."));
	assert_true(SAYS(list, "The probe found nothing wrong."));
	assert_true(SAYS(list, "Too short to be measured well: cold/rewrite"));
	json_decref(list);
	json_array_append_new(probe.findings, json_pack("{s:s, s:s}", "severity",
	                                                "warning", "text", "hm"));
	json_array_append_new(probe.findings, json_pack("{s:s, s:s}", "severity",
	                                                "error", "text", "oh"));
	list = summary_of_run(&r, &probe);
	assert_true(
	        SAYS(list, "Findings: 1 error, 1 warning, 0 notes; the gravest: oh."));
	json_decref(list);
	json_decref(probe.verdicts);
	json_decref(probe.findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_repeats_are_put_together),
	        cmocka_unit_test(test_failed_phases_have_no_value),
	        cmocka_unit_test(test_summary_of_configurations),
	        cmocka_unit_test(test_passes_are_summed),
	        cmocka_unit_test(test_summary_of_one_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
