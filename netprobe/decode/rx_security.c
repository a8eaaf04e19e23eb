#include "netprobe/decode/rx_security.h"

#include "src/base/cursor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define OLD_CHALLENGE 8u /* nonce and level */
#define TICKET_LEN_AT (8u + 40u + 4u)

/* Encrypted bytes read as a number below this once in 40,000; opcodes are below, and
 * some argument of most calls. */
#define OPCODES_END 100000u
#define WORDS_TRIED 8u

/* Multiples of 8 only: chance says the same of this many datagrams once in 2^n, as
 * all lengths of clear data are multiples of 4. */
#define ENOUGH_WITH_REQUEST 4u
#define ENOUGH_ALONE 16u

#define FULL_LEAST 1200u

bool rx_challenge_decode(const struct rx_header *h, const uint8_t *bytes, size_t cap,
                         size_t udp_len, struct rx_challenge *c)
{
	struct cursor cur = cursor_init(bytes, cap, udp_len);
	*c = (struct rx_challenge){.min_level = -1};
	cursor_skip(&cur, RX_HEADER);
	if (h->security != RX_KAD && h->security != RX_KAD_CRYPT)
		return cursor_ok(&cur);
	bool old = cur.wire == OLD_CHALLENGE;
	if (!old)
		c->version = cursor_u32(&cur);
	if (!cursor_ok(&cur))
		return false;
	cursor_skip(&cur, 4); /* the nonce */
	uint32_t level = cursor_u32(&cur);
	if (cursor_ok(&cur) && level <= 2)
		c->min_level = (int32_t)level;
	return true;
}

uint32_t rx_response_ticket(const struct rx_header *h, const uint8_t *bytes, size_t cap,
                            size_t udp_len)
{
	struct cursor c = cursor_init(bytes, cap, udp_len);
	cursor_skip(&c, RX_HEADER);
	uint32_t version = cursor_u32(&c);
	cursor_skip(&c, TICKET_LEN_AT - 4);
	uint32_t n = cursor_u32(&c);
	bool sane = cursor_ok(&c) && version == 2 && n <= c.wire;
	return (h->security == RX_KAD || h->security == RX_KAD_CRYPT) && sane ? n : 0;
}

static void try_words(struct rx_evidence *e, const uint8_t *data, size_t cap)
{
	bool plain = false;
	for (size_t i = 0; i < WORDS_TRIED && 12 + 4 * i <= cap; i++)
		plain |= be32(data + 8 + 4 * i) < OPCODES_END;
	e->tried += cap >= 12;
	e->plain += plain;
}

void rx_evidence_request(struct rx_evidence *e, const uint8_t *data, size_t cap,
                         bool known)
{
	if (known || (cap >= 4 && be32(data) < OPCODES_END))
		e->readable++;
	else if (cap >= 4) {
		e->hidden++;
		try_words(e, data, cap);
	}
}

void rx_evidence_merge(struct rx_evidence *into, const struct rx_evidence *from)
{
	into->classes |= from->classes;
	into->readable += from->readable;
	into->hidden += from->hidden;
	into->tried += from->tried;
	into->plain += from->plain;
	for (unsigned i = 0; i < 2; i++) {
		struct rx_lengths *l = &into->sent[i];
		const struct rx_lengths *m = &from->sent[i];
		l->datagrams += m->datagrams;
		l->off8 += m->off8;
		l->joined += m->joined;
		if (m->largest > l->largest)
			l->largest = m->largest;
	}
	if (from->challenged) {
		into->challenged = true;
		into->challenge = from->challenge;
	}
}

static bool has_class(const struct rx_evidence *e, unsigned index)
{
	return e->classes >> index & 1;
}

/* Both directions of a connection have one level, so both are asked. */
static enum rx_level by_lengths(const struct rx_evidence *e)
{
	uint64_t off8 = e->sent[0].off8 + e->sent[1].off8;
	uint64_t n = e->sent[0].datagrams + e->sent[1].datagrams;
	if (off8)
		return e->hidden ? RX_LEVEL_AUTH : RX_LEVEL_UNKNOWN;
	/* most of them: chance does it now and then among many */
	if (e->plain && e->plain >= e->tried / 2)
		return RX_LEVEL_AUTH;
	if (n >= (e->hidden ? ENOUGH_WITH_REQUEST : ENOUGH_ALONE))
		return RX_LEVEL_CRYPT;
	return RX_LEVEL_UNKNOWN;
}

enum rx_level rx_level_of(const struct rx_evidence *e)
{
	if (!(e->classes & ~1u))
		return e->classes ? RX_LEVEL_NONE : RX_LEVEL_UNKNOWN;
	if (has_class(e, RX_KAD_CRYPT))
		return RX_LEVEL_CRYPT;
	if (e->readable && !e->hidden)
		return RX_LEVEL_CLEAR;
	if (!has_class(e, RX_KAD))
		return RX_LEVEL_UNKNOWN;
	enum rx_level l = by_lengths(e);
	if (l == RX_LEVEL_UNKNOWN && e->challenge.min_level == 2)
		return RX_LEVEL_CRYPT;
	return l;
}

struct text {
	char *at;
	size_t left;
	const char *gap;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *fmt,
                                                      ...)
{
	va_list args;
	int gap = snprintf(t->at, t->left, "%s", t->gap);
	size_t used = gap < 0 || (size_t)gap >= t->left ? 0 : (size_t)gap;
	t->at += used;
	t->left -= used;
	va_start(args, fmt);
	int n = vsnprintf(t->at, t->left, fmt, args);
	va_end(args);
	used = n < 0 ? 0 : (size_t)n < t->left ? (size_t)n : t->left - 1;
	t->at += used;
	t->left -= used;
	t->gap = ", ";
}

static void say_lengths(struct text *t, const struct rx_evidence *e, unsigned way)
{
	const struct rx_lengths *l = &e->sent[way & 1];
	uint64_t off8 = e->sent[0].off8 + e->sent[1].off8;
	uint64_t all = e->sent[0].datagrams + e->sent[1].datagrams;
	if (l->joined)
		say(t, "jumbograms up to %" PRIu32, l->largest);
	else if (l->largest >= FULL_LEAST)
		say(t, "full packets %" PRIu32, l->largest);
	if (e->readable && !e->hidden)
		return;
	if (off8)
		say(t,
		    "%" PRIu64 " of %" PRIu64 " lengths of both ways no multiples of 8",
		    off8, all);
	else if (all)
		say(t, "all %" PRIu64 " lengths of both ways multiples of 8", all);
}

const char *rx_evidence_text(const struct rx_evidence *e, unsigned way, char *buf,
                             size_t size)
{
	static const char *const levels[3] = {"clear", "auth", "crypt"};
	enum rx_level level = rx_level_of(e);
	struct text t = {buf, size, ""};
	say(&t, "%s: ",
	    level == RX_LEVEL_UNKNOWN && e->hidden ? "auth or crypt"
	                                           : rx_level_name(level));
	t.gap = "";
	if (level == RX_LEVEL_NONE) {
		say(&t, "rxnull protects nothing");
		return buf;
	}
	if (has_class(e, RX_KAD_CRYPT))
		say(&t, "security index 3 always encrypts");
	if (e->readable && e->hidden)
		say(&t, "%" PRIu64 " requests readable, %" PRIu64 " not", e->readable,
		    e->hidden);
	else if (e->readable || e->hidden)
		say(&t, "requests %s",
		    e->readable ? "readable"
		    : level == RX_LEVEL_AUTH && e->plain
		            ? "readable but for their first 8 bytes"
		            : "unreadable");
	else
		say(&t, "no request seen from its first packet");
	say_lengths(&t, e, way);
	if (e->challenged && e->challenge.min_level > 0)
		say(&t, "the challenge asks at least %s",
		    levels[e->challenge.min_level]);
	return buf;
}

const char *rx_level_name(unsigned level)
{
	static const char *const names[RX_LEVELS] = {"unknown", "none", "clear", "auth",
	                                             "crypt"};
	return level < RX_LEVELS ? names[level] : "unknown";
}

const char *rx_classes_text(uint8_t classes, char *buf, size_t size)
{
	struct text t = {buf, size, ""};
	if (size)
		buf[0] = 0;
	for (unsigned i = 0; i < 8; i++)
		if (classes >> i & 1)
			say(&t, "%s", rx_security_name(i));
	return buf;
}
