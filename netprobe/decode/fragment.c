#include "netprobe/decode/fragment.h"

#include "netprobe/decode/pieces.h"
#include "src/base/table.h"

#include <assert.h>
#include <stdlib.h>

#define LARGEST 65535u
#define TINY 256u
#define ENDED_MAX 8192u

/* A train's key: how struct fragment_train begins. */
struct key {
	struct addr src, dst;
	uint32_t id, iface, ifindex;
	uint8_t family, proto;
};
#define KEY_BYTES offsetof(struct fragment_train, has_first)
static_assert(offsetof(struct key, proto) + 1 == KEY_BYTES, "key begins the train");

/* An open train.  The table's order is that of creation, since nothing but
 * table_get counts as use and only new trains go through it.  So the head is
 * the train that began first, and expiry looks at the head alone. */
struct open {
	struct fragment_train t;
	struct pieces pieces;
};

/* A train that was whole a moment ago, so that pieces captured twice are told
 * from a new train with the same id. */
struct ended {
	uint8_t key[KEY_BYTES];
	int64_t time_ns;
	struct pieces pieces;
};

struct fragments {
	struct table *open, *ended;
	struct open
	        *recent; /* of the last piece, or NULL: mostly the next one's, too */
	fragment_end_fn *end;
	void *ctx;
	size_t piece_bytes; /* heap memory of all pieces, ended trains too */
	struct fragment_counts counts;
};

static void release(struct fragments *fs, struct pieces *ps)
{
	fs->piece_bytes -= pieces_memory(ps);
	pieces_free(ps);
}

static void open_evicted(void *ctx, void *entry)
{
	struct fragments *fs = ctx;
	struct open *o = entry;
	if (fs->recent == o)
		fs->recent = NULL;
	fs->end(fs->ctx, &o->t, FRAGMENT_EVICTED);
	release(fs, &o->pieces);
}

static void ended_evicted(void *ctx, void *entry)
{
	struct ended *e = entry;
	release(ctx, &e->pieces);
}

struct fragments *fragments_new(size_t capacity, fragment_end_fn *end, void *ctx)
{
	struct fragments *fs = calloc(1, sizeof *fs);
	if (!fs)
		return NULL;
	fs->end = end;
	fs->ctx = ctx;
	fs->open =
	        table_new(KEY_BYTES, sizeof(struct open), capacity, open_evicted, fs);
	fs->ended = table_new(KEY_BYTES, sizeof(struct ended),
	                      capacity < ENDED_MAX ? capacity : ENDED_MAX,
	                      ended_evicted, fs);
	if (!fs->open || !fs->ended) {
		fragments_free(fs);
		return NULL;
	}
	return fs;
}

void fragments_free(struct fragments *fs)
{
	if (!fs)
		return;
	if (fs->open)
		for (struct open *o = table_oldest(fs->open); o;
		     o = table_next(fs->open, o))
			release(fs, &o->pieces);
	if (fs->ended)
		for (struct ended *e = table_oldest(fs->ended); e;
		     e = table_next(fs->ended, e))
			release(fs, &e->pieces);
	table_free(fs->open);
	table_free(fs->ended);
	free(fs);
}

const struct fragment_counts *fragments_counts(const struct fragments *fs)
{
	return &fs->counts;
}

static void forget(struct fragments *fs, struct ended *e)
{
	release(fs, &e->pieces);
	table_remove(fs->ended, e);
}

/* Takes over the train's pieces. */
static void remember(struct fragments *fs, struct open *o)
{
	bool made;
	struct ended *e = table_get(fs->ended, &o->t, &made);
	if (!e) {
		release(fs, &o->pieces);
		return;
	}
	release(fs, &e->pieces);
	e->pieces = o->pieces;
	e->time_ns = o->t.last_ns;
}

static void finish(struct fragments *fs, struct open *o, enum fragment_end how)
{
	fs->end(fs->ctx, &o->t, how);
	if (how == FRAGMENT_WHOLE)
		remember(fs, o);
	else
		release(fs, &o->pieces);
	if (fs->recent == o)
		fs->recent = NULL;
	table_remove(fs->open, o);
}

/* Whether two times are further apart than limit, in either direction: time
 * that stepped back that far tells just as well that pieces do not belong
 * together. */
static bool apart(int64_t x, int64_t y, int64_t limit)
{
	uint64_t gap = x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
	return gap > (uint64_t)limit;
}

/* Trains behind the head may have begun a little earlier by packet time where
 * time steps back; they are ended with the head at the latest, and a piece of
 * their own checks their own time. */
static void expire(struct fragments *fs, int64_t now)
{
	struct open *o;
	while ((o = table_oldest(fs->open)) &&
	       apart(now, o->t.first_ns, FRAGMENT_TIMEOUT_NS))
		finish(fs, o, FRAGMENT_EXPIRED);
}

/* A piece of a train that has just been whole, seen again. */
static bool late_repeat(struct fragments *fs, const struct key *key,
                        const struct piece *x, int64_t now)
{
	struct ended *e = table_find(fs->ended, key);
	if (!e)
		return false;
	if (!apart(now, e->time_ns, FRAGMENT_REPEAT_NS) &&
	    pieces_find(&e->pieces, x) == PIECE_REPEAT)
		return true;
	forget(fs, e); /* the id means another datagram now */
	return false;
}

static void note_size(struct fragment_train *t, const struct packet *p)
{
	uint32_t header = p->family == 4 ? p->header_len : 0;
	t->pieces++;
	t->ip_bytes += p->ip_len;
	if (p->ip_len > t->largest_ip_len)
		t->largest_ip_len = p->ip_len;
	t->df |= p->df;
	t->tiny |= p->more && p->payload_len < TINY;
	t->oversize |= p->payload_len > LARGEST - header ||
	               p->frag_offset > LARGEST - header - p->payload_len;
}

/* The end of the datagram, once told; another end is an inconsistency that
 * counts as overlap, and the first one stays. */
static void note_end(struct open *o, const struct packet *p)
{
	struct fragment_train *t = &o->t;
	uint32_t end = p->frag_offset + p->payload_len;
	if (!p->more) {
		t->overlap |= t->has_last && t->total != end;
		if (!t->has_last)
			t->total = end;
		t->has_last = true;
	}
	if (!t->has_last)
		return;
	uint32_t units = (t->total + PIECE_UNIT - 1) / PIECE_UNIT;
	t->overlap |= o->pieces.end > units && !t->oversize;
}

static void count_bytes(struct open *o)
{
	struct fragment_train *t = &o->t;
	t->bytes = o->pieces.covered * PIECE_UNIT;
	if (!t->has_last)
		return;
	if (t->total % PIECE_UNIT)
		t->bytes -= PIECE_UNIT - t->total % PIECE_UNIT;
	if (t->bytes > t->total)
		t->bytes = t->total;
}

static bool is_whole(const struct open *o)
{
	const struct fragment_train *t = &o->t;
	if (!t->has_last || t->oversize)
		return false;
	uint32_t units = (t->total + PIECE_UNIT - 1) / PIECE_UNIT;
	return o->pieces.covered >= units &&
	       pieces_covered_below(&o->pieces, units) == units;
}

/* Adds a piece that is no repeat.  False where memory is out. */
static bool accept(struct fragments *fs, struct open *o, const struct piece *x,
                   const struct packet *p, const struct frame *f)
{
	bool overlap;
	size_t before = pieces_memory(&o->pieces);
	if (!pieces_add(&o->pieces, x, &overlap))
		return false;
	fs->piece_bytes += pieces_memory(&o->pieces) - before;
	struct fragment_train *t = &o->t;
	t->overlap |= overlap;
	t->last_ns = f->time_ns;
	t->last_frame = f->number;
	note_size(t, p);
	note_end(o, p);
	count_bytes(o);
	if (p->frag_offset == 0) {
		t->has_first = true;
		t->first_ip_len = p->ip_len;
	}
	return true;
}

/* Keeps the memory of all pieces within its budget: ended trains go first. */
static void shrink(struct fragments *fs)
{
	while (fs->piece_bytes > FRAGMENT_PIECE_BYTES) {
		struct ended *e = table_oldest(fs->ended);
		if (e)
			forget(fs, e);
		else
			finish(fs, table_oldest(fs->open), FRAGMENT_EVICTED);
	}
}

/* The open train that the piece belongs to, made if need be; NULL where it
 * belongs to none.  *repeat: the train has this piece already. */
static struct open *find_train(struct fragments *fs, const struct key *key,
                               const struct piece *x, const struct packet *p,
                               const struct frame *f, bool *repeat)
{
	struct open *o = fs->recent;
	if (!o || memcmp(&o->t, key, KEY_BYTES) != 0)
		o = table_find(fs->open, key);
	*repeat = false;
	if (o && apart(f->time_ns, o->t.first_ns, FRAGMENT_TIMEOUT_NS)) {
		finish(fs, o, FRAGMENT_EXPIRED);
		o = NULL;
	}
	if (o) {
		*repeat = pieces_find(&o->pieces, x) == PIECE_REPEAT;
		if (*repeat || p->frag_offset > 0 || !o->t.has_first)
			return o;
		o->t.overlap |= !apart(f->time_ns, o->t.last_ns, FRAGMENT_SAME_NS);
		finish(fs, o, FRAGMENT_REUSED);
	}
	if (late_repeat(fs, key, x, f->time_ns)) {
		fs->counts.late_repeats++;
		fs->counts.late_repeat_bytes += p->ip_len;
		return NULL;
	}
	bool made;
	o = table_get(fs->open, key, &made);
	if (o) {
		o->t.first_ns = f->time_ns;
		o->t.first_frame = f->number;
	}
	return o;
}

struct fragment_train *fragments_add(struct fragments *fs, const struct packet *p,
                                     const struct frame *f,
                                     void (*first)(void *ctx, struct fragment_train *t,
                                                   const struct packet *p,
                                                   const struct frame *f))
{
	const struct key key = {.src = p->src,
	                        .dst = p->dst,
	                        .id = p->frag_id,
	                        .iface = f->iface,
	                        .ifindex = p->iface_hint ? p->sll2_ifindex : 0,
	                        .family = p->family,
	                        .proto = p->proto};
	uint32_t cap =
	        p->payload_cap < p->payload_len ? p->payload_cap : p->payload_len;
	const struct piece x = {
	        .unit = (uint16_t)(p->frag_offset / PIECE_UNIT),
	        .len = (uint16_t)(p->payload_len < LARGEST ? p->payload_len : LARGEST),
	        .print = piece_print(p->payload, cap, p->more),
	};
	expire(fs, f->time_ns);
	bool repeat;
	struct open *o = find_train(fs, &key, &x, p, f, &repeat);
	if (!o)
		return NULL;
	fs->recent = o;
	if (repeat) {
		o->t.repeats++;
		return &o->t;
	}
	if (!accept(fs, o, &x, p, f)) {
		finish(fs, o, FRAGMENT_EVICTED);
		return NULL;
	}
	if (p->frag_offset == 0 && first)
		first(fs->ctx, &o->t, p, f);
	bool whole = is_whole(o);
	if (whole)
		finish(fs, o, FRAGMENT_WHOLE);
	if (fs->piece_bytes <= FRAGMENT_PIECE_BYTES)
		return whole ? NULL : &o->t;
	shrink(fs);
	return whole || table_find(fs->open, &key) != o ? NULL : &o->t;
}

void fragments_finish(struct fragments *fs)
{
	struct open *o;
	while ((o = table_oldest(fs->open)))
		finish(fs, o, FRAGMENT_UNFINISHED);
}

const char *fragment_end_name(enum fragment_end how)
{
	static const char *const names[FRAGMENT_ENDS] = {
	        [FRAGMENT_WHOLE] = "whole",           [FRAGMENT_EXPIRED] = "expired",
	        [FRAGMENT_REUSED] = "id reused",      [FRAGMENT_EVICTED] = "evicted",
	        [FRAGMENT_UNFINISHED] = "unfinished",
	};
	return (unsigned)how < FRAGMENT_ENDS ? names[how] : "?";
}
