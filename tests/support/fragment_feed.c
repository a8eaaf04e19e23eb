#include "tests/support/fragment_feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void on_end(void *ctx, const struct fragment_train *t, enum fragment_end how)
{
	struct seen *s = ctx;
	s->ends[how]++;
	s->pieces += t->pieces;
	s->repeats += t->repeats;
	s->last = *t;
	s->how = how;
}

void feed_first(void *ctx, struct fragment_train *t, const struct packet *p,
                const struct frame *f)
{
	struct seen *s = ctx;
	s->firsts++;
	assert_int_equal(p->frag_offset, 0);
	assert_true(t->has_first);
	assert_int_equal(t->note[0], 0);
	t->note[0] = (uint8_t)f->number;
}

struct fragment_train *feed(struct fragments *fs, const struct piece_spec *x)
{
	uint8_t bytes[32];
	memset(bytes, x->content, sizeof bytes);
	struct packet p = {.family = 4,
	                   .proto = 17,
	                   .payload = bytes,
	                   .payload_cap = x->len < sizeof bytes ? x->len : sizeof bytes,
	                   .payload_len = x->len,
	                   .ip_len = x->len + 20,
	                   .header_len = 20,
	                   .frag_id = x->id,
	                   .frag_offset = x->offset,
	                   .more = x->more,
	                   .fragment = true};
	struct frame f = {
	        .time_ns = x->time_ns, .number = x->number, .iface = x->iface};
	return fragments_add(fs, &p, &f, feed_first);
}

struct fragments *feed_start(struct seen *s, size_t capacity)
{
	memset(s, 0, sizeof *s);
	struct fragments *fs = fragments_new(capacity, on_end, s);
	assert_non_null(fs);
	return fs;
}

unsigned feed_ends(const struct seen *s)
{
	unsigned n = 0;
	for (unsigned i = 0; i < FRAGMENT_ENDS; i++)
		n += s->ends[i];
	return n;
}
