#include "netprobe/track/call.h"

#include "src/base/cursor.h"

#define TAKEN_MAX 1024u /* an ack that goes further at once is not to be believed */

/* DATA that comes by after its ack was not missed. */
static void come_late(struct call_way *w, uint32_t seq, uint32_t packets)
{
	uint32_t n = w->consumed - seq + 1;
	if (!w->from)
		w->from = seq;
	if (!w->unseen || (int32_t)(seq - w->from) < 0 || (int32_t)n <= 0)
		return;
	uint32_t late = recent_unseen(&w->seq, seq, n < packets ? n : packets);
	w->unseen -= late < w->unseen ? late : w->unseen;
}

/* The receiver has all before first; consumed is from before this ack. */
static void take_hard_ack(struct call_way *w, uint32_t first)
{
	uint32_t at = w->consumed + 1;
	if ((int32_t)(w->from - at) > 0)
		at = w->from;
	uint32_t n = first - at;
	if (w->from && (int32_t)n > 0 && n <= TAKEN_MAX)
		w->unseen += recent_unseen(&w->seq, at, n);
}

enum call_verdict call_take_data(struct call *c, enum way way,
                                 const struct rx_header *h, uint32_t packets,
                                 uint32_t data_bytes, bool last, bool newest,
                                 int64_t time_ns)
{
	struct call_way *w = &c->way[way];
	enum freshness f = recent_look(&w->seq, h->seq, packets);
	come_late(w, h->seq, packets);
	recent_mark(&w->seq, h->seq, packets);
	if (!c->service_id)
		c->service_id = h->service;
	/* what is older than the memory of a call was sent long ago, so a newer
	 * serial means that it was sent again */
	if (f == RECENT_SEEN || (f == RECENT_TOO_OLD && newest)) {
		w->resends += packets;
		return CALL_RESEND;
	}
	w->datagrams++;
	w->packets += packets;
	w->data_bytes += data_bytes;
	w->first_seen |= h->seq == 1;
	w->last_seen |= last;
	if (!w->first_ns)
		w->first_ns = time_ns;
	w->last_ns = time_ns;
	/* without an ack or a first packet it is not known what is on the way */
	uint32_t flight = w->acked || w->first_seen ? w->seq.high - w->acked : 0;
	if ((int32_t)flight > 0 && flight > w->flight)
		w->flight = flight;
	if (f == RECENT_GAP)
		return newest ? CALL_RECOVERED : CALL_LATE;
	return CALL_NEW_DATA;
}

static void read_request(struct call *c, struct cursor *cur)
{
	uint32_t opcode = cursor_u32(cur);
	if (!cursor_ok(cur))
		return;
	if (!afs_opcode_name(c->service, opcode)) {
		c->hidden = true;
		return;
	}
	c->opcode = opcode;
	c->has_opcode = true;
	c->has_range = afs_range_decode(c->service, opcode, cur, &c->range);
}

/* Split calls send the number of bytes first (viced FetchData_RXStyle). */
static void read_reply(struct call *c, struct cursor *cur)
{
	if (!c->has_range || afs_bulk_of(c->service, c->opcode) != AFS_BULK_TO_CLIENT)
		return;
	c->count = c->range.prefix == 8 ? cursor_u64(cur) : cursor_u32(cur);
	c->has_count = cursor_ok(cur);
}

void call_read_first(struct call *c, enum way way, const struct rx_header *h,
                     const uint8_t *data, size_t cap, size_t len)
{
	struct cursor cur = cursor_init(data, cap, len);
	if (h->seq != 1)
		return;
	if (way == TO_SERVER && !c->has_opcode)
		read_request(c, &cur);
	else if (way == TO_CLIENT && !c->has_count)
		read_reply(c, &cur);
}

void call_take_ack(struct call *c, enum way way, const struct rx_ack *a)
{
	struct call_way *w = &c->way[way];
	uint32_t acked = a->first - 1;
	take_hard_ack(w, a->first);
	for (unsigned i = 0; a->acks && i < a->n && (a->acks[i] & 1); i++)
		acked++;
	if ((int32_t)(acked - w->acked) > 0)
		w->acked = acked;
	if ((int32_t)(a->first - 1 - w->consumed) > 0)
		w->consumed = a->first - 1;
	if (a->trailer.words >= 3 && rx_trailer_plausible(&a->trailer))
		w->window = a->trailer.window;
}

int64_t call_duration_ns(const struct call *c)
{
	const struct call_way *q = &c->way[TO_SERVER], *r = &c->way[TO_CLIENT];
	if (!q->first_seen || !r->last_seen || r->last_ns < q->first_ns)
		return -1;
	return r->last_ns - q->first_ns;
}

int64_t call_first_byte_ns(const struct call *c)
{
	const struct call_way *q = &c->way[TO_SERVER], *r = &c->way[TO_CLIENT];
	if (!q->last_seen || !r->first_seen || r->first_ns < q->last_ns)
		return -1;
	return r->first_ns - q->last_ns;
}

bool call_file_bytes(const struct call *c, uint64_t *bytes)
{
	if (!c->has_range)
		return false;
	bool fetch = afs_bulk_of(c->service, c->opcode) == AFS_BULK_TO_CLIENT;
	const struct call_way *w = &c->way[fetch ? TO_CLIENT : TO_SERVER];
	uint64_t all = fetch ? c->count : c->range.length;
	uint64_t prefix = c->range.prefix;
	uint64_t moved = w->data_bytes > prefix ? w->data_bytes - prefix : 0;
	*bytes = moved < all ? moved : all;
	return !fetch || c->has_count;
}

enum call_end call_end_of(const struct call *c, enum call_end reason)
{
	if (c->has_abort)
		return CALL_ABORTED;
	return c->way[TO_CLIENT].last_seen ? CALL_REPLIED : reason;
}

const char *call_end_name(enum call_end e)
{
	static const char *const names[CALL_ENDS] = {"replied", "aborted", "replaced",
	                                             "unfinished", "evicted"};
	return e < CALL_ENDS ? names[e] : "unknown";
}
