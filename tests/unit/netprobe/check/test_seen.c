/* What a capture tells of each peer, by interface and direction. */
#include "netprobe/check/seen.h"

#include "netprobe/check/matrix.h"
#include "tests/support/capture_build.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HERE "10.1.0.1"
#define PEER "10.1.0.2"

static const struct host_iface host[2] = {
        {.name = "nic0", .index = 2, .up = true, .mtu = 9180, .addresses = HERE "/24"},
        {.name = "nic1",
         .index = 3,
         .up = true,
         .mtu = 1500,
         .addresses = "10.2.0.1/24"}};

struct scene {
	struct capture c;
	uint32_t serial;
	int64_t ns;
};

static struct scene scene_of(const char *first, const char *second)
{
	struct scene s = {.ns = 1000};
	capture_section(&s.c, false);
	capture_iface(&s.c, LINK_ETHERNET, 0, first, 9);
	capture_iface(&s.c, LINK_ETHERNET, 0, second, 9);
	return s;
}

/* A datagram of `size` bytes of UDP payload between our port 7001 and the peer's 7000.
 */
static void send(struct scene *s, uint32_t iface, bool ours, unsigned type,
                 uint32_t size)
{
	struct pkt *p = malloc(sizeof *p);
	assert_non_null(p);
	struct rx_header h = {.epoch = 0x80000001,
	                      .cid = 4,
	                      .call = 1,
	                      .seq = type == RX_DATA ? s->serial + 1 : 0,
	                      .serial = s->serial + 1,
	                      .type = (uint8_t)type,
	                      .flags = ours ? RX_CLIENT : 0,
	                      .service = 1};
	s->serial++;
	pkt_begin(p);
	pkt_ethernet(p, PKT_TYPE_IP4);
	pkt_ip4(p, &(struct pkt_ip4){.src = ours ? HERE : PEER,
	                             .dst = ours ? PEER : HERE,
	                             .id = (uint16_t)s->serial,
	                             .df = true});
	pkt_udp(p, ours ? 7001 : 7000, ours ? 7000 : 7001);
	pkt_rx(p, &h);
	pkt_fill(p, size - RX_HEADER);
	pkt_end(p);
	s->ns += 1000000;
	capture_block(&s->c, 6);
	capture_u32(&s->c, iface);
	capture_u32(&s->c, (uint32_t)(s->ns >> 32));
	capture_u32(&s->c, (uint32_t)s->ns);
	capture_u32(&s->c, (uint32_t)p->len);
	capture_u32(&s->c, (uint32_t)p->len);
	capture_put(&s->c, p->bytes, p->len);
	static const uint8_t zeros[4];
	capture_put(&s->c, zeros, -p->len & 3);
	capture_block_end(&s->c);
	free(p);
}

static struct seen_list read_all(struct scene *s)
{
	char path[64];
	struct seen_list list = {0};
	struct err err = {0};
	const char *name = capture_path(&s->c, path);
	if (seen_read(&list, name, host, 2, &err) != 0)
		fail_msg("%s", err.text);
	capture_close_path(name);
	capture_free(&s->c);
	return list;
}

static struct addr peer(void)
{
	struct addr a;
	assert_true(addr_parse(PEER, &a));
	return a;
}

static void by_interface_and_direction(void **state)
{
	(void)state;
	const struct addr p = peer();
	struct scene s = scene_of("nic0", "nic1");
	for (int i = 0; i < 3; i++)
		send(&s, 0, true, RX_DATA, 1444);
	send(&s, 1, false, RX_DATA, 1200);
	struct seen_list list = read_all(&s);
	const struct seen *a = seen_of(&list, &p, "nic0"),
	                  *b = seen_of(&list, &p, "nic1");
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(a->way[SEEN_SENT].datagrams, 3);
	assert_int_equal(a->way[SEEN_SENT].largest, 1444);
	assert_int_equal(a->way[SEEN_RECEIVED].datagrams, 0);
	assert_int_equal(b->way[SEEN_SENT].datagrams, 0);
	assert_int_equal(b->way[SEEN_RECEIVED].largest, 1200);
	assert_false(seen_we_serve(a));
	assert_null(seen_of(&list, &p, "lo"));
	assert_int_equal(list.peers.n, 1);
	assert_int_equal(list.peers.list[0].port, 7000);
	seen_free(&list);
}

/* Padded probes, and what answers them, are nobody's choice of a size. */
static void probes_are_no_data(void **state)
{
	(void)state;
	const struct addr p = peer();
	struct scene s = scene_of("nic0", "nic1");
	send(&s, 0, true, RX_VERSION, 9152);
	send(&s, 0, false, RX_VERSION, 9152);
	send(&s, 0, true, RX_DEBUG, 2000);
	struct seen_list list = read_all(&s);
	const struct seen *a = seen_of(&list, &p, "nic0");
	for (int d = 0; a && d < SEEN_DIRECTIONS; d++) {
		assert_int_equal(a->way[d].datagrams, 0);
		assert_int_equal(a->way[d].largest, 0);
	}
	seen_free(&list);
}

/* A name of another host's interface, or none: it holds for whatever interface. */
static void names_that_are_not_ours(void **state)
{
	(void)state;
	const struct addr p = peer();
	struct scene s = scene_of("en7", NULL);
	send(&s, 0, true, RX_DATA, 1444);
	struct seen_list list = read_all(&s);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.list[0].iface, "");
	assert_ptr_equal(seen_of(&list, &p, "nic1"), &list.list[0]);
	seen_free(&list);
}

static void gone_by_whole_names(void **state)
{
	(void)state;
	const struct seen_list s = {.gone = "nic0,nic12"};
	assert_true(seen_gone(&s, "nic0"));
	assert_true(seen_gone(&s, "nic12"));
	assert_false(seen_gone(&s, "nic1"));
	assert_false(seen_gone(&s, ""));
	assert_false(seen_gone(NULL, "nic0"));
}

/* ---- in the matrix -------------------------------------------------------- */

/* A matrix of one row: the peer by nic0. */
static struct matrix matrix_of_nic0(void)
{
	struct matrix m = {.n_ifaces = 2, .n_rows = 1};
	m.ifaces = malloc(sizeof host);
	m.rows = calloc(1, sizeof *m.rows);
	assert_true(m.ifaces && m.rows);
	memcpy(m.ifaces, host, sizeof host);
	m.rows[0] = (struct row){.peer = {.addr = peer(), .port = 7000},
	                         .route.kind = HOST_ROUTE_UNICAST,
	                         .has_iface = true,
	                         .iface = host[0],
	                         .mtu = 9180};
	return m;
}

static void data_on_another_interface_has_a_row(void **state)
{
	(void)state;
	struct err err = {0};
	struct scene s = scene_of("nic0", "nic1");
	for (int i = 0; i < 70; i++) {
		send(&s, 0, true, RX_DATA, 1444);
		send(&s, 1, false, RX_DATA, 1444);
	}
	struct seen_list list = read_all(&s);
	struct matrix m = matrix_of_nic0();
	const struct matrix_options o = {.program = -1};
	assert_int_equal(matrix_judge(&m, &o, &list, &err), 0);
	assert_int_equal(m.n_rows, 2);
	assert_string_equal(m.rows[0].iface.name, "nic0");
	assert_string_equal(m.rows[1].iface.name, "nic1");
	assert_true(m.rows[1].only_seen);
	assert_int_equal(m.rows[1].verdict, VERDICT_OTHER_WAY);
	assert_int_equal(m.rows[1].findings, 1);
	assert_non_null(strstr(m.rows[1].finding[0].text, "70 DATA datagrams"));
	assert_non_null(
	        strstr(m.rows[1].finding[0].text, "the route to it is by nic0"));
	assert_int_equal(matrix_exit_code(&m), 0); /* a note */
	matrix_free(&m);

	/* on a member of the interface of the route it is the same traffic */
	m = matrix_of_nic0();
	m.ifaces[1].master = host[0].index;
	assert_int_equal(matrix_judge(&m, &o, &list, &err), 0);
	assert_int_equal(m.n_rows, 1);
	matrix_free(&m);
	seen_free(&list);
}

static void gone_while_captured_on(void **state)
{
	(void)state;
	struct err err = {0};
	struct seen_list list = {.live = true, .gone = "nic0"};
	struct matrix m = matrix_of_nic0();
	const struct matrix_options o = {.program = -1};
	assert_int_equal(matrix_judge(&m, &o, &list, &err), 0);
	assert_int_equal(m.rows[0].verdict, VERDICT_GONE);
	assert_int_equal(matrix_exit_code(&m), ERR_ENVIRONMENT);
	matrix_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(by_interface_and_direction),
	        cmocka_unit_test(probes_are_no_data),
	        cmocka_unit_test(names_that_are_not_ours),
	        cmocka_unit_test(gone_by_whole_names),
	        cmocka_unit_test(data_on_another_interface_has_a_row),
	        cmocka_unit_test(gone_while_captured_on),
	};
	return cmocka_run_group_tests_name("check/seen", tests, NULL, NULL);
}
