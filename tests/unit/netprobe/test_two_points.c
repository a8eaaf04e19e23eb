/* The same traffic captured twice: at two points (two files), or by one interface
 * that sees every packet twice.  Neither is a resend. */
#include "netprobe/report/result_points.h"
#include "tests/support/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LATER_NS 3000u

/* Puts a frame block again, so many units later. */
static void put_later(struct capture *to, const struct capture *from, size_t begin,
                      size_t end, uint32_t units)
{
	size_t at = to->n;
	uint64_t time;
	uint32_t word[2];
	capture_put(to, from->bytes + begin, end - begin);
	if (sweep_is_pcap(from)) {
		memcpy(word, to->bytes + at, sizeof word);
		word[1] += units;
		word[0] += word[1] / 1000000000;
		word[1] %= 1000000000;
		memcpy(to->bytes + at, word, sizeof word);
		return;
	}
	memcpy(word, to->bytes + at + 12, sizeof word); /* little endian, as we are */
	time = ((uint64_t)word[0] << 32 | word[1]) + units;
	word[0] = (uint32_t)(time >> 32);
	word[1] = (uint32_t)time;
	memcpy(to->bytes + at + 12, word, sizeof word);
}

/* The files' resolution is 9, mixed's 6. */
static uint32_t units_of(const struct sweep_capture *s, uint32_t ns)
{
	return strcmp(s->name, "mixed") == 0 ? ns / 1000 : ns;
}

/* The file later, or (doubled) with every frame twice, in the order of time. */
static struct capture again(const struct sweep_capture *s, bool doubled,
                            uint32_t later_ns)
{
	const struct capture *c = &s->file;
	struct capture out = {0};
	bool is_frame;
	size_t begin = 0, end;
	for (; (end = sweep_block_end(c, begin, &is_frame)) != 0; begin = end) {
		if (!is_frame || doubled)
			capture_put(&out, c->bytes + begin, end - begin);
		if (is_frame)
			put_later(&out, c, begin, end, units_of(s, later_ns));
	}
	return out;
}

static void analyse(const struct capture *c, size_t n, struct analysis *a)
{
	char path[2][64];
	const char *paths[2];
	struct err err = {0};
	for (size_t i = 0; i < n; i++)
		paths[i] = capture_path(&c[i], path[i]);
	const struct analysis_options o = {.paths = paths, .n_paths = n};
	if (analysis_run(a, &o, &err) != 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < n; i++)
		capture_close_path(path[i]);
}

static void check_same(const struct tally *x, const struct tally *y, const char *what)
{
	const uint64_t pairs[][2] = {
	        {x->datagrams, y->datagrams},
	        {x->data_packets, y->data_packets},
	        {x->data_bytes, y->data_bytes},
	        {x->resends, y->resends},
	        {x->recovered, y->recovered},
	        {x->jumbograms.total, y->jumbograms.total},
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (pairs[i][0] != pairs[i][1])
			fail_msg("%s: count %zu is %llu, alone %llu", what, i,
			         (unsigned long long)pairs[i][0],
			         (unsigned long long)pairs[i][1]);
}

/* Each point has the round trips of its own clock. */
static void check_round_trips(const struct analysis *one, const struct analysis *two,
                              const char *name)
{
	uint32_t n = (uint32_t)one->result.n_ifaces;
	for (size_t i = 0; i < two->result.n_flows; i++) {
		const struct flow *f = two->result.flows[i].flow;
		struct flow_key k = f->key;
		k.iface %= n;
		const struct flow *alone = track_flow_find(one->track, &k);
		assert_non_null(alone);
		for (int w = 0; w < WAYS; w++) {
			const struct hist *x = &f->side[w].rtt,
			                  *y = &alone->side[w].rtt;
			if (x->count != y->count ||
			    hist_percentile(x, 0.5) != hist_percentile(y, 0.5))
				fail_msg(
				        "%s: round trips of flow %zu: %llu, alone %llu",
				        name, i, (unsigned long long)x->count,
				        (unsigned long long)y->count);
		}
	}
}

/* A call is one call, at however many points it is seen. */
static void check_calls(const struct analysis *one, const struct analysis *two)
{
	assert_int_equal(one->result.n_ops, two->result.n_ops);
	for (size_t i = 0; i < one->result.n_ops; i++)
		assert_int_equal(one->result.ops[i]->calls, two->result.ops[i]->calls);
}

/* Nothing is lost between them, of Rx or of anything else. */
static void check_arrival(const struct analysis *a, const char *name,
                          uint64_t arrived[static POINT_KINDS])
{
	for (size_t i = 0; i < a->result.n_points; i++) {
		const struct result_points *p = &a->result.points[i];
		for (size_t n = 0; n < p->n; n++) {
			const struct passage *q = &p->passages[n].passage;
			if (q->lost || q->extra || q->regrouped || !q->both)
				fail_msg("%s: %llu lost, %llu more", name,
				         (unsigned long long)q->lost,
				         (unsigned long long)q->extra);
			arrived[q->route->key.kind] += q->both;
		}
	}
}

static void check_points(const struct sweep_capture *s, uint32_t later_ns,
                         uint64_t arrived[static POINT_KINDS])
{
	struct analysis one, two;
	struct capture c[2] = {s->file, again(s, false, later_ns)};
	analyse(c, 1, &one);
	analyse(c, 2, &two);
	size_t n = one.result.n_ifaces;
	assert_int_equal(two.result.n_ifaces, 2 * n);
	for (size_t k = 0; k < 2 * n; k++) {
		for (int w = 0; w < WAYS; w++) {
			const struct tally *y = &two.result.ifaces[k].way[w].tally;
			check_same(y, &one.result.ifaces[k % n].way[w].tally, s->name);
			assert_int_equal(y->duplicates, 0);
		}
	}
	check_round_trips(&one, &two, s->name);
	check_calls(&one, &two);
	check_arrival(&two, s->name, arrived);
	analysis_free(&one);
	analysis_free(&two);
	capture_free(&c[1]);
}

/* However far apart their clocks are: 64 serials and more, whole calls.  (Not further
 * than the captures are long: a file that begins when the other has ended goes on with
 * its interface, as ring files do.) */
static void two_points_show_the_same_twice(void **state)
{
	static struct sweep_capture list[SWEEP_CAPTURES];
	static const uint32_t later_ns[] = {LATER_NS, 20000000, 50000000};
	uint64_t arrived[POINT_KINDS] = {0};
	(void)state;
	size_t captures = sweep_load(list);
	for (size_t i = 0; i < captures; i++)
		for (size_t l = 0; l < sizeof later_ns / sizeof *later_ns; l++)
			check_points(&list[i], later_ns[l], arrived);
	for (int k = 0; k < POINT_KINDS; k++)
		assert_true(arrived[k] > 0);
	sweep_free(list, captures);
}

static void one_interface_that_sees_all_twice(void **state)
{
	static struct sweep_capture list[SWEEP_CAPTURES];
	(void)state;
	size_t captures = sweep_load(list);
	for (size_t i = 0; i < captures; i++) {
		struct analysis one, two;
		struct capture doubled = again(&list[i], true, LATER_NS);
		analyse(&list[i].file, 1, &one);
		analyse(&doubled, 1, &two);
		assert_int_equal(two.result.frames, 2 * one.result.frames);
		assert_int_equal(two.result.n_ifaces, one.result.n_ifaces);
		for (size_t k = 0; k < one.result.n_ifaces; k++) {
			for (int w = 0; w < WAYS; w++) {
				const struct tally *y =
				        &two.result.ifaces[k].way[w].tally;
				const struct tally *x =
				        &one.result.ifaces[k].way[w].tally;
				check_same(y, x, list[i].name);
				/* copies of pieces are no datagrams of their own */
				assert_in_range(y->duplicates,
				                x->datagrams - x->trains_whole,
				                x->datagrams);
			}
		}
		analysis_free(&one);
		analysis_free(&two);
		capture_free(&doubled);
	}
	sweep_free(list, captures);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(two_points_show_the_same_twice),
	        cmocka_unit_test(one_interface_that_sees_all_twice),
	};
	return cmocka_run_group_tests_name("two_points", tests, NULL, NULL);
}
