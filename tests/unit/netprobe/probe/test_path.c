/* The search for a path MTU, on networks that exist only here. */
#include "netprobe/probe/path.h"

#include "netprobe/probe/search.h"
#include "src/base/clock.h"
#include "src/base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define PENDING 2048

/* A path: a router that tells of sizes over its MTU, a hole that swallows them. */
struct world {
	uint32_t link, router, hole; /* MTUs; 0 = none */
	bool router_tells_mtu;
	unsigned router_every; /* answers every nth too big packet with an error */
	double loss;           /* both ways together */
	int64_t rtt;
	bool silent;
	enum probe_event_kind says; /* to every packet; PROBE_NOTHING = nothing */
	unsigned vanish_after;      /* packets; 0 = never */
	int64_t dies_at;            /* nothing is answered from then on; 0 = never */

	struct rng rng;
	int64_t time;
	unsigned packets, errors;
	uint32_t largest;
	int64_t last_sent, least_gap;
	struct {
		int64_t at;
		struct probe_event e;
	} pending[PENDING];
	unsigned n;
};

static int64_t world_now(void *ctx)
{
	return ((struct world *)ctx)->time;
}

static void later(struct world *w, int64_t delay, struct probe_event e)
{
	assert_in_range(w->n, 0, PENDING - 1);
	w->pending[w->n].at = w->time + delay;
	w->pending[w->n++].e = e;
}

static struct probe_event world_send(void *ctx, uint32_t id, uint32_t len)
{
	struct world *w = ctx;
	struct probe_event nothing = {0};
	if (w->vanish_after && w->packets >= w->vanish_after)
		return (struct probe_event){.kind = PROBE_GONE};
	if (w->link && len > w->link)
		return (struct probe_event){
		        .kind = PROBE_TOO_BIG, .mtu = w->link, .local = true};
	if (w->packets++ && w->time - w->last_sent < w->least_gap)
		w->least_gap = w->time - w->last_sent;
	w->last_sent = w->time;
	if (len > w->largest)
		w->largest = len;
	if (w->says) {
		later(w, w->rtt, (struct probe_event){.kind = w->says});
		return nothing;
	}
	if (w->silent || (w->dies_at && w->time >= w->dies_at))
		return nothing;
	if (w->loss > 0 && (double)(rng_next(&w->rng) >> 11) / 0x1p53 < w->loss)
		return nothing;
	if (w->hole && len > w->hole)
		return nothing;
	if (w->router && len > w->router) {
		if (w->errors++ % (w->router_every ? w->router_every : 1) == 0)
			later(w, w->rtt,
			      (struct probe_event){
			              .kind = PROBE_TOO_BIG,
			              .mtu = w->router_tells_mtu ? w->router : 0});
		return nothing;
	}
	later(w, w->rtt, (struct probe_event){.kind = PROBE_ANSWER, .id = id});
	return nothing;
}

static struct probe_event world_wait(void *ctx, int64_t until)
{
	struct world *w = ctx;
	unsigned best = 0;
	for (unsigned i = 1; i < w->n; i++)
		if (w->pending[i].at < w->pending[best].at)
			best = i;
	if (w->n == 0 || w->pending[best].at > until) {
		w->time = until;
		return (struct probe_event){0};
	}
	struct probe_event e = w->pending[best].e;
	if (w->pending[best].at > w->time)
		w->time = w->pending[best].at;
	w->pending[best] = w->pending[--w->n];
	return e;
}

static struct path_result run(struct world *w, uint32_t limit, uint32_t packets)
{
	struct probe_net net = {w, world_now, world_send, world_wait};
	struct path_options o = {.smallest = 56, .limit = limit, .packets = packets};
	struct path_result r;
	w->rng = rng_init(w->rng.s[0] + 7);
	w->least_gap = INT64_MAX;
	path_find(&net, &o, &r);
	return r;
}

static void test_whole_link(void **state)
{
	(void)state;
	struct world w = {.link = 9180, .rtt = NS_PER_MS};
	struct path_result r = run(&w, 9180, 0);
	assert_int_equal(r.end, PATH_FOUND);
	assert_int_equal(r.passes, 9180);
	assert_int_equal(r.fails, 0);
	assert_false(r.silent_loss || r.icmp);
	assert_int_equal(r.sent, 2);
	assert_int_equal(r.rtt_ns, NS_PER_MS);
	assert_true(r.took_ns < 30 * NS_PER_MS);
}

static void test_every_hole(void **state)
{
	(void)state;
	for (uint32_t hole = 56; hole < 9180;
	     hole += hole < 80 || hole > 9160 ? 1 : 97) {
		struct world w = {.link = 9180, .hole = hole, .rtt = NS_PER_MS};
		struct path_result r = run(&w, 9180, 0);
		assert_int_equal(r.end, PATH_FOUND);
		assert_int_equal(r.passes, hole);
		assert_int_equal(r.fails, hole + 1);
		assert_true(r.silent_loss);
		assert_false(r.icmp);
		assert_true(r.sent < 150);
		assert_true(r.took_ns < 5 * NS_PER_S);
		assert_true(w.least_gap >= PATH_GAP_NS);
	}
}

static void test_router(void **state)
{
	(void)state;
	static const uint32_t mtu[] = {68,   576,  1280, 1400, 1499,
	                               1500, 1501, 4352, 9179};
	for (size_t i = 0; i < sizeof mtu / sizeof *mtu; i++)
		for (unsigned tells = 0; tells < 2; tells++)
			for (unsigned every = 1; every < 4; every++) {
				struct world w = {.link = 9180,
				                  .router = mtu[i],
				                  .router_tells_mtu = tells,
				                  .router_every = every,
				                  .rtt = 5 * NS_PER_MS};
				struct path_result r = run(&w, 9180, 0);
				assert_int_equal(r.end, PATH_FOUND);
				assert_int_equal(r.passes, mtu[i]);
				assert_int_equal(r.fails, mtu[i] + 1);
				assert_true(r.icmp);
				if (tells) {
					assert_int_equal(r.icmp_mtu, mtu[i]);
					assert_false(r.silent_loss);
					assert_true(r.sent < 30);
				}
			}
}

/* A router that tells a size, and a hole behind it: both are found. */
static void test_router_and_hole(void **state)
{
	(void)state;
	struct world w = {.link = 9180,
	                  .router = 4352,
	                  .router_tells_mtu = true,
	                  .hole = 1400,
	                  .rtt = NS_PER_MS};
	/* the hole is nearer */
	struct path_result r = run(&w, 9180, 0);
	assert_int_equal(r.passes, 1400);
	assert_true(r.silent_loss);
}

/* Packets lost whatever their size are never taken for a size. */
static void test_loss(void **state)
{
	(void)state;
	unsigned wrong = 0, runs = 0;
	for (unsigned loss = 5; loss <= 50; loss += 15)
		for (uint64_t seed = 0; seed < 50; seed++, runs++) {
			struct world w = {.link = 9180,
			                  .loss = loss / 100.0,
			                  .rtt = NS_PER_MS,
			                  .rng.s[0] = seed * 1000 + loss};
			struct path_result r = run(&w, 9180, 0);
			wrong += r.passes != 9180;
		}
	assert_in_range(wrong, 0, runs / 100);
	wrong = runs = 0;
	for (unsigned loss = 5; loss <= 35; loss += 15)
		for (uint64_t seed = 0; seed < 50; seed++, runs++) {
			struct world w = {.link = 9180,
			                  .loss = loss / 100.0,
			                  .hole = 3000,
			                  .rtt = NS_PER_MS,
			                  .rng.s[0] = seed * 1000 + loss};
			struct path_result r = run(&w, 9180, 0);
			wrong += r.passes != 3000;
		}
	assert_in_range(wrong, 0, runs / 30);
}

static void test_nobody(void **state)
{
	(void)state;
	struct world w = {.link = 1500, .silent = true};
	struct path_result r = run(&w, 1500, 0);
	assert_int_equal(r.end, PATH_SILENT);
	assert_int_equal(r.sent, 5);
	assert_int_equal(r.passes, 0);
	assert_in_range(r.took_ns, 3 * NS_PER_S, 5 * NS_PER_S);
	assert_int_equal(w.largest, 56); /* nobody is sent large ones for nothing */
	static const struct {
		enum probe_event_kind says;
		enum path_end end;
	} rows[] = {{PROBE_UNREACHABLE, PATH_UNREACHABLE},
	            {PROBE_REFUSED, PATH_REFUSED},
	            {PROBE_FORBIDDEN, PATH_FORBIDDEN},
	            {PROBE_STOPPED, PATH_STOPPED}};
	for (size_t i = 0; i < 4; i++) {
		struct world u = {.link = 1500, .says = rows[i].says, .rtt = NS_PER_MS};
		r = run(&u, 1500, 0);
		assert_int_equal(r.end, rows[i].end);
		assert_int_equal(r.sent, 1);
	}
}

static void test_midway(void **state)
{
	(void)state;
	struct world w = {
	        .link = 9180, .hole = 3000, .rtt = NS_PER_MS, .vanish_after = 12};
	struct path_result r = run(&w, 9180, 0);
	assert_int_equal(r.end, PATH_GONE);
	struct world d = {.link = 9180,
	                  .hole = 3000,
	                  .rtt = NS_PER_MS,
	                  .dies_at = 400 * NS_PER_MS};
	r = run(&d, 9180, 0);
	assert_int_equal(r.end, PATH_FELL_SILENT);
	struct world few = {.link = 9180, .hole = 3000, .rtt = NS_PER_MS};
	r = run(&few, 9180, 20);
	assert_int_equal(r.end, PATH_NOT_EXACT);
	assert_int_equal(r.sent, 20);
	assert_in_range(r.passes, 56, 3000);
	assert_in_range(r.fails, 3001, 9180);
}

/* The link is smaller than thought: the kernel says so. */
static void test_local(void **state)
{
	(void)state;
	struct world w = {.link = 1492, .rtt = NS_PER_MS};
	struct path_result r = run(&w, 1500, 0);
	assert_int_equal(r.passes, 1492);
	assert_true(r.local);
	assert_false(r.icmp || r.silent_loss);
}

static void test_repeats(void **state)
{
	(void)state;
	assert_int_equal(search_repeats(0, 1000), 3);
	assert_int_equal(search_repeats(50, 100), 10);
	assert_int_equal(search_repeats(99, 100), 12);
	assert_in_range(search_repeats(0, 1), 3, 12);
	for (int e = 0; e < PATH_ENDS; e++)
		assert_non_null(path_end_id((enum path_end)e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_whole_link),
	        cmocka_unit_test(test_every_hole),
	        cmocka_unit_test(test_router),
	        cmocka_unit_test(test_router_and_hole),
	        cmocka_unit_test(test_loss),
	        cmocka_unit_test(test_nobody),
	        cmocka_unit_test(test_midway),
	        cmocka_unit_test(test_local),
	        cmocka_unit_test(test_repeats),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
