#include "netprobe/decode/pieces.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FREE_UNIT UINT16_MAX /* no piece begins there */
#define FIRST_SLOTS 32u
#define WORDS (PIECE_UNITS / 64)

struct piece_set {
	uint64_t bits[WORDS]; /* of the units covered */
	uint32_t slots;       /* a power of two */
	struct piece slot[];
};

/* The multiplier is 2^64 / golden ratio. */
static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

uint32_t piece_print(const uint8_t *bytes, size_t cap, bool more)
{
	size_t n = 32;
	while (n > cap)
		n /= 2;
	if (n < 4)
		n = 0;
	uint64_t h = n;
	if (n == 4) {
		uint32_t word;
		memcpy(&word, bytes, 4);
		h = mix(h, word);
	}
	for (size_t i = 0; i + 8 <= n; i += 8) {
		uint64_t word;
		memcpy(&word, bytes + i, 8);
		h = mix(h, word);
	}
	return ((uint32_t)(h >> 31) & ~1u) | more;
}

uint32_t piece_units(const struct piece *x)
{
	uint32_t units = (x->len + (x->print & 1 ? 0 : PIECE_UNIT - 1)) / PIECE_UNIT;
	uint32_t room = x->unit < PIECE_UNITS ? PIECE_UNITS - x->unit : 0;
	return units < room ? units : room;
}

static bool same_place(const struct piece *x, const struct piece *y)
{
	return x->unit == y->unit && x->len == y->len;
}

/* The slot of a piece of this place, or the free one where it belongs. */
static struct piece *set_slot(struct piece_set *s, const struct piece *x)
{
	uint32_t h = ((uint32_t)x->unit << 16 | x->len) * UINT32_C(0x9e3779b1);
	uint32_t i = (h ^ h >> 15) & (s->slots - 1);
	while (s->slot[i].unit != FREE_UNIT && !same_place(&s->slot[i], x))
		i = (i + 1) & (s->slots - 1);
	return &s->slot[i];
}

enum piece_seen pieces_find(const struct pieces *ps, const struct piece *x)
{
	const struct piece *found = NULL;
	if (ps->set) {
		const struct piece *slot = set_slot(ps->set, x);
		if (slot->unit != FREE_UNIT)
			found = slot;
	} else {
		for (uint32_t i = 0; i < ps->n && !found; i++)
			if (same_place(&ps->few[i], x))
				found = &ps->few[i];
	}
	if (!found)
		return PIECE_NEW;
	return found->print == x->print ? PIECE_REPEAT : PIECE_DIFFERS;
}

/* Units below n that the few, sorted pieces cover. */
static uint32_t few_covered(const struct pieces *ps, uint32_t n)
{
	uint32_t covered = 0, reached = 0;
	for (uint32_t i = 0; i < ps->n; i++) {
		uint32_t from = ps->few[i].unit;
		uint32_t to = from + piece_units(&ps->few[i]);
		if (from < reached)
			from = reached;
		if (to > n)
			to = n;
		if (to > from) {
			covered += to - from;
			reached = to;
		}
	}
	return covered;
}

/* Marks units [from, to) and tells how many were free. */
static uint32_t mark(struct piece_set *s, uint32_t from, uint32_t to)
{
	uint32_t fresh = 0;
	for (uint32_t w = from / 64; w * 64 < to; w++) {
		uint64_t mask = UINT64_MAX;
		if (w == from / 64)
			mask <<= from % 64;
		if (to - w * 64 < 64)
			mask &= (UINT64_C(1) << (to - w * 64)) - 1;
		fresh += (uint32_t)__builtin_popcountll(mask & ~s->bits[w]);
		s->bits[w] |= mask;
	}
	return fresh;
}

static size_t set_bytes(uint32_t slots)
{
	return sizeof(struct piece_set) + slots * sizeof(struct piece);
}

/* A set of twice the slots (or the first one) with all pieces kept so far. */
static bool grow(struct pieces *ps)
{
	struct piece_set *old = ps->set;
	uint32_t slots = old ? old->slots * 2 : FIRST_SLOTS;
	struct piece_set *s = malloc(set_bytes(slots));
	if (!s)
		return false;
	s->slots = slots;
	for (uint32_t i = 0; i < slots; i++)
		s->slot[i].unit = FREE_UNIT;
	if (old)
		memcpy(s->bits, old->bits, sizeof s->bits);
	else
		memset(s->bits, 0, sizeof s->bits);
	const struct piece *from = old ? old->slot : ps->few;
	for (uint32_t i = 0; i < (old ? old->slots : ps->n); i++) {
		if (from[i].unit == FREE_UNIT)
			continue;
		*set_slot(s, &from[i]) = from[i];
		if (!old)
			(void)mark(s, from[i].unit,
			           from[i].unit + piece_units(&from[i]));
	}
	free(old);
	ps->set = s;
	return true;
}

static void add_few(struct pieces *ps, const struct piece *x)
{
	uint32_t i = ps->n++;
	for (; i > 0 && ps->few[i - 1].unit > x->unit; i--)
		ps->few[i] = ps->few[i - 1];
	ps->few[i] = *x;
	if (x->unit >= ps->end) /* in order: behind all others */
		ps->covered += piece_units(x);
	else
		ps->covered = few_covered(ps, PIECE_UNITS);
}

bool pieces_add(struct pieces *ps, const struct piece *x, bool *overlap)
{
	assert(x->unit < PIECE_UNITS);
	uint32_t before = ps->covered;
	uint32_t units = piece_units(x);
	bool few = !ps->set && ps->n < PIECES_FEW;
	uint32_t slots = ps->set ? ps->set->slots : 0;
	if (!few && ps->n < PIECES_MAX && ps->n + ps->n / 2 >= slots && !grow(ps))
		return false;
	if (few) {
		add_few(ps, x);
	} else {
		struct piece *slot = set_slot(ps->set, x);
		if (slot->unit == FREE_UNIT && ps->n < PIECES_MAX) {
			*slot = *x;
			ps->n++;
		}
		ps->covered += mark(ps->set, x->unit, x->unit + units);
	}
	if (x->unit + units > ps->end)
		ps->end = x->unit + units;
	*overlap = ps->covered - before < units;
	return true;
}

uint32_t pieces_covered_below(const struct pieces *ps, uint32_t n)
{
	if (n >= ps->end)
		return ps->covered;
	if (!ps->set)
		return few_covered(ps, n);
	uint32_t covered = 0;
	for (uint32_t w = 0; w * 64 < n; w++) {
		uint64_t bits = ps->set->bits[w];
		if (n - w * 64 < 64)
			bits &= (UINT64_C(1) << (n - w * 64)) - 1;
		covered += (uint32_t)__builtin_popcountll(bits);
	}
	return covered;
}

size_t pieces_memory(const struct pieces *ps)
{
	return ps->set ? set_bytes(ps->set->slots) : 0;
}

void pieces_free(struct pieces *ps)
{
	free(ps->set);
	memset(ps, 0, sizeof *ps);
}
