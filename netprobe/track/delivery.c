#include "netprobe/track/delivery.h"

#include <stdlib.h>
#include <string.h>

enum { REASON_REQUESTED = 1, REASON_DUPLICATE = 2 };

#define FIRST_ROOM 8u
/* OpenAFS sends a packet again for every ack that lacks it, some dozen microseconds
 * apart: one loss, not many. */
#define HASTY_NS INT64_C(20000000)
#define FULL_SIZE 1400u /* a reply seldom ends in a full packet by chance */
#define OUTBOX_MAX 256u /* datagrams; windows are 32 packets with OpenAFS */

/* a <= b in serial arithmetic */
static bool not_after(uint32_t a, uint32_t b)
{
	return (int32_t)(b - a) >= 0;
}

static bool holds(const struct fate *e, uint32_t size, bool cut)
{
	if (e->cut != cut)
		return false;
	if (size < FATE_SMALL)
		return e->size_min < FATE_SMALL;
	return size >= e->size_min && size <= e->size_max;
}

static struct fate *make(struct fates *f, uint32_t size, bool cut)
{
	if (f->n == f->room) {
		uint32_t room = f->room ? 2 * f->room : 4;
		struct fate *list = realloc(f->list, room * sizeof *list);
		if (!list)
			return NULL;
		f->list = list;
		f->room = room;
	}
	struct fate *e = &f->list[f->n++];
	*e = (struct fate){.size_min = size, .size_max = size, .cut = cut};
	return e;
}

static uint32_t distance(const struct fate *e, uint32_t size)
{
	return size < e->size_min ? e->size_min - size : size - e->size_max;
}

/* Too many sizes: the nearest entry takes it. */
static struct fate *nearest(struct fates *f, uint32_t size, bool cut)
{
	struct fate *best = NULL;
	for (uint32_t i = 0; i < f->n; i++) {
		struct fate *e = &f->list[i];
		bool small = e->size_min < FATE_SMALL;
		if (e->cut == cut && !small &&
		    (!best || distance(e, size) < distance(best, size)))
			best = e;
	}
	return best ? best : &f->list[0];
}

static void widen(struct fate *e, uint32_t size)
{
	if (size < e->size_min)
		e->size_min = size;
	if (size > e->size_max)
		e->size_max = size;
}

static struct fate *fate_of(struct fates *f, uint32_t size, bool cut)
{
	struct fate *e = NULL;
	if (f->latest < f->n && holds(&f->list[f->latest], size, cut))
		e = &f->list[f->latest];
	for (uint32_t i = 0; !e && i < f->n; i++)
		if (holds(&f->list[i], size, cut))
			e = &f->list[i];
	if (!e)
		e = f->n < FATES_MAX ? make(f, size, cut) : nearest(f, size, cut);
	if (!e)
		return NULL;
	widen(e, size);
	f->latest = (uint32_t)(e - f->list);
	return e;
}

static struct sent *at(const struct outbox *b, uint32_t i)
{
	return &b->list[b->begin + i];
}

static void take_out(struct outbox *b, uint32_t i)
{
	if (i == 0)
		b->begin++;
	else
		memmove(at(b, i), at(b, i + 1), (b->n - i - 1) * sizeof *b->list);
	if (--b->n == 0) {
		b->begin = 0;
		b->disorder = false;
	}
}

/* Room for one more; the oldest leaves, its fate open, where there may be none. */
static bool make_room(struct outbox *b, size_t *left)
{
	if (b->begin + b->n < b->room)
		return true;
	if (b->begin > 0) {
		memmove(b->list, at(b, 0), b->n * sizeof *b->list);
		b->begin = 0;
		return true;
	}
	uint32_t room = b->room ? 2 * b->room : FIRST_ROOM;
	size_t more = (room - b->room) * sizeof *b->list;
	struct sent *list = NULL;
	if (room <= OUTBOX_MAX && more <= *left)
		list = realloc(b->list, room * sizeof *list);
	if (list) {
		*left -= more;
		b->list = list;
		b->room = room;
		return true;
	}
	if (b->n == 0)
		return false;
	take_out(b, 0);
	return make_room(b, left);
}

static void add_timeout(struct fates *f, uint64_t n, uint64_t frame, int64_t stalled,
                        int64_t longest)
{
	if (n && f->timeouts == 0)
		f->first_timeout_frame = frame;
	f->timeouts += n;
	f->stalled_ns += stalled;
	if (longest > f->longest_ns)
		f->longest_ns = longest;
}

static void count_lost(struct fate *e, uint64_t n, uint64_t first, int64_t first_ns,
                       uint64_t last)
{
	if (n && e->lost == 0) {
		e->first_lost_frame = first;
		e->first_lost_ns = first_ns;
	}
	e->lost += n;
	if (n)
		e->last_lost_frame = last;
}

/* The client is still there: it asks, or it had not had what came again (a resend asks
 * for an ack, and one that was needless is answered with "duplicate"). */
static void claim(struct outbox *b, struct fates *f)
{
	struct unclaimed *u = &b->unclaimed;
	if (u->lost) {
		count_lost(&f->list[u->fate], u->lost, u->first_frame, u->first_ns,
		           u->last_frame);
		add_timeout(f, u->timeouts, u->timeout_frame, u->stalled_ns,
		            u->longest_ns);
	}
	*u = (struct unclaimed){0};
}

static void leave_unclaimed(struct unclaimed *u, const struct sent *s,
                            const struct sent_datagram *d, int64_t silence)
{
	if (u->lost++ == 0) {
		u->first_frame = s->frame;
		u->first_ns = s->ns;
	}
	u->last_frame = s->frame;
	u->fate = s->fate;
	if (silence < DELIVERY_TIMEOUT_NS)
		return;
	if (u->timeouts++ == 0)
		u->timeout_frame = d->frame;
	u->stalled_ns += silence;
	if (silence > u->longest_ns)
		u->longest_ns = silence;
}

/* What the resend d covers was lost; returns the entry of it, or FATE_NONE. */
static uint8_t note_lost(struct outbox *b, struct fates *f,
                         const struct sent_datagram *d)
{
	uint8_t of = FATE_NONE;
	uint32_t last = d->seq + d->packets - 1;
	int64_t silence = d->ns - b->last_ns;
	bool small_end = d->reply_end && d->size < FULL_SIZE;
	for (uint32_t i = 0; i < b->n;) {
		struct sent *s = at(b, i);
		if (!not_after(s->seq, last) ||
		    !not_after(d->seq, s->seq + s->packets - 1)) {
			i++;
			continue;
		}
		bool hasty = s->of != FATE_NONE && d->ns - s->ns < HASTY_NS;
		of = hasty ? s->of : s->fate;
		if (small_end)
			leave_unclaimed(&b->unclaimed, s, d, silence);
		else if (!hasty)
			count_lost(&f->list[s->fate], 1, s->frame, s->ns, s->frame);
		take_out(b, i);
	}
	if (of != FATE_NONE && !small_end && silence >= DELIVERY_TIMEOUT_NS)
		add_timeout(f, 1, d->frame, silence, silence);
	return of;
}

bool outbox_sent(struct outbox *b, struct fates *f, const struct sent_datagram *d,
                 size_t *left)
{
	bool late = b->call && (int32_t)(d->call - b->call) < 0;
	if (b->call != d->call && !late) {
		outbox_implied(b, f);
		b->call = d->call;
		b->last_ns = d->ns;
		b->unclaimed = (struct unclaimed){0};
	}
	struct fate *e = fate_of(f, d->size, d->cut);
	if (!e)
		return false;
	if (e->sent++ == 0)
		e->first_frame = d->frame;
	e->df += d->df;
	if (late)
		return true;
	uint8_t fate = (uint8_t)f->latest, of = FATE_NONE;
	if (d->resend && b->n)
		of = note_lost(b, f, d);
	b->last_ns = d->ns;
	if (!make_room(b, left))
		return true;
	if (b->n && !not_after(at(b, b->n - 1)->seq, d->seq))
		b->disorder = true;
	*at(b, b->n++) = (struct sent){.ns = d->ns,
	                               .frame = d->frame,
	                               .seq = d->seq,
	                               .serial = d->serial,
	                               .packets = (uint8_t)d->packets,
	                               .fate = fate,
	                               .of = of};
	return true;
}

static void deliver(struct outbox *b, struct fates *f, uint32_t i)
{
	f->list[at(b, i)->fate].delivered++;
	take_out(b, i);
}

/* The original of this resend had arrived. */
static void take_back_loss(struct outbox *b, struct fates *f, uint32_t serial)
{
	for (uint32_t i = 0; i < b->n; i++) {
		struct sent *s = at(b, i);
		if (s->serial != serial || s->of == FATE_NONE)
			continue;
		struct fate *e = &f->list[s->of];
		if (b->unclaimed.lost)
			b->unclaimed = (struct unclaimed){0};
		else if (e->lost > 0)
			e->lost--;
		e->needless++;
		e->delivered++;
		s->of = FATE_NONE;
		return;
	}
}

static bool soft_acked(const struct sent *s, uint32_t first, unsigned n,
                       const uint8_t *acks)
{
	for (uint32_t k = 0; k < s->packets; k++) {
		uint32_t i = s->seq + k - first;
		if ((int32_t)i < 0)
			continue;
		if (i >= n || !(acks[i] & 1))
			return false;
	}
	return true;
}

void outbox_acked(struct outbox *b, struct fates *f, uint32_t call, uint32_t first,
                  unsigned n, const uint8_t *acks, unsigned reason, uint32_t serial)
{
	if (b->call != call || b->n == 0)
		return;
	if (reason == REASON_DUPLICATE && serial)
		take_back_loss(b, f, serial);
	unsigned run = 0;
	while (acks && run < n && (acks[run] & 1))
		run++;
	uint32_t all = first - 1 + run;
	while (b->n && not_after(at(b, 0)->seq + at(b, 0)->packets - 1, all))
		deliver(b, f, 0);
	if (b->n || reason == REASON_REQUESTED)
		claim(b, f);
	bool gaps = acks && run < n;
	if (!gaps && !b->disorder)
		return;
	for (uint32_t i = 0; i < b->n;) {
		const struct sent *s = at(b, i);
		if (not_after(s->seq + s->packets - 1, all) ||
		    (gaps && soft_acked(s, first, n, acks)))
			deliver(b, f, i);
		else
			i++;
	}
}

void outbox_implied(struct outbox *b, struct fates *f)
{
	while (b->n)
		deliver(b, f, 0);
}

void outbox_drop(struct outbox *b)
{
	b->n = b->begin = 0;
	b->disorder = false;
}

void outbox_free(struct outbox *b, size_t *left)
{
	*left += b->room * sizeof *b->list;
	free(b->list);
	*b = (struct outbox){0};
}

void fates_free(struct fates *f)
{
	free(f->list);
	*f = (struct fates){0};
}
