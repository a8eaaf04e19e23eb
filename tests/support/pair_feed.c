#include "tests/support/pair_feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

int pair_feed_set_up(void **state)
{
	*state = track_new(&track_limits_default);
	return *state ? 0 : -1;
}

int pair_feed_tear_down(void **state)
{
	track_free(*state);
	return 0;
}

void pair_feed_at(struct track *t, const struct pkt *x, int64_t ns, uint64_t number)
{
	struct frame f = pkt_frame(x, LINK_ETHERNET, ns, number);
	track_frame(t, &f);
}

void pair_feed(struct track *t, const struct pkt *x)
{
	pair_feed_at(t, x, SECOND, 1);
}

void pair_feed_piece(struct track *t, const struct pkt *x, unsigned mtu, unsigned i,
                     int64_t ns)
{
	static struct pkt piece;
	assert_true(pkt_piece(&piece, x, mtu, 7, i));
	pair_feed_at(t, &piece, ns, 1);
}

static struct addr address(const char *text)
{
	struct addr a;
	assert_true(addr_parse(text, &a));
	return a;
}

const struct pair *pair_between(const struct track *t, const char *src, const char *dst)
{
	struct pair_key k = {address(src), address(dst), 0};
	return track_pair_find(t, &k);
}

void make_begin(struct pkt *p, const char *src, const char *dst, uint8_t proto,
                uint16_t id)
{
	pkt_begin(p);
	pkt_ethernet(p, PKT_TYPE_IP4);
	pkt_ip4(p, &(struct pkt_ip4){.src = src, .dst = dst, .proto = proto, .id = id});
}

void make_udp(struct pkt *p, const char *src, const char *dst, uint16_t id,
              size_t payload)
{
	make_begin(p, src, dst, PKT_PROTO_UDP, id);
	pkt_udp(p, 2049, 800);
	pkt_fill(p, payload);
	pkt_end(p);
}

void make_tcp(struct pkt *p, const char *src, const char *dst, const struct pkt_tcp *h,
              size_t data)
{
	make_begin(p, src, dst, PKT_PROTO_TCP, 0);
	pkt_tcp(p, h);
	pkt_fill(p, data);
	pkt_end(p);
}

void make_rx(struct pkt *p, bool to_server, unsigned server_port, uint32_t serial,
             size_t data)
{
	make_begin(p, to_server ? B : A, to_server ? A : B, PKT_PROTO_UDP,
	           (uint16_t)serial);
	pkt_udp(p, to_server ? 5001 : server_port, to_server ? server_port : 5001);
	pkt_rx(p, &(struct rx_header){.epoch = 0x90000001,
	                              .cid = 0x1000,
	                              .call = 1,
	                              .seq = 1,
	                              .serial = serial,
	                              .type = RX_DATA,
	                              .flags = to_server ? RX_CLIENT : 0,
	                              .service = 4711});
	pkt_fill(p, data);
	pkt_end(p);
}
