/* The pcap format (draft-ietf-opsawg-pcap; libpcap's pcap-savefile(5)). */
#include "netprobe/source/endian.h"
#include "netprobe/source/linktype.h"
#include "netprobe/source/reader.h"

#include <inttypes.h>
#include <stdlib.h>

#define FILE_HEADER 24u
#define LINK_TYPE_MASK 0x03ffffffu /* above it: length of the FCS */
#define DIRECTION_OUT 4u           /* PACKET_OUTGOING, in "modified" headers */

static const struct pcap_magic {
	uint32_t magic;
	uint32_t header; /* bytes before each packet */
	uint32_t fraction_max;
} magics[] = {
        {0xa1b2c3d4, 16, 1000000},
        {0xa1b23c4d, 16, 1000000000},
        {0xa1b2cd34, 24, 1000000}, /* Kuznetzov's: interface, protocol, direction */
};

/* An impossible fraction is one of nanoseconds under a magic of microseconds
 * (seen in the wild); so the time is at most a second off, and never before
 * that of the second. */
static int64_t odd_fraction(struct reader *r, uint32_t fraction)
{
	tables_note(r->tables, NOTE_FRACTION, r->file, r->frames);
	return fraction < 1000000000 ? fraction : 999999999;
}

static enum record pcap_next(struct reader *r, struct frame *f, struct source_mark *m,
                             struct err *err)
{
	(void)m;
	struct stream *s = &r->stream;
	if (!stream_need(s, r->header))
		return reader_cut(r, r->header, err);
	const bool big = r->big;
	uint32_t fraction = u32_at(s->at + 4, big);
	uint32_t caplen = u32_at(s->at + 8, big);
	uint32_t wirelen = u32_at(s->at + 12, big);
	if (r->swapped_lengths && caplen > wirelen) {
		uint32_t other = caplen;
		caplen = wirelen;
		wirelen = other;
	}
	if (caplen > RECORD_BYTES_MAX)
		return reader_bad(r,
		                  "the record says %" PRIu32
		                  " bytes, more than the limit of 16 MiB",
		                  caplen);
	if (!stream_need(s, r->header + caplen))
		return reader_cut(r, (uint64_t)r->header + caplen, err);
	const uint8_t *p = s->at;
	s->at += r->header + caplen;
	f->number = ++r->frames;
	reader_set_lengths(r, f, p + r->header, caplen, wirelen);
	int64_t ns = fraction < r->fraction_max
	                     ? fraction * (int64_t)(1000000000 / r->fraction_max)
	                     : odd_fraction(r, fraction);
	f->time_ns = u32_at(p, big) * INT64_C(1000000000) + ns;
	f->iface = 0;
	f->link_type = r->iface[0].link_type;
	f->direction = DIR_UNKNOWN;
	if (r->header == 24) /* anything else came in, if only in passing */
		f->direction = p[22] == DIRECTION_OUT ? DIR_OUT : DIR_IN;
	r->last_ns = f->time_ns;
	return RECORD_FRAME;
}

static const struct pcap_magic *find_magic(const uint8_t *p, bool *big)
{
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
		for (int order = 0; order < 2; order++) {
			if (u32_at(p, order) == magics[i].magic) {
				*big = order;
				return &magics[i];
			}
		}
	}
	return NULL;
}

int pcap_start(struct reader *r, struct err *err)
{
	const char *path = r->tables->paths[r->file];
	struct stream *s = &r->stream;
	bool whole = stream_need(s, FILE_HEADER);
	size_t have = (size_t)(s->end - s->at);
	const struct pcap_magic *magic = have >= 4 ? find_magic(s->at, &r->big) : NULL;
	if (s->fault == STREAM_READ_FAILED)
		return err_sys(err, s->sys, "%s: cannot read the capture", path);
	if (s->fault == STREAM_UNPACK_FAILED && !whole)
		return err_set(err, ERR_USAGE, "%s: the %s data are no good: %s", path,
		               s->compression, s->why);
	if (!magic)
		return err_set(err, ERR_USAGE,
		               "%s: %s%s%sneither pcap nor pcapng; netprobe record, "
		               "tcpdump and dumpcap write such captures",
		               path, s->compression ? "what comes out of its " : "",
		               s->compression ? s->compression : "",
		               s->compression ? " data is " : "");
	if (!whole)
		return err_set(err, ERR_USAGE,
		               "%s: cut inside its header: %zu of %u bytes are there",
		               path, have, FILE_HEADER);
	r->header = magic->header;
	r->fraction_max = magic->fraction_max;
	uint16_t major = u16_at(s->at + 4, r->big), minor = u16_at(s->at + 6, r->big);
	/* libpcap sf-pcap.c: lengths were swapped up to 2.2, either way in 2.3 */
	r->swapped_lengths = major < 2 || (major == 2 && minor <= 3);
	if (major != 2)
		tables_note(r->tables, NOTE_VERSION, r->file, 0);
	struct source_iface *facts = calloc(1, sizeof *facts);
	if (!facts)
		return err_set(err, ERR_ENVIRONMENT, "out of memory");
	facts->snaplen = u32_at(s->at + 16, r->big);
	facts->link_type = link_type_from(u32_at(s->at + 20, r->big) & LINK_TYPE_MASK);
	s->at += FILE_HEADER;
	r->section = ++r->tables->sections;
	r->next = pcap_next;
	if (!reader_add_iface(r, facts, &(struct time_scale){0}))
		return err_set(err, ERR_ENVIRONMENT, "out of memory");
	return 0;
}
