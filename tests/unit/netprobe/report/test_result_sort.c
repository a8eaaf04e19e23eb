#include "netprobe/report/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FLOWS = 6 };

struct fixture {
	struct flow flow[FLOWS];
	struct result_flow list[FLOWS];
	struct result result;
};

/* Flow i: interface i / 3; each counter ranks the flows of an interface anew. */
static void make(struct fixture *f)
{
	memset(f, 0, sizeof *f);
	for (uint16_t i = 0; i < FLOWS; i++) {
		struct tally *y = &f->list[i].way[i % 2].tally;
		f->flow[i].key.iface = i / 3;
		f->flow[i].key.client_port = i;
		f->list[i].flow = &f->flow[i];
		f->list[i].iface = (const struct result_iface *)&f->flow[i / 3 * 3];
		y->ip_bytes = 100u + i % 3;
		y->ip_packets = 100u - i % 3;
		y->data_bytes = (uint64_t)(i % 3 == 1);
		y->resends = (uint64_t)(i % 3 == 2);
		y->recovered = 2 * (uint64_t)(i % 3 == 0);
		y->fragments = 7;
		for (int n = 0; n < 9; n++)
			hist_record(&f->flow[i].side[i % 2].rtt,
			            1000 * (1 + (i + 1) % 3));
	}
	f->result = (struct result){
	        .flows = f->list, .n_flows = FLOWS, .n_flows_held = FLOWS};
}

static void release(struct fixture *f)
{
	for (uint16_t i = 0; i < FLOWS; i++)
		hist_free(&f->flow[i].side[i % 2].rtt);
}

static void orders_by_every_key(void **state)
{
	static const struct {
		const char *name;
		uint16_t order[FLOWS]; /* client ports */
	} cases[] = {
	        {"bytes", {2, 1, 0, 5, 4, 3}},     {"packets", {0, 1, 2, 3, 4, 5}},
	        {"data", {1, 0, 2, 4, 3, 5}},      {"resends", {0, 2, 1, 3, 5, 4}},
	        {"fragments", {0, 1, 2, 3, 4, 5}}, {"rtt", {1, 0, 2, 4, 3, 5}},
	};
	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		static struct fixture f;
		make(&f);
		int by = result_sort_find(cases[c].name);
		assert_int_equal(by, c);
		result_sort_flows(&f.result, (enum result_sort)by);
		for (size_t i = 0; i < FLOWS; i++)
			assert_int_equal(f.list[i].flow->key.client_port,
			                 cases[c].order[i]);
		release(&f);
	}
	assert_int_equal(result_sort_find("nothing"), -1);
}

static void keeps_the_first_of_each_interface(void **state)
{
	static struct fixture f;
	(void)state;
	for (size_t n = 0; n < 5; n++) {
		uint32_t seen = 0;
		make(&f);
		result_keep_flows(&f.result, n);
		size_t each = n == 0 || n > 3 ? 3 : n;
		assert_int_equal(f.result.n_flows, 2 * each);
		for (size_t i = 0; i < f.result.n_flows; i++)
			assert_int_equal(f.list[i].flow->key.client_port,
			                 i / each * 3 + i % each);
		/* those left out are still held, each once */
		for (size_t i = 0; i < f.result.n_flows_held; i++)
			seen |= 1u << f.list[i].flow->key.client_port;
		assert_int_equal(seen, (1u << FLOWS) - 1);
		release(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(orders_by_every_key),
	        cmocka_unit_test(keeps_the_first_of_each_interface),
	};
	return cmocka_run_group_tests_name("report/result_sort", tests, NULL, NULL);
}
