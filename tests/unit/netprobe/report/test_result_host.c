/* From packets to hosts: a capture built here, read by the whole analysis. */
#include "netprobe/analysis.h"
#include "netprobe/report/json.h"
#include "netprobe/report/text.h"
#include "tests/support/capture_build.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SERVER_A "10.77.1.1"
#define SERVER_B "10.77.2.1"
#define CLIENT "10.77.1.11"
#define EPOCH 0x90000001u

struct world {
	struct capture c;
	struct analysis a;
	uint32_t frames;
	uint32_t serial;
};

static void begin_frame(struct pkt *p, const char *src, unsigned sport, const char *dst,
                        unsigned dport)
{
	pkt_begin(p);
	pkt_ethernet(p, PKT_TYPE_IP4);
	pkt_ip4(p, &(struct pkt_ip4){.src = src, .dst = dst, .df = true});
	pkt_udp(p, sport, dport);
}

static void add_frame(struct world *w, struct pkt *p)
{
	pkt_end(p);
	w->frames++;
	capture_u32(&w->c, 1000);
	capture_u32(&w->c, w->frames * 1000);
	capture_u32(&w->c, (uint32_t)p->len);
	capture_u32(&w->c, (uint32_t)p->len);
	capture_put(&w->c, p->bytes, p->len);
}

/* What a packet is; flags tell the way. */
struct say {
	const char *src, *dst;
	unsigned sport, dport;
	uint32_t cid, call, seq;
	uint8_t type, flags, security;
	uint16_t service;
};

static void say(struct world *w, const struct say *s, const uint32_t *words, size_t n)
{
	static struct pkt p;
	begin_frame(&p, s->src, s->sport, s->dst, s->dport);
	pkt_rx(&p, &(struct rx_header){.epoch = EPOCH,
	                               .cid = s->cid,
	                               .call = s->call,
	                               .seq = s->seq,
	                               .serial = ++w->serial,
	                               .type = s->type,
	                               .flags = s->flags,
	                               .security = s->security,
	                               .service = s->service});
	for (size_t i = 0; i < n; i++)
		pkt_u32(&p, words[i]);
	add_frame(w, &p);
}

static const uint32_t uuid_words[11] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

/* A request with this opcode and its reply, which may come from another address. */
static void call(struct world *w, const char *client, unsigned cport,
                 const char *server, const char *from, unsigned sport, uint32_t cid,
                 uint16_t service, const uint32_t *request, size_t n,
                 const uint32_t *reply, size_t m)
{
	struct say q = {.src = client,
	                .dst = server,
	                .sport = cport,
	                .dport = sport,
	                .cid = cid,
	                .call = 1,
	                .seq = 1,
	                .type = RX_DATA,
	                .flags = RX_CLIENT | RX_LAST,
	                .service = service};
	say(w, &q, request, n);
	q.src = from;
	q.dst = client;
	q.sport = sport;
	q.dport = cport;
	q.flags = RX_LAST;
	say(w, &q, reply, m);
}

static void tell_me(struct world *w, const char *server, const char *client,
                    uint32_t cid, uint32_t uuid_first, uint32_t address, uint32_t mtu)
{
	const uint32_t opcode = 65538;
	uint32_t reply[110] = {1, uuid_first};
	for (unsigned i = 2; i < 12; i++)
		reply[i] = i;
	reply[12] = address;
	reply[12 + 32] = 0xffffff00;
	reply[12 + 64] = mtu;
	call(w, server, 7000, client, client, 7001, cid, 1, &opcode, 1, reply, 110);
}

static void version(struct world *w, const char *from, unsigned port, const char *text)
{
	static struct pkt p;
	begin_frame(&p, from, port, CLIENT, 5555);
	pkt_rx(&p, &(struct rx_header){.epoch = 999, .type = RX_VERSION});
	pkt_bytes(&p, text, strlen(text));
	pkt_zero(&p, 65 - strlen(text));
	add_frame(w, &p);
}

static int set_up(void **state)
{
	struct world *w = calloc(1, sizeof *w);
	if (!w)
		return -1;
	capture_pcap(&w->c, CAPTURE_MICRO, false, 65535, 1);
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;
	analysis_free(&w->a);
	capture_free(&w->c);
	free(w);
	return 0;
}

static void analyse(struct world *w, const struct host_map *map)
{
	char path[64];
	struct err err = {0};
	const char *paths[] = {capture_path(&w->c, path)};
	struct analysis_options o = {.paths = paths, .n_paths = 1, .host_map = map};
	assert_int_equal(analysis_run(&w->a, &o, &err), 0);
	capture_close_path(path);
	assert_int_equal(w->a.result.frames, w->frames);
}

static const struct result_host *host_of(const struct world *w, const char *address)
{
	struct addr a;
	assert_true(addr_parse(address, &a));
	const struct result_hosts *h = &w->a.result.hosts;
	for (size_t i = 0; i < h->n; i++)
		for (size_t n = 0; n < h->list[i].n_addresses; n++)
			if (addr_compare(&h->list[i].addresses[n].addr, &a) == 0)
				return &h->list[i];
	fail_msg("no host has the address %s", address);
	return NULL;
}

static char *text_of(const struct world *w)
{
	char *text;
	size_t n;
	struct err err = {0};
	FILE *out = open_memstream(&text, &n);
	assert_non_null(out);
	struct report_text_options o = {0};
	assert_int_equal(report_text(&w->a.result, &o, out, &err), 0);
	fclose(out);
	return text;
}

static void assert_says(const struct world *w, const char *part)
{
	char *text = text_of(w);
	if (!strstr(text, part))
		fail_msg("the report does not say \"%s\":\n%s", part, text);
	free(text);
}

static void test_answered_from_another_address(void **state)
{
	struct world *w = *state;
	const uint32_t opcode = 153, reply[2] = {1, 2};
	call(w, CLIENT, 7001, SERVER_A, SERVER_B, 7000, 0x1000, 1, &opcode, 1, reply,
	     2);
	analyse(w, NULL);
	const struct result_host *h = host_of(w, SERVER_A);
	assert_ptr_equal(h, host_of(w, SERVER_B));
	assert_int_equal(h->why, HOST_ANSWERED);
	assert_int_equal(h->n_addresses, 2);
	assert_int_equal(h->received.ip_packets, 1);
	assert_int_equal(h->received.ip_bytes, 20 + 8 + 28 + 4);
	assert_int_equal(h->sent.data_bytes, 8);
	assert_int_equal(h->addresses[0].sent.ip_packets, 0);
	assert_int_equal(h->addresses[1].sent.ip_packets, 1);
	assert_int_equal(host_of(w, CLIENT)->n_addresses, 1);
	assert_false(result_host_tells(host_of(w, CLIENT)));
	assert_says(w, "10.77.1.1: 2 addresses of one host (one connection from "
	               "both)");
}

static void test_same_uuid(void **state)
{
	struct world *w = *state;
	uint32_t init[12] = {213};
	memcpy(init + 1, uuid_words, sizeof uuid_words);
	call(w, SERVER_A, 7000, CLIENT, CLIENT, 7001, 0x1000, 1, init, 12, NULL, 0);
	call(w, SERVER_B, 7000, CLIENT, CLIENT, 7001, 0x2000, 1, init, 12, NULL, 0);
	init[1] = 77; /* another server */
	call(w, "10.77.3.1", 7000, CLIENT, CLIENT, 7001, 0x3000, 1, init, 12, NULL, 0);
	analyse(w, NULL);
	assert_ptr_equal(host_of(w, SERVER_A), host_of(w, SERVER_B));
	assert_int_equal(host_of(w, SERVER_A)->why, HOST_UUID);
	assert_int_equal(host_of(w, SERVER_A)->n_facts, 2);
	assert_int_equal(host_of(w, "10.77.3.1")->n_addresses, 1);
	assert_says(w, "InitCallBackState3 (frame 1): uuid "
	               "00000001-0002-0003-04-05-060708090a0b");
}

static void test_get_addrs(void **state)
{
	struct world *w = *state;
	const uint32_t request[2] = {533, 1};
	uint32_t reply[16] = {0};
	memcpy(reply, uuid_words, sizeof uuid_words);
	reply[12] = reply[13] = 2;
	reply[14] = 0x0a4d0101;
	reply[15] = 0x0a4d0201;
	call(w, CLIENT, 7001, "10.77.9.9", "10.77.9.9", 7003, 0x1000, 52, request, 2,
	     reply, 16);
	/* only addresses with traffic of their own join */
	const uint32_t opcode = 153;
	call(w, CLIENT, 7001, SERVER_A, SERVER_A, 7000, 0x2000, 1, &opcode, 1, NULL, 0);
	call(w, CLIENT, 7001, SERVER_B, SERVER_B, 7000, 0x3000, 1, &opcode, 1, NULL, 0);
	analyse(w, NULL);
	assert_ptr_equal(host_of(w, SERVER_A), host_of(w, SERVER_B));
	assert_int_equal(host_of(w, SERVER_A)->why, HOST_DISCLOSED);
	assert_int_equal(host_of(w, "10.77.9.9")->n_addresses, 1);
	assert_int_equal(host_of(w, "10.77.9.9")->n_facts, 0);
	assert_says(w, "GetAddrsU by 10.77.9.9 (frame 2): uuid "
	               "00000001-0002-0003-04-05-060708090a0b; 10.77.1.1, 10.77.2.1");
}

/* Two hosts behind one private address: it joins neither. */
static void test_address_of_many(void **state)
{
	struct world *w = *state;
	const uint32_t opcode = 153;
	tell_me(w, SERVER_A, CLIENT, 0x1000, 1, 0xc0a87a01, 1500);
	tell_me(w, SERVER_A, "10.77.1.12", 0x2000, 99, 0xc0a87a01, 1500);
	call(w, "192.168.122.1", 7001, SERVER_A, SERVER_A, 7000, 0x3000, 1, &opcode, 1,
	     NULL, 0);
	analyse(w, NULL);
	assert_int_equal(host_of(w, CLIENT)->n_addresses, 1);
	assert_int_equal(host_of(w, "10.77.1.12")->n_addresses, 1);
	assert_int_equal(host_of(w, "192.168.122.1")->n_addresses, 1);
}

static void test_told_mtu(void **state)
{
	struct world *w = *state;
	struct addr a;
	tell_me(w, SERVER_A, CLIENT, 0x1000, 1, 0x0a4d010b, 9180);
	version(w, CLIENT, 7001, "OpenAFS 1.8.9\x1b");
	version(w, CLIENT, 7001, "OpenAFS 1.8.10");
	analyse(w, NULL);
	assert_true(addr_parse(CLIENT, &a));
	assert_int_equal(hosts_mtu(track_hosts(w->a.track), &a), 9180);
	const struct result_host *h = host_of(w, CLIENT);
	assert_int_equal(h->n_facts, 2);
	assert_non_null(h->facts[0].version);
	assert_int_equal(h->facts[0].frame, 4);
	assert_int_equal(h->addresses[0].iface->mtu, 9180);
	assert_says(w, "version at 10.77.1.11 port 7001: OpenAFS 1.8.10 (frame 4)");
	assert_says(w, "TellMeAboutYourself (frame 2): uuid "
	               "00000001-0002-0003-04-05-060708090a0b; 10.77.1.11/24 MTU 9180");
	struct err err = {0};
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	assert_non_null(out);
	assert_int_equal(report_json(&w->a.result, out, &err), 0);
	fclose(out);
	assert_non_null(strstr(text, "\"call\": \"TellMeAboutYourself\""));
	assert_non_null(strstr(text, "\"netmask\": \"255.255.255.0\""));
	free(text);
}

static void test_host_map(void **state)
{
	struct world *w = *state;
	const uint32_t opcode = 153;
	struct host_map_entry entry[3] = {{.name = 0}, {.name = 1}, {.name = 0}};
	char one[] = "one", two[] = "two", *names[] = {one, two};
	const struct host_map map = {entry, 3, names, 2};
	assert_true(addr_parse(SERVER_A, &entry[0].addr));
	assert_true(addr_parse(SERVER_B, &entry[1].addr));
	assert_true(addr_parse("10.77.3.1", &entry[2].addr));
	call(w, CLIENT, 7001, SERVER_A, SERVER_B, 7000, 0x1000, 1, &opcode, 1, NULL, 0);
	call(w, CLIENT, 7001, "10.77.3.1", "10.77.3.1", 7000, 0x2000, 1, &opcode, 1,
	     NULL, 0);
	analyse(w, &map);
	/* what is given wins over what is found out */
	const struct result_host *h = host_of(w, SERVER_A);
	assert_ptr_equal(h, host_of(w, "10.77.3.1"));
	assert_int_equal(h->why, HOST_GIVEN);
	assert_string_equal(h->name, "one");
	assert_string_equal(host_of(w, SERVER_B)->name, "two");
	assert_says(w, "one: 2 addresses of one host (host map)");
}

/* The server asks twice who the client is; the answer is long and in fragments. */
static void test_challenges(void **state)
{
	struct world *w = *state;
	static struct pkt p, piece;
	const uint32_t challenge[4] = {2, 77, 2, 0};
	struct say s = {.src = SERVER_A,
	                .dst = CLIENT,
	                .sport = 7000,
	                .dport = 7001,
	                .cid = 0x1000,
	                .type = RX_CHALLENGE,
	                .security = RX_KAD,
	                .service = 1};
	say(w, &s, challenge, 4);
	begin_frame(&p, CLIENT, 7001, SERVER_A, 7000);
	pkt_rx(&p, &(struct rx_header){.epoch = EPOCH,
	                               .cid = 0x1000,
	                               .serial = 1,
	                               .type = RX_RESPONSE,
	                               .flags = RX_CLIENT,
	                               .security = RX_KAD,
	                               .service = 1});
	pkt_u32(&p, 2);
	pkt_zero(&p, 44);
	pkt_u32(&p, 256);
	pkt_u32(&p, 4000);
	pkt_zero(&p, 4000);
	pkt_end(&p);
	for (unsigned i = 0; pkt_piece(&piece, &p, 1500, 0, i); i++) {
		pkt_end(&piece);
		add_frame(w, &piece);
	}
	say(w, &s, challenge, 4);
	analyse(w, NULL);
	assert_int_equal(w->a.result.n_flows, 1);
	const struct result_flow *f = &w->a.result.flows[0];
	const struct flow_security *sec = f->flow->security;
	assert_non_null(sec);
	assert_int_equal(sec->challenges, 2);
	assert_int_equal(sec->challenge_repeats, 1);
	assert_int_equal(sec->repeat_frame, w->frames);
	assert_int_equal(sec->responses, 1);
	assert_int_equal(sec->responses_fragmented, 1);
	assert_int_equal(sec->largest_response, 28 + 56 + 4000);
	assert_int_equal(sec->largest_ticket, 4000);
	assert_int_equal(sec->response_frame, 2);
	assert_int_equal(f->classes, 1u << RX_KAD);
	assert_int_equal(f->level, RX_LEVEL_CRYPT);
	assert_says(w, "authentication: challenges 2 (repeated 1), responses 1 (in "
	               "fragments 1), the largest 4084 bytes");
}

/* An ack with this trailer, of the one call there is. */
static void ack(struct world *w, const char *src, unsigned sport, const char *dst,
                unsigned dport, uint8_t flags, const struct rx_trailer *t)
{
	static struct pkt p;
	begin_frame(&p, src, sport, dst, dport);
	pkt_rx(&p, &(struct rx_header){.epoch = EPOCH,
	                               .cid = 0x4000,
	                               .call = 1,
	                               .serial = ++w->serial,
	                               .type = RX_ACK,
	                               .flags = flags,
	                               .service = 1});
	pkt_rx_ack(&p, &(struct rx_ack){.first = 2, .reason = 8, .trailer = *t});
	add_frame(w, &p);
}

/* What a server announced to one client explains what it sends another. */
static void test_announced_elsewhere(void **state)
{
	struct world *w = *state;
	static const struct rx_trailer server = {4, 1444, 1444, 32, 1};
	static const struct rx_trailer client = {4, 5692, 1444, 32, 4};
	const uint32_t opcode = 153;
	static const uint32_t full[354]; /* 1416 bytes */
	ack(w, SERVER_A, 7000, "10.77.1.12", 7001, 0, &server);
	call(w, CLIENT, 7001, SERVER_A, SERVER_A, 7000, 0x1000, 1, &opcode, 1, full,
	     354);
	ack(w, CLIENT, 7001, SERVER_A, 7000, RX_CLIENT, &client);
	analyse(w, NULL);
	assert_says(w, "to client: Rx 1444: both interfaces are 1500 - 56; the server "
	               "announces 1 packet a jumbogram (default, -nojumbo); the server "
	               "announced its size to another client");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(test_answered_from_another_address,
	                                        set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_same_uuid, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_get_addrs, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_address_of_many, set_up,
	                                        tear_down),
	        cmocka_unit_test_setup_teardown(test_told_mtu, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_host_map, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_challenges, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_announced_elsewhere, set_up,
	                                        tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
