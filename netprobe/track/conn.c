#include "netprobe/track/conn.h"

#include <stdlib.h>

#define CHANNEL_MASK 3u
#define EPOCH_ANY_ADDRESS 0x80000000u

struct conn_key conn_key_of(const struct rx_header *h, const struct addr *client,
                            uint16_t client_port, uint16_t server_port)
{
	struct conn_key k = {.epoch = h->epoch,
	                     .cid = h->cid & ~CHANNEL_MASK,
	                     .server_port = server_port};
	if (!(h->epoch & EPOCH_ANY_ADDRESS)) {
		k.client_port = client_port;
		k.client = *client;
	}
	return k;
}

/* The datagram came by before: what was it then? */
static void recall(const struct conn_side *s, uint32_t serial, uint32_t iface,
                   struct conn_news *news)
{
	uint64_t bit = UINT64_C(1) << (s->serial.high - serial);
	news->copy = true;
	news->other_iface = iface != s->iface;
	news->resend = s->resent & bit;
	news->recovered = s->recovered & bit;
}

struct conn_news conn_take(struct conn *c, enum way way, const struct rx_header *h,
                           uint32_t packets, uint32_t iface, const struct addr *from)
{
	struct conn_news news = {.newest = true};
	struct conn_side *s = &c->side[way];
	if (h->serial != 0) {
		enum freshness f = recent_look(&s->serial, h->serial, packets);
		if (f == RECENT_SEEN) {
			recall(s, h->serial, iface, &news);
			return news;
		}
		bool first = !s->serial.any;
		uint32_t moved = recent_mark(&s->serial, h->serial, packets);
		s->resent = recent_shift(s->resent, moved);
		s->recovered = recent_shift(s->recovered, moved);
		news.newest = f == RECENT_NEW;
		if (!first && moved > packets)
			news.missed = (int32_t)(moved - packets);
		else if (f == RECENT_GAP)
			news.missed = -(int32_t)packets;
	}
	s->iface = iface;
	s->addr = *from;
	return news;
}

void conn_remember(struct conn *c, enum way way, const struct rx_header *h, bool resend,
                   bool recovered)
{
	struct conn_side *s = &c->side[way];
	uint32_t back = s->serial.high - h->serial;
	if (back >= RECENT_BITS)
		return;
	s->resent |= (uint64_t)resend << back;
	s->recovered |= (uint64_t)recovered << back;
}

bool conn_time_sent(struct conn *c, enum way way, uint32_t serial, uint32_t packets,
                    int64_t now_ns, uint32_t *budget)
{
	struct timing *t = c->side[way].timing;
	if (!t) {
		if (*budget == 0 || !(t = calloc(1, sizeof *t)))
			return false;
		--*budget;
		c->side[way].timing = t;
	}
	uint32_t i = t->next++ % TIMING_SLOTS;
	t->sent[i].first = serial;
	t->sent[i].last = serial + packets - 1;
	t->sent[i].ns = now_ns;
	return true;
}

int64_t conn_time_acked(struct conn *c, enum way way, uint32_t serial, int64_t now_ns)
{
	struct timing *t = c->side[way].timing;
	if (!t || serial == 0)
		return -1;
	for (uint32_t n = 1; n <= TIMING_SLOTS; n++) {
		uint32_t i = (t->next - n) % TIMING_SLOTS;
		if (!t->sent[i].first ||
		    serial - t->sent[i].first > t->sent[i].last - t->sent[i].first)
			continue;
		t->sent[i].first = 0;
		return now_ns >= t->sent[i].ns ? now_ns - t->sent[i].ns : -1;
	}
	return -1;
}

struct conn *conn_at(struct conn *c, enum way way, uint32_t file)
{
	const uint16_t mark = (uint16_t)(file + 1);
	struct conn *open = NULL, *last = c;
	unsigned points = 0;
	for (struct conn *i = c; i; i = i->other, points++) {
		bool here = i->file[TO_SERVER] == mark || i->file[TO_CLIENT] == mark;
		last = i;
		if (i->file[way] == mark || (here && !i->file[way])) {
			i->file[way] = mark;
			return i;
		}
		if (!open && !i->file[way])
			open = i;
	}
	if (!open && points == CONN_POINTS)
		return last;
	if (!open) {
		open = last->other = calloc(1, sizeof *open);
		if (!open)
			return NULL;
		open->key = c->key;
		open->again = true;
	}
	open->file[way] = mark;
	return open;
}

void conn_clear(struct conn *c)
{
	for (struct conn *next, *i = c->other; i; i = next) {
		next = i->other;
		i->other = NULL;
		conn_clear(i);
		free(i);
	}
	for (int w = 0; w < WAYS; w++)
		free(c->side[w].timing);
	for (int i = 0; i < CONN_CHANNELS; i++)
		free(c->call[i]);
}
