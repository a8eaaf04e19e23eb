#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS INT64_C(1000000)
#define EPOCH 0x90000001u
#define CID 0x1000u
#define SINGLE_MAX 1444u
#define UDP_AT 20u /* behind an IPv4 header */

struct scene *scene_new(void)
{
	struct scene *s = calloc(1, sizeof *s);
	if (!s || !(s->track = track_new(&track_limits_default)))
		abort();
	s->ifaces = 1;
	for (unsigned i = 0; i < SCENE_IFACES; i++)
		s->iface[i] = (struct fact_iface){.name = i ? "atm0" : "eth0",
		                                  .addresses = ""};
	s->server = "10.0.0.1";
	s->client = "10.0.0.2";
	s->server_port = 7000;
	s->client_port = 7001;
	s->ttl = 64;
	s->df = true;
	s->call = 1;
	s->step_ns = MS;
	s->ns = 1000 * MS;
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 5692, 1444, 32, 4};
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 1444, 1444, 32, 1};
	s->level = RX_LEVEL_NONE;
	return s;
}

void scene_free(struct scene *s)
{
	for (unsigned i = 0; i < SCENE_FLOWS; i++)
		for (int w = 0; w < WAYS; w++)
			tally_clear(&s->tally[i][w]);
	findings_free(&s->found);
	track_free(s->track);
	free(s);
}

int scene_set_up(void **state)
{
	*state = scene_new();
	return 0;
}

int scene_tear_down(void **state)
{
	scene_free(*state);
	return 0;
}

void scene_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

/* RFC 768, over IPv4. */
static void put_checksum(struct pkt *p)
{
	uint8_t *ip = p->bytes + p->ip_at, *udp = ip + UDP_AT;
	size_t n = p->len - p->ip_at - UDP_AT;
	uint32_t sum = 17 + (uint32_t)n;
	for (size_t i = 12; i < 20; i++)
		sum += (uint32_t)ip[i] << (i % 2 ? 0 : 8);
	for (size_t i = 0; i < n; i++)
		sum += (uint32_t)udp[i] << (i % 2 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	uint16_t check = (uint16_t)~sum;
	udp[6] = (uint8_t)(check >> 8);
	udp[7] = (uint8_t)check;
}

static void feed(struct scene *s, const struct pkt *p)
{
	s->ns += s->step_ns;
	struct frame f = pkt_frame(p, LINK_ETHERNET, s->ns, ++s->frame);
	f.iface = s->at;
	track_frame(s->track, &f);
}

static void begin(struct scene *s, struct pkt *p, enum way w, size_t udp_payload)
{
	bool whole = !s->cut_mtu || udp_payload + 28 <= s->cut_mtu;
	pkt_begin(p);
	pkt_ethernet(p, PKT_TYPE_IP4);
	pkt_ip4(p, &(struct pkt_ip4){.src = w == TO_SERVER ? s->client : s->server,
	                             .dst = w == TO_SERVER ? s->server : s->client,
	                             .ttl = s->ttl,
	                             .id = (uint16_t)(s->frame + 1),
	                             .df = s->df && whole});
	pkt_udp(p, w == TO_SERVER ? s->client_port : s->server_port,
	        w == TO_SERVER ? s->server_port : s->client_port);
}

static void end(struct scene *s, struct pkt *p)
{
	static struct pkt piece;
	pkt_end(p);
	if (s->checksum == SCENE_CHECKSUM)
		put_checksum(p);
	if (s->checksum == SCENE_BAD_CHECKSUM)
		p->bytes[p->ip_at + UDP_AT + 7] = 1;
	if (!s->cut_mtu || p->len - p->ip_at <= s->cut_mtu) {
		feed(s, p);
		return;
	}
	for (unsigned i = 0; pkt_piece(&piece, p, s->cut_mtu, 0, i); i++)
		if (!(s->drop_pieces >> i & 1))
			feed(s, &piece);
}

static struct rx_header header(struct scene *s, enum way w, uint8_t type, uint32_t seq,
                               uint32_t packets)
{
	struct rx_header h = {.epoch = EPOCH,
	                      .cid = CID,
	                      .call = s->call,
	                      .seq = seq,
	                      .serial = s->serial[w] + 1,
	                      .type = type,
	                      .flags = w == TO_SERVER ? RX_CLIENT : 0,
	                      .security = s->security,
	                      .service = 1};
	s->serial[w] += packets;
	return h;
}

static uint32_t put_data(struct scene *s, enum way w, uint32_t seq, uint32_t size,
                         uint32_t packets)
{
	static struct pkt p;
	struct rx_header h = header(s, w, RX_DATA, seq, packets);
	uint8_t plain = h.flags;
	uint32_t left = size - RX_HEADER;
	h.flags = (uint8_t)(plain | (packets > 1 ? RX_JUMBO : 0));
	begin(s, &p, w, size);
	pkt_rx(&p, &h);
	for (uint32_t i = 1; i < packets; i++) {
		pkt_fill(&p, RX_JUMBO_DATA);
		pkt_rx_jumbo(&p, i + 1 < packets ? plain | RX_JUMBO : plain, 0);
		left -= RX_JUMBO_DATA + RX_JUMBO_HEADER;
	}
	pkt_fill(&p, left);
	end(s, &p);
	return h.serial;
}

uint32_t scene_data(struct scene *s, enum way w, uint32_t seq, uint32_t size)
{
	uint32_t packets = 1;
	if (size > SINGLE_MAX)
		packets = (size - RX_HEADER + RX_JUMBO_HEADER + RX_JUMBO_DATA +
		           RX_JUMBO_HEADER - 1) /
		          (RX_JUMBO_DATA + RX_JUMBO_HEADER);
	return put_data(s, w, seq, size, packets);
}

uint32_t scene_single(struct scene *s, enum way w, uint32_t seq, uint32_t size)
{
	return put_data(s, w, seq, size, 1);
}

void scene_ack_full(struct scene *s, enum way w, uint32_t first, unsigned reason,
                    uint32_t serial, const uint8_t *soft, unsigned n, size_t padding)
{
	static struct pkt p;
	struct rx_header h = header(s, w, RX_ACK, 0, 1);
	h.flags |= RX_SLOW_START;
	struct rx_ack a = {.first = first,
	                   .serial = serial,
	                   .reason = (uint8_t)reason,
	                   .n = (uint8_t)n,
	                   .acks = soft,
	                   .trailer = s->trailer[w],
	                   .padding = (uint32_t)padding};
	begin(s, &p, w, RX_HEADER + 37 + n + padding);
	pkt_rx(&p, &h);
	pkt_rx_ack(&p, &a);
	end(s, &p);
}

void scene_ack(struct scene *s, enum way w, uint32_t first, unsigned reason,
               uint32_t serial)
{
	scene_ack_full(s, w, first, reason, serial, NULL, 0, 0);
}

static uint32_t packets_of(uint32_t size)
{
	struct rx_header h = {.type = RX_DATA,
	                      .flags = size > SINGLE_MAX ? RX_JUMBO : 0};
	return rx_jumbo_measure(&h, size).packets;
}

uint32_t scene_bulk(struct scene *s, enum way w, uint32_t seq, uint32_t n,
                    uint32_t size)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t serial = scene_data(s, w, seq, size);
		seq += packets_of(size);
		scene_ack(s, other_way(w), seq, 9, serial);
	}
	return seq;
}

void scene_dead(struct scene *s, enum way w, uint32_t seq, uint32_t size, int times)
{
	int64_t gap = 300 * MS;
	for (int i = 0; i < times; i++) {
		scene_data(s, w, seq, size);
		s->ns += gap;
		gap *= 2;
	}
}

void scene_too_big(struct scene *s, enum way w, uint32_t size, uint32_t mtu)
{
	static struct pkt p, quoted;
	struct rx_header h = {.epoch = EPOCH, .type = RX_DATA, .seq = 1, .call = 1};
	begin(s, &quoted, w, size);
	pkt_rx(&quoted, &h);
	pkt_fill(&quoted, size - RX_HEADER);
	pkt_end(&quoted);
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p, &(struct pkt_ip4){.src = "10.9.9.9",
	                              .dst = w == TO_SERVER ? s->client : s->server,
	                              .proto = PKT_PROTO_ICMP});
	pkt_icmp(&p, 3, 4, mtu);
	pkt_quote(&p, &quoted, 48);
	pkt_end(&p);
	feed(s, &p);
}

void scene_packet(struct scene *s, enum way w, const struct rx_header *h,
                  const void *body, size_t n)
{
	static struct pkt p;
	begin(s, &p, w, RX_HEADER + n);
	pkt_rx(&p, h);
	if (body)
		pkt_bytes(&p, body, n);
	else
		pkt_fill(&p, n);
	end(s, &p);
}

static struct fact_way way_of(const struct fact_iface *i, const struct tally *y)
{
	struct size_count top;
	struct fact_way w = {.tally = y, .seconds = tally_seconds(y)};
	if (sizes_top(&y->data_datagrams, &top, 1))
		w.dominant = top.size;
	if (i->kind && i->rate_bps && w.dominant > RX_HEADER)
		w.ceiling = link_ceiling_bytes_per_s(
		        i->kind, i->rate_bps, w.dominant - RX_HEADER, w.dominant, 0);
	return w;
}

void scene_end(struct scene *s)
{
	struct fact_flow flows[SCENE_FLOWS];
	size_t n = 0;
	track_finish(s->track);
	for (const struct flow *f = NULL; (f = track_flow_next(s->track, f));) {
		assert_true(n < SCENE_FLOWS);
		flows[n] = (struct fact_flow){.flow = f, .level = s->level};
		for (int w = 0; w < WAYS; w++) {
			slices_sum(&f->side[w].sent, &s->tally[n][w]);
			flows[n].way[w] =
			        way_of(&s->iface[f->key.iface], &s->tally[n][w]);
		}
		n++;
	}
	static const struct iface_stats none;
	for (size_t i = 0; i < s->ifaces; i++)
		s->iface[i].stats = i < track_iface_count(s->track)
		                            ? track_iface(s->track, i)
		                            : &none;
	struct facts f = {.track = s->track,
	                  .ifaces = s->iface,
	                  .n_ifaces = s->ifaces,
	                  .flows = flows,
	                  .n_flows = n};
	diagnose(&f, &s->found);
	assert_false(s->found.starved);
}

const char *scene_ids(const struct scene *s, char *buf, size_t size)
{
	size_t used = 0;
	buf[0] = 0;
	for (size_t i = 0; i < s->found.n; i++) {
		int w = snprintf(buf + used, size - used, "%s%s", i ? " " : "",
		                 finding_about(s->found.list[i].kind)->id);
		used += w < 0 || (size_t)w >= size - used ? 0 : (size_t)w;
	}
	return buf;
}

const struct finding *scene_find(const struct scene *s, enum finding_kind k)
{
	for (size_t i = 0; i < s->found.n; i++)
		if (s->found.list[i].kind == k)
			return &s->found.list[i];
	fail_msg("no finding %s", finding_about(k)->slug);
	return NULL;
}

void scene_expect(struct scene *s, const char *ids)
{
	char found[200];
	scene_end(s);
	assert_string_equal(scene_ids(s, found, sizeof found), ids);
}
