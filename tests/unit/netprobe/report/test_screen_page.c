#include "netprobe/report/screen_page.h"

#include "netprobe/expect/link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SECOND INT64_C(1000000000)

/* One interface, one flow; the sums are the test's. */
struct fixture {
	struct source_iface source;
	struct iface_stats stats;
	struct result_iface iface;
	struct flow flow;
	struct result_flow rf;
	struct result result;
	struct screen_past *past;
	char *text;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	f->source = (struct source_iface){.name = "eth0"};
	f->iface = (struct result_iface){.source = &f->source,
	                                 .stats = &f->stats,
	                                 .kind = link_kind_find("ethernet"),
	                                 .rate_bps = 100000000,
	                                 .mtu = 1500};
	f->flow.key.client_port = 7001;
	f->flow.key.server_port = 7000;
	f->rf.flow = &f->flow;
	f->rf.iface = &f->iface;
	f->result = (struct result){
	        .ifaces = &f->iface, .n_ifaces = 1, .flows = &f->rf, .n_flows = 1};
	f->past = screen_past_new();
	*state = f;
	return f->past ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	screen_past_free(f->past);
	free(f->text);
	free(f);
	return 0;
}

/* So much more to the client until this time. */
static void goes_by(struct fixture *f, int64_t until_ns, uint64_t packets,
                    uint64_t bytes)
{
	struct result_way *ways[] = {&f->iface.way[TO_CLIENT], &f->rf.way[TO_CLIENT]};
	f->result.frames += packets;
	f->result.last_ns = until_ns;
	f->stats.ip_packets += packets;
	f->stats.ip_bytes += bytes;
	for (int i = 0; i < 2; i++) {
		ways[i]->tally.ip_packets += packets;
		ways[i]->tally.data_packets += packets;
		ways[i]->tally.ip_bytes += bytes;
		ways[i]->tally.data_bytes += bytes;
		ways[i]->link_bytes += bytes;
	}
}

static const char *page(struct fixture *f)
{
	size_t size;
	free(f->text);
	FILE *out = open_memstream(&f->text, &size);
	assert_int_equal(screen_page(f->past, &f->result, 5, out), 0);
	fclose(out);
	return f->text;
}

/* The line that begins with this, its runs of spaces made one. */
static const char *line(const char *text, const char *with, char out[200])
{
	const char *at = strstr(text, with);
	size_t n = 0;
	assert_non_null(at);
	for (; *at && *at != '\n' && n < 199; at++)
		if (*at != ' ' || (n && out[n - 1] != ' '))
			out[n++] = *at;
	out[n] = 0;
	return out;
}

static void rates_are_of_the_packets_since_the_page_before(void **state)
{
	struct fixture *f = *state;
	char text[200];
	f->result.first_ns = 100 * SECOND;
	goes_by(f, 102 * SECOND, 2000, 2048000);
	assert_string_equal(line(page(f), "eth0", text),
	                    "eth0 1500 1000 1000 1000 8 % 0 0 % 0 -");
	/* a quarter of a second, though a page is drawn once a second */
	goes_by(f, 102 * SECOND + SECOND / 4, 2000, 2048000);
	assert_string_equal(line(page(f), "eth0", text),
	                    "eth0 1500 8000 8000 8000 66 % 0 0 % 0 -");
	assert_non_null(strstr(f->text, "over the last 0.2 s"));
	/* nothing came: no rate is left standing */
	assert_string_equal(line(page(f), "eth0", text),
	                    "eth0 1500 0 0 0 0 % 0 0 % 0 -");
}

static void a_flow_has_its_own_rate(void **state)
{
	struct fixture *f = *state;
	char text[200];
	f->result.first_ns = 100 * SECOND;
	goes_by(f, 101 * SECOND, 10, 10240);
	page(f);
	goes_by(f, 103 * SECOND, 10, 40960);
	f->rf.way[TO_CLIENT].dominant = 1444;
	f->rf.way[TO_CLIENT].tally.resends = 3;
	assert_string_equal(line(strstr(page(f), "Rx data"), "to client", text),
	                    "to client 20 1444 0 3 -");
	assert_null(strstr(strstr(f->text, "Rx data"), "to server"));
}

static void an_empty_capture_has_a_page(void **state)
{
	struct fixture *f = *state;
	f->result = (struct result){0};
	page(f);
	assert_non_null(strstr(f->text, "no packet so far"));
	assert_non_null(strstr(f->text, "no Rx so far"));
	assert_non_null(strstr(f->text, "Findings so far\nnone\n"));
}

#define PAGE_TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        PAGE_TEST(rates_are_of_the_packets_since_the_page_before),
	        PAGE_TEST(a_flow_has_its_own_rate),
	        PAGE_TEST(an_empty_capture_has_a_page),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
