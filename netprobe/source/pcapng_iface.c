/* The pcapng format: options, interface and statistics blocks. */
#include "netprobe/source/comment.h"
#include "netprobe/source/endian.h"
#include "netprobe/source/linktype.h"
#include "netprobe/source/reader.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

#define NS 1000000000u

enum {
	OPT_END = 0,
	OPT_COMMENT = 1,
	IF_NAME = 2,
	IF_DESCRIPTION = 3,
	IF_IPV4 = 4,
	IF_IPV6 = 5,
	IF_SPEED = 8,
	IF_TSRESOL = 9,
	IF_FILTER = 11,
	IF_TSOFFSET = 14,
	ISB_STARTTIME = 2,
	ISB_ENDTIME = 3,
	ISB_IFRECV = 4,
	ISB_IFDROP = 5,
	ISB_FILTERACCEPT = 6,
	ISB_OSDROP = 7,
	ISB_USRDELIV = 8,
};

bool pcapng_next_option(struct reader *r, const uint8_t **at, uint32_t *left,
                        struct option *o)
{
	if (*left < 4)
		return false;
	o->code = u16_at(*at, r->big);
	o->n = u16_at(*at + 2, r->big);
	if (o->code == OPT_END)
		return false;
	if (o->n > *left - 4) {
		tables_note(r->tables, NOTE_OPTION, r->file, 0);
		return false;
	}
	o->bytes = *at + 4;
	uint32_t step = 4 + ((o->n + 3u) & ~3u);
	if (step > *left)
		step = *left;
	*at += step;
	*left -= step;
	return true;
}

/* ---- time ---------------------------------------------------------------- */

/* if_tsresol: 10^-n, or with the top bit 2^-n. */
static void set_resolution(struct time_scale *s, uint8_t code)
{
	uint8_t n = code & 0x7f;
	if (code & 0x80) {
		s->how = TIME_BINARY;
		s->bits = n;
		return;
	}
	s->how = n <= 9 ? TIME_MULTIPLY : TIME_DIVIDE;
	s->factor = 1;
	int steps = n <= 9 ? 9 - n : n - 9;
	/* 10^19 is the largest power in 64 bits; with more every time is 0 */
	for (int i = 0; i < steps && i < 19; i++)
		s->factor *= 10;
	if (steps > 19)
		s->factor = 0;
}

int64_t time_scale_apply(const struct time_scale *s, uint64_t units, bool *clamped)
{
	u128 ns = 0;
	if (s->how == TIME_MULTIPLY)
		ns = (u128)units * s->factor;
	else if (s->how == TIME_DIVIDE)
		ns = s->factor ? units / s->factor : 0;
	else
		ns = (u128)units * NS >> s->bits;
	int64_t offset, sum;
	/* seen in the wild: a negative number of seconds, widened */
	int64_t negative;
	if (ns > INT64_MAX && s->how == TIME_MULTIPLY &&
	    !__builtin_mul_overflow((int64_t)units, (int64_t)s->factor, &negative)) {
		*clamped = true;
		return time_within(negative);
	}
	if (ns > INT64_MAX ||
	    __builtin_mul_overflow(s->offset_s, (int64_t)NS, &offset) ||
	    __builtin_add_overflow((int64_t)ns, offset, &sum)) {
		*clamped = true;
		return s->offset_s < 0 && ns <= INT64_MAX ? -TIME_MOST_NS
		                                          : TIME_MOST_NS;
	}
	if (time_within(sum) != sum)
		*clamped = true;
	return time_within(sum);
}

/* ---- interfaces ---------------------------------------------------------- */

static void copy_text(char *to, size_t size, const struct option *o, uint32_t skip)
{
	size_t n = o->n > skip ? o->n - skip : 0;
	const uint8_t *from = o->bytes + skip;
	size_t used = 0;
	/* a NUL ends it; other control characters must not reach a terminal */
	for (size_t i = 0; i < n && from[i] != '\0' && used + 1 < size; i++)
		to[used++] = from[i] < 0x20 || from[i] == 0x7f ? '?' : (char)from[i];
	to[used] = '\0';
}

static void add_address(struct source_iface *facts, const char *text, unsigned bits)
{
	size_t used = strlen(facts->addresses);
	int n = snprintf(facts->addresses + used, sizeof facts->addresses - used,
	                 "%s%s/%u", used ? "," : "", text, bits);
	if (n < 0 || (size_t)n >= sizeof facts->addresses - used)
		facts->addresses[used] = '\0'; /* no half addresses */
}

static void take_iface_option(struct reader *r, const struct option *o,
                              struct source_iface *facts, struct time_scale *scale)
{
	char text[INET6_ADDRSTRLEN];
	struct source_mark none;
	switch (o->code) {
	case OPT_COMMENT:
		comment_parse((const char *)o->bytes, o->n, facts, &none);
		break;
	case IF_NAME:
		copy_text(facts->name, sizeof facts->name, o, 0);
		break;
	case IF_DESCRIPTION:
		copy_text(facts->description, sizeof facts->description, o, 0);
		break;
	case IF_IPV4: /* address and mask */
		if (o->n == 8 && inet_ntop(AF_INET, o->bytes, text, sizeof text))
			add_address(facts, text,
			            (unsigned)__builtin_popcount(be32(o->bytes + 4)));
		break;
	case IF_IPV6: /* address and prefix length */
		if (o->n == 17 && inet_ntop(AF_INET6, o->bytes, text, sizeof text))
			add_address(facts, text, o->bytes[16]);
		break;
	case IF_SPEED:
		if (o->n == 8 && !facts->speed_bps) /* the comment knows better */
			facts->speed_bps = u64_at(o->bytes, r->big);
		break;
	case IF_TSRESOL:
		if (o->n == 1)
			set_resolution(scale, o->bytes[0]);
		break;
	case IF_FILTER:
		if (o->n > 0 && o->bytes[0] == 0) /* text; 1 is compiled code */
			copy_text(facts->filter, sizeof facts->filter, o, 1);
		break;
	case IF_TSOFFSET:
		if (o->n == 8)
			scale->offset_s = (int64_t)u64_at(o->bytes, r->big);
		break;
	default:
		break;
	}
}

bool pcapng_read_iface(struct reader *r, const uint8_t *body, uint32_t n)
{
	if (n < 8)
		return false;
	struct source_iface *facts = calloc(1, sizeof *facts);
	if (!facts)
		return true; /* its frames are then of an unknown interface */
	facts->link_type = link_type_from(u16_at(body, r->big));
	facts->snaplen = u32_at(body + 4, r->big);
	struct time_scale scale = {.how = TIME_MULTIPLY, .factor = 1000};
	const uint8_t *at = body + 8;
	uint32_t left = n - 8;
	struct option o;
	while (pcapng_next_option(r, &at, &left, &o))
		take_iface_option(r, &o, facts, &scale);
	reader_add_iface(r, facts, &scale);
	return true;
}

/* ---- statistics ---------------------------------------------------------- */

/* The values are sums since the start; what they grew by is added, so that
 * several blocks, sections and files of one interface add up. */
static void add_growth(struct reader_iface *own, enum iface_counter which,
                       uint64_t value, uint64_t *sum)
{
	if (value > own->last[which])
		*sum += value - own->last[which];
	own->last[which] = value;
}

static void take_kernel_counters(struct reader_iface *own,
                                 const struct source_iface *told)
{
	struct source_iface *f = own->facts;
	f->has_kernel = true;
	add_growth(own, COUNT_KERNEL_PACKETS, told->kernel_packets, &f->kernel_packets);
	add_growth(own, COUNT_KERNEL_BYTES, told->kernel_bytes, &f->kernel_bytes);
	add_growth(own, COUNT_LEFT_OUT_PACKETS, told->left_out_packets,
	           &f->left_out_packets);
	add_growth(own, COUNT_LEFT_OUT_BYTES, told->left_out_bytes, &f->left_out_bytes);
}

/* The capturer lost what the system says, or what passed the filter and did not reach
 * it; and no less than stands with the packets, which tell the interface's and the
 * capturer's losses in one. */
static void set_dropped(struct reader_iface *own)
{
	struct source_iface *f = own->facts;
	bool reached = own->has_accepted && own->has_delivered;
	uint64_t n = own->os_dropped;
	if (!own->has_os_dropped && reached && own->accepted > own->delivered)
		n = own->accepted - own->delivered;
	if (own->gap_dropped > own->if_dropped + n)
		n = own->gap_dropped - own->if_dropped;
	f->has_dropped |= own->has_os_dropped || reached || own->gap_dropped;
	f->dropped += n - own->dropped; /* may go down, never below 0 */
	own->dropped = n;
}

void pcapng_take_dropcount(struct reader_iface *own, uint64_t n)
{
	if (n > UINT32_MAX) /* garbage: more than any buffer has lost at once */
		return;
	own->gap_dropped += n;
	set_dropped(own);
}

/* Two words, high and low, in the interface's units; the widest span counts. */
static void take_span(struct reader *r, struct reader_iface *own,
                      const struct option *o)
{
	bool clamped = false;
	uint64_t units =
	        (uint64_t)u32_at(o->bytes, r->big) << 32 | u32_at(o->bytes + 4, r->big);
	int64_t ns = time_scale_apply(&own->scale, units, &clamped);
	struct source_iface *f = own->facts;
	if (clamped || ns <= 0)
		return;
	if (o->code == ISB_STARTTIME && (!f->from_ns || ns < f->from_ns))
		f->from_ns = ns;
	if (o->code == ISB_ENDTIME && ns > f->until_ns)
		f->until_ns = ns;
}

static void take_counter(struct reader *r, struct reader_iface *own,
                         const struct option *o)
{
	struct source_iface *f = own->facts;
	if (o->n != 8)
		return;
	if (o->code == ISB_STARTTIME || o->code == ISB_ENDTIME) {
		take_span(r, own, o);
		return;
	}
	uint64_t value = u64_at(o->bytes, r->big);
	if (o->code == ISB_IFRECV) {
		f->has_received = true;
		add_growth(own, COUNT_RECEIVED, value, &f->received);
	} else if (o->code == ISB_IFDROP) {
		const uint64_t before = f->ifdropped;
		f->has_ifdropped = true;
		add_growth(own, COUNT_IFDROPPED, value, &f->ifdropped);
		own->if_dropped += f->ifdropped - before;
	} else if (o->code == ISB_OSDROP) {
		own->has_os_dropped = true;
		add_growth(own, COUNT_DROPPED, value, &own->os_dropped);
	} else if (o->code == ISB_FILTERACCEPT) {
		own->has_accepted = true;
		add_growth(own, COUNT_ACCEPTED, value, &own->accepted);
	} else if (o->code == ISB_USRDELIV) {
		own->has_delivered = true;
		add_growth(own, COUNT_DELIVERED, value, &own->delivered);
	}
	set_dropped(own);
}

bool pcapng_read_statistics(struct reader *r, const uint8_t *body, uint32_t n,
                            struct source_mark *mark)
{
	if (n < 12)
		return false;
	uint32_t id = u32_at(body, r->big);
	struct reader_iface *own = id < r->ifaces ? &r->iface[id] : NULL;
	bool known = own && own->facts;
	bool found = false;
	const uint8_t *at = body + 12;
	uint32_t left = n - 12;
	struct option o;
	while (pcapng_next_option(r, &at, &left, &o)) {
		if (o.code != OPT_COMMENT) {
			if (known)
				take_counter(r, own, &o);
			continue;
		}
		struct source_iface told = {0};
		enum comment_kind kind =
		        comment_parse((const char *)o.bytes, o.n, &told, mark);
		if (kind == COMMENT_MARK)
			found = true;
		else if (kind == COMMENT_FACTS && told.has_kernel && known)
			take_kernel_counters(own, &told);
	}
	return found;
}
