/* Captures with any snap length: sizes come from lengths, not from what was
 * captured. */
#include "tests/support/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Behind this, every header up to Rx's (and of what ICMP quotes) is there: Ethernet
 * with a tag 18 or LLC 8, IPv6 40, fragment header 8, UDP 8, Rx 28. */
#define ALL_HEADERS 102u

static void check_sizes(const struct sizes *x, const struct sizes *y, const char *what)
{
	size_t nx, ny;
	struct size_count *a = sizes_sorted(x, SIZES_BY_SIZE, &nx);
	struct size_count *b = sizes_sorted(y, SIZES_BY_SIZE, &ny);
	bool same = nx == ny;
	for (size_t i = 0; same && i < nx; i++)
		same = a[i].size == b[i].size && a[i].n == b[i].n;
	free(a);
	free(b);
	if (!same)
		fail_msg("%s: other sizes than in the whole capture", what);
}

static void check_same_tally(const struct tally *x, const struct tally *y,
                             const char *what)
{
	const struct {
		const char *name;
		uint64_t x, y;
	} counts[] = {
	        {"IP packets", x->ip_packets, y->ip_packets},
	        {"IP bytes", x->ip_bytes, y->ip_bytes},
	        {"DF", x->df, y->df},
	        {"fragments", x->fragments, y->fragments},
	        {"whole trains", x->trains_whole, y->trains_whole},
	        {"broken trains", x->trains_broken, y->trains_broken},
	        {"bytes of broken trains", x->broken_ip_bytes, y->broken_ip_bytes},
	        {"datagrams", x->datagrams, y->datagrams},
	        {"DATA packets", x->data_packets, y->data_packets},
	        {"data bytes", x->data_bytes, y->data_bytes},
	        {"resends", x->resends, y->resends},
	        {"resent bytes", x->resent_bytes, y->resent_bytes},
	        {"duplicates", x->duplicates, y->duplicates},
	};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (counts[i].x != counts[i].y)
			fail_msg("%s: %s: %llu, whole %llu", what, counts[i].name,
			         (unsigned long long)counts[i].x,
			         (unsigned long long)counts[i].y);
	check_sizes(&x->ip_lengths, &y->ip_lengths, what);
	check_sizes(&x->data_datagrams, &y->data_datagrams, what);
	check_sizes(&x->jumbograms, &y->jumbograms, what);
	check_sizes(&x->train_pieces, &y->train_pieces, what);
}

static void check_snap(const struct sweep_capture *s, uint32_t snap,
                       const struct analysis *whole)
{
	char what[200];
	struct analysis a;
	struct err err = {0};
	snprintf(what, sizeof what, "%.80s snapped to %u", s->name, snap);
	struct capture c = sweep_snap(&s->file, snap);
	if (sweep_analyse(&c, c.n, &a, &err) != 0)
		fail_msg("%s: %s", what, err.text);
	sweep_check(&a, what);
	assert_int_not_equal(analysis_exit_code(&a), ERR_PARTIAL);
	assert_int_equal(a.result.n_ifaces, whole->result.n_ifaces);
	assert_int_equal(a.result.n_phases, whole->result.n_phases);
	for (size_t i = 0; i < a.result.n_ifaces; i++) {
		const struct result_iface *x = &a.result.ifaces[i];
		const struct result_iface *y = &whole->result.ifaces[i];
		assert_int_equal(x->stats->frames, y->stats->frames);
		assert_int_equal(x->stats->wire_bytes, y->stats->wire_bytes);
		assert_true(x->stats->ip_packets <= y->stats->ip_packets);
		if (snap < ALL_HEADERS)
			continue;
		check_sizes(&x->stats->ip_lengths, &y->stats->ip_lengths, what);
		for (int e = 0; e < FRAGMENT_ENDS; e++)
			assert_int_equal(x->stats->trains[e], y->stats->trains[e]);
		assert_int_equal(x->stats->icmp_errors, y->stats->icmp_errors);
		for (int w = 0; w < WAYS; w++)
			check_same_tally(&x->way[w].tally, &y->way[w].tally, what);
	}
	analysis_free(&a);
	capture_free(&c);
}

/* More of no frame was captured. */
static uint32_t longest(const struct capture *c)
{
	uint32_t most = 0;
	bool is_frame;
	size_t begin = 0, end;
	for (; (end = sweep_block_end(c, begin, &is_frame)) != 0; begin = end)
		if (is_frame && sweep_caplen(c, begin) > most)
			most = sweep_caplen(c, begin);
	return most;
}

static void sizes_do_not_depend_on_the_snap_length(void **state)
{
	static struct sweep_capture list[SWEEP_CAPTURES];
	(void)state;
	size_t captures = sweep_load(list);
	for (size_t i = 0; i < captures; i++) {
		struct analysis whole;
		struct err err = {0};
		if (sweep_analyse(&list[i].file, list[i].file.n, &whole, &err) != 0)
			fail_msg("%s: %s", list[i].name, err.text);
		uint32_t most = longest(&list[i].file);
		assert_true(most > ALL_HEADERS);
		for (uint32_t snap = 0; snap <= most; snap++)
			check_snap(&list[i], snap, &whole);
		analysis_free(&whole);
	}
	sweep_free(list, captures);
}

/* Else the sweep would prove nothing of them. */
static void built_capture_has_what_the_others_lack(void **state)
{
	static struct sweep_capture list[SWEEP_CAPTURES];
	struct analysis a;
	struct err err = {0};
	(void)state;
	size_t n = sweep_load(list);
	const struct capture *c = &list[n - 1].file;
	assert_int_equal(sweep_analyse(c, c->n, &a, &err), 0);
	const struct iface_stats *s = a.result.ifaces[0].stats;
	assert_true(s->trains[FRAGMENT_WHOLE] > 0);
	assert_true(s->trains[FRAGMENT_UNFINISHED] > 0);
	assert_true(s->orphans > 0 && s->tcp > 0 && s->udp > 0 && s->too_big > 0);
	assert_true(s->layer[LAYER_VLAN] > 0);
	assert_true(a.result.ifaces[0].way[TO_CLIENT].tally.trains_broken > 0);
	analysis_free(&a);
	sweep_free(list, n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(built_capture_has_what_the_others_lack),
	        cmocka_unit_test(sizes_do_not_depend_on_the_snap_length)};
	return cmocka_run_group_tests_name("sweep_snap", tests, NULL, NULL);
}
