#include "netprobe/track/conn.h"

#define CHANNEL_MASK 3u
#define EPOCH_ANY_ADDRESS 0x80000000u
#define RECENT_BITS 64u

enum freshness { FRESH, FILLS_GAP, SEEN, TOO_OLD };

static uint64_t low_bits(uint32_t n)
{
	return n >= RECENT_BITS ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static uint64_t shift_up(uint64_t bits, uint32_t by)
{
	return by >= RECENT_BITS ? 0 : bits << by;
}

/* Where n numbers from first on stand; serial arithmetic, so wraps are fine. */
static enum freshness recent_look(const struct recent *r, uint32_t first, uint32_t n)
{
	if (!r->any || (int32_t)(first - r->high) > 0)
		return FRESH;
	uint32_t back = r->high - first;
	if (back >= RECENT_BITS)
		return TOO_OLD;
	uint32_t last_back = back >= n - 1 ? back - (n - 1) : 0;
	uint64_t mask = low_bits(back - last_back + 1) << last_back;
	return (r->seen & mask) == mask ? SEEN : FILLS_GAP;
}

/* Marks n numbers from first on as seen; returns by how much high moved. */
static uint32_t recent_mark(struct recent *r, uint32_t first, uint32_t n)
{
	uint32_t last = first + n - 1;
	if (!r->any) {
		r->any = true;
		r->high = last;
		r->seen = low_bits(n);
		return 0;
	}
	uint32_t moved = 0;
	if ((int32_t)(last - r->high) > 0) {
		moved = last - r->high;
		r->seen = shift_up(r->seen, moved);
		r->high = last;
	}
	uint32_t back = r->high - last;
	if (back < RECENT_BITS)
		r->seen |= low_bits(n) << back;
	return moved;
}

struct conn_key conn_key_of(const struct rx_header *h,
			    const struct addr *client, uint16_t client_port,
			    uint16_t server_port)
{
	struct conn_key k = { .epoch = h->epoch,
			      .cid = h->cid & ~CHANNEL_MASK,
			      .server_port = server_port };
	if (!(h->epoch & EPOCH_ANY_ADDRESS)) {
		k.client_port = client_port;
		k.client = *client;
	}
	return k;
}

/* The bookkeeping of serials.  True if this datagram was captured before. */
static bool take_serial(struct conn_side *s, const struct rx_header *h, uint32_t packets,
			uint32_t iface, struct conn_news *news)
{
	enum freshness f = recent_look(&s->serial, h->serial, packets);
	if (f == SEEN) {
		uint64_t bit = UINT64_C(1) << (s->serial.high - h->serial);
		news->copy = true;
		news->other_iface = iface != s->iface;
		news->resend = s->resent & bit;
		news->recovered = s->recovered & bit;
		return true;
	}
	bool first = !s->serial.any;
	uint32_t moved = recent_mark(&s->serial, h->serial, packets);
	s->resent = shift_up(s->resent, moved);
	s->recovered = shift_up(s->recovered, moved);
	if (!first && moved > packets)
		s->missed += moved - packets;
	else if (f == FILLS_GAP && s->missed >= packets)
		s->missed -= packets;
	return false;
}

static void take_seq(struct conn *c, enum way way, const struct rx_header *h,
		     uint32_t packets, bool newest, struct conn_news *news)
{
	struct conn_call *call = &c->call[h->cid & CHANNEL_MASK];
	if (call->number != h->call) {
		if ((int32_t)(call->number - h->call) > 0)
			return; /* a late packet of a call that is over */
		*call = (struct conn_call){ .number = h->call };
	}
	struct recent *r = &call->seq[way];
	enum freshness f = recent_look(r, h->seq, packets);
	/* what is older than the memory of a call was sent long ago, so a newer
	 * serial means that it was sent again */
	if (f == SEEN || (f == TOO_OLD && newest))
		news->resend = true;
	else if (f == FILLS_GAP && newest)
		news->recovered = true;
	recent_mark(r, h->seq, packets);
}

struct conn_news conn_take(struct conn *c, enum way way, const struct rx_header *h,
			   uint32_t packets, uint32_t iface, const struct addr *from)
{
	struct conn_news news = { 0 };
	struct conn_side *s = &c->side[way];
	uint32_t before = s->serial.high;
	bool any = s->serial.any;
	if (h->serial != 0 && take_serial(s, h, packets, iface, &news))
		return news;
	s->iface = iface;
	s->addr = *from;
	if (h->type != RX_DATA)
		return news;
	bool newest = !any || (int32_t)(h->serial - before) > 0;
	take_seq(c, way, h, packets, newest, &news);
	uint32_t back = s->serial.high - h->serial;
	if (back < RECENT_BITS) {
		s->resent |= (uint64_t)news.resend << back;
		s->recovered |= (uint64_t)news.recovered << back;
	}
	return news;
}
