/* The pcapng format (draft-ietf-opsawg-pcapng): blocks and packets. */
#include "netprobe/source/endian.h"
#include "netprobe/source/reader.h"

#include <inttypes.h>
#include <stdlib.h>

enum block_type {
	BLOCK_INTERFACE = 1,
	BLOCK_PACKET = 2, /* obsolete */
	BLOCK_SIMPLE = 3,
	BLOCK_STATISTICS = 5,
	BLOCK_ENHANCED = 6,
	BLOCK_SECTION = 0x0a0d0d0a,
};

/* Blocks that are no packets but that Wireshark numbers with them: systemd
 * journal, sysdig events, custom blocks (Wireshark wiretap/pcapng.c). */
static const uint32_t numbered[] = {9,     0x204, 0x208, 0x216,     0x217,
                                    0x221, 0x222, 0xbad, 0x40000bad};

enum { OPTION_FLAGS = 2, OPTION_DROPCOUNT = 4 }; /* the first of both packet blocks */

#define BLOCK_HEADER 8u    /* type and length */
#define BLOCK_OVERHEAD 12u /* and the length again */
#define BYTE_ORDER_MAGIC 0x1a2b3c4du
#define SECTION_MIN 28u
#define BLOCK_BYTES_MAX (RECORD_BYTES_MAX + (64u << 10)) /* with its options */
_Static_assert(BLOCK_BYTES_MAX <= STREAM_PIECE_MAX, "a block is one piece");

/* What a packet block tells, before it is checked. */
struct packet_block {
	uint32_t iface, caplen, wirelen;
	uint64_t units;
	const uint8_t *bytes; /* of the packet; then padding and options */
	uint32_t left;        /* bytes from there to the end of the body */
	uint32_t drops;       /* lost before it, of the old packet block */
	bool timed;
};

/* The old packet block tells the drops in its fixed part. */
static void take_options(struct reader *r, const struct packet_block *b,
                         struct frame *f)
{
	uint32_t padded = (b->caplen + 3) & ~3u;
	f->direction = DIR_UNKNOWN;
	if (!b->timed || padded + 4 > b->left)
		return;
	const uint8_t *at = b->bytes + padded;
	uint32_t left = b->left - padded;
	struct option o;
	while (pcapng_next_option(r, &at, &left, &o)) {
		if (o.code == OPTION_FLAGS && o.n == 4) {
			uint32_t way = u32_at(o.bytes, r->big) & 3;
			f->direction = way == 1   ? DIR_IN
			               : way == 2 ? DIR_OUT
			                          : DIR_UNKNOWN;
		} else if (o.code == OPTION_DROPCOUNT && o.n == 8 && !b->drops) {
			pcapng_take_dropcount(&r->iface[b->iface],
			                      u64_at(o.bytes, r->big));
		}
	}
}

/* Counts the packet; false where its interface is unknown. */
static bool take_packet(struct reader *r, const struct packet_block *b, struct frame *f)
{
	f->number = ++r->frames;
	if (b->iface >= r->ifaces || !r->iface[b->iface].facts) {
		tables_note(r->tables, NOTE_UNKNOWN_IFACE, r->file, r->frames);
		return false;
	}
	const struct reader_iface *iface = &r->iface[b->iface];
	f->iface = b->iface;
	f->link_type = iface->link_type;
	reader_set_lengths(r, f, b->bytes, b->caplen, b->wirelen);
	f->time_ns = r->last_ns;
	if (b->timed) {
		bool clamped = false;
		f->time_ns = time_scale_apply(&iface->scale, b->units, &clamped);
		if (clamped)
			tables_note(r->tables, NOTE_TIME_RANGE, r->file, r->frames);
	} else {
		tables_note(r->tables, NOTE_NO_TIME, r->file, r->frames);
	}
	r->last_ns = f->time_ns;
	take_options(r, b, f);
	if (b->drops)
		pcapng_take_dropcount(&r->iface[b->iface], b->drops);
	return true;
}

/* The fixed part of the three packet blocks.  False where the body is too
 * short for it, or for the bytes it says were captured. */
static bool parse_packet(struct reader *r, uint32_t type, const uint8_t *p, uint32_t n,
                         struct packet_block *b)
{
	const bool big = r->big;
	if (type == BLOCK_SIMPLE) {
		if (n < 4)
			return false;
		*b = (struct packet_block){
		        .wirelen = u32_at(p, big), .bytes = p + 4, .left = n - 4};
		uint32_t snaplen = r->ifaces ? r->iface[0].snaplen : 0;
		b->caplen = b->wirelen;
		if (snaplen && b->caplen > snaplen)
			b->caplen = snaplen;
		if (b->caplen > b->left) /* a snap length that no one told */
			b->caplen = b->left;
		return true;
	}
	if (n < 20)
		return false;
	*b = (struct packet_block){
	        .iface = type == BLOCK_ENHANCED ? u32_at(p, big) : u16_at(p, big),
	        .units = (uint64_t)u32_at(p + 4, big) << 32 | u32_at(p + 8, big),
	        .caplen = u32_at(p + 12, big),
	        .wirelen = u32_at(p + 16, big),
	        .bytes = p + 20,
	        .left = n - 20,
	        .timed = true};
	/* 0xffff: not known */
	uint32_t drops = type == BLOCK_PACKET ? u16_at(p + 2, big) : 0;
	b->drops = drops == 0xffff ? 0 : drops;
	return b->caplen <= b->left;
}

/* A section header at s->at; its byte order decides how long it is. */
static enum record next_section(struct reader *r, struct err *err)
{
	struct stream *s = &r->stream;
	if (!stream_need(s, 12))
		return reader_cut(r, SECTION_MIN, err);
	uint32_t magic = be32(s->at + 8);
	bool big = magic == BYTE_ORDER_MAGIC;
	if (!big && le32(s->at + 8) != BYTE_ORDER_MAGIC)
		return reader_bad(
		        r, "section header with the byte order mark 0x%08" PRIx32,
		        magic);
	uint32_t length = u32_at(s->at + 4, big);
	if (length < SECTION_MIN || length > BLOCK_BYTES_MAX)
		return reader_bad(r, "section header that says %" PRIu32 " bytes",
		                  length);
	length = (length + 3) & ~3u;
	if (!stream_need(s, length))
		return reader_cut(r, length, err);
	r->big = big;
	if (u16_at(s->at + 12, big) != 1)
		tables_note(r->tables, NOTE_VERSION, r->file, 0);
	reader_forget_ifaces(r);
	r->section = ++r->tables->sections;
	s->at += length;
	return RECORD_FRAME;
}

static bool known_type(uint32_t type)
{
	return type == BLOCK_INTERFACE || type == BLOCK_PACKET ||
	       type == BLOCK_SIMPLE || type == BLOCK_STATISTICS ||
	       type == BLOCK_ENHANCED;
}

/* Blocks of no use here may be of any length: passed over, not gathered. */
static bool skip_block(struct reader *r, uint32_t type, uint32_t length,
                       struct err *err, enum record *how)
{
	struct stream *s = &r->stream;
	uint64_t offset = stream_offset(s);
	uint64_t done = stream_skip(s, length);
	if (done == length) {
		for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
			r->frames += type == numbered[i];
		return true;
	}
	*how = reader_cut(r, length, err);
	if (*how == RECORD_END && s->fault == STREAM_NO_FAULT && !stream_stopped(s))
		tables_cut(r->tables, r->file, offset, r->frames,
		           "the last block is cut: %" PRIu64 " of %" PRIu32
		           " bytes are missing",
		           length - done, length);
	return false;
}

static enum record pcapng_next(struct reader *r, struct frame *f, struct source_mark *m,
                               struct err *err)
{
	struct stream *s = &r->stream;
	for (bool first = true;; first = false) {
		if (!first && r->yields && s->at == s->end)
			return RECORD_NOTHING;
		if (!stream_need(s, BLOCK_HEADER))
			return reader_cut(r, BLOCK_OVERHEAD, err);
		uint32_t type = u32_at(s->at, r->big);
		if (type == BLOCK_SECTION) {
			enum record how = next_section(r, err);
			if (how != RECORD_FRAME)
				return how;
			continue;
		}
		uint32_t told = u32_at(s->at + 4, r->big);
		/* Lengths are multiples of 4; programs that forget it pad anyway. */
		uint32_t length = (told + 3) & ~3u;
		if (told < BLOCK_OVERHEAD || length < told)
			return reader_bad(r,
			                  "block of type %" PRIu32 " that says %" PRIu32
			                  " bytes",
			                  type, told);
		if (!known_type(type)) {
			enum record how;
			if (!skip_block(r, type, length, err, &how))
				return how;
			continue;
		}
		if (length > BLOCK_BYTES_MAX)
			return reader_bad(r,
			                  "the block says %" PRIu32
			                  " bytes, more than the limit of 16 MiB",
			                  length);
		if (!stream_need(s, length))
			return reader_cut(r, length, err);
		const uint8_t *body = s->at + BLOCK_HEADER;
		uint32_t n = length - BLOCK_OVERHEAD;
		if (u32_at(body + n, r->big) != told)
			tables_note(r->tables, NOTE_TRAILER, r->file, 0);
		struct packet_block b;
		if (type == BLOCK_INTERFACE) {
			if (!pcapng_read_iface(r, body, n))
				return reader_bad(r, "interface block too short");
		} else if (type == BLOCK_STATISTICS) {
			if (pcapng_read_statistics(r, body, n, m)) {
				s->at += length;
				return RECORD_MARK;
			}
		} else if (!parse_packet(r, type, body, n, &b)) {
			return reader_bad(r, "packet block shorter than its packet");
		} else if (take_packet(r, &b, f)) {
			s->at += length;
			return RECORD_FRAME;
		}
		s->at += length;
	}
}

int pcapng_start(struct reader *r, struct err *err)
{
	const char *path = r->tables->paths[r->file];
	size_t cuts = r->tables->cuts;
	struct err inner = {0};
	r->next = pcapng_next;
	if (next_section(r, &inner) == RECORD_FRAME)
		return 0;
	if (inner.code != ERR_NONE) {
		*err = inner;
		return -1;
	}
	/* what would be a cut further on is no capture at all here */
	const char *why = r->tables->cuts > cuts ? r->tables->cut[cuts].why : "stopped";
	err_set(err, ERR_USAGE, "%s: cut or broken inside its first header: %s", path,
	        why);
	r->tables->cuts = cuts;
	return -1;
}
