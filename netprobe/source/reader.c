#include "netprobe/source/reader.h"

#include "netprobe/source/endian.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int reader_open(struct reader *r, const char *path, uint32_t file, bool ahead,
                struct source_tables *tables, struct err *err)
{
	*r = (struct reader){.tables = tables, .file = file};
	if (stream_open(&r->stream, path, ahead, err) < 0)
		return -1;
	bool there = stream_need(&r->stream, 4);
	uint32_t magic = there ? be32(r->stream.at) : 0;
	int rc = magic == 0x0a0d0d0a ? pcapng_start(r, err) : pcap_start(r, err);
	if (rc < 0)
		reader_close(r);
	return rc;
}

void reader_close(struct reader *r)
{
	reader_forget_ifaces(r);
	free(r->iface);
	r->iface = NULL;
	stream_close(&r->stream);
}

bool reader_add_iface(struct reader *r, struct source_iface *facts,
                      const struct time_scale *scale)
{
	size_t n = r->ifaces;
	if (n == SOURCE_IFACES_MAX) {
		tables_note(r->tables, NOTE_MANY_IFACES, r->file, 0);
		free(facts);
		return true;
	}
	if ((n & (n - 1)) == 0) { /* full at 0 and at the powers of two */
		void *more = realloc(r->iface, (n ? 2 * n : 1) * sizeof *r->iface);
		if (!more) {
			free(facts);
			return false;
		}
		r->iface = more;
	}
	bool named = facts->name[0] != '\0';
	if (!named) {
		const char *path = r->tables->paths[r->file];
		const char *base = strrchr(path, '/');
		base = strcmp(path, "-") == 0 ? "stdin" : base ? base + 1 : path;
		snprintf(facts->name, sizeof facts->name, "%.50s#%" PRIu32, base,
		         r->unnamed++);
	}
	facts->file = r->file;
	r->iface[n] = (struct reader_iface){.facts = facts,
	                                    .index = IFACE_UNTOLD,
	                                    .snaplen = facts->snaplen,
	                                    .link_type = facts->link_type,
	                                    .named = named,
	                                    .scale = *scale};
	r->ifaces++;
	if (r->told) /* the source knows this file already */
		reader_tell(r);
	return true;
}

/* Interfaces that were told belong to the tables. */
void reader_forget_ifaces(struct reader *r)
{
	for (size_t i = 0; i < r->ifaces; i++)
		if (r->iface[i].index == IFACE_UNTOLD)
			free(r->iface[i].facts);
	r->ifaces = 0;
	r->told_ifaces = 0;
}

void reader_tell(struct reader *r)
{
	r->told = true;
	for (; r->told_ifaces < r->ifaces; r->told_ifaces++) {
		struct reader_iface *own = &r->iface[r->told_ifaces];
		own->index =
		        tables_add_iface(r->tables, own->facts, own->named, r->section);
		/* where there was no room the interface stays unknown */
		own->facts = own->index == IFACE_UNTOLD
		                     ? NULL
		                     : r->tables->iface[own->index].facts;
		if (!own->facts)
			tables_note(r->tables, NOTE_MANY_IFACES, r->file, 0);
	}
}

enum record reader_cut(struct reader *r, uint64_t need, struct err *err)
{
	struct stream *s = &r->stream;
	uint64_t have = (uint64_t)(s->end - s->at);
	const char *path = r->tables->paths[r->file];
	if (stream_stopped(s))
		return RECORD_END;
	if (s->fault == STREAM_READ_FAILED) {
		err_sys(err, s->sys, "%s: cannot read on behind byte %" PRIu64, path,
		        s->end_offset);
		return RECORD_ERROR;
	}
	if (s->fault == STREAM_UNPACK_FAILED)
		tables_cut(r->tables, r->file, stream_offset(s), r->frames,
		           "the %.16s data end early: %.100s", s->compression, s->why);
	else if (have > 0)
		tables_cut(r->tables, r->file, stream_offset(s), r->frames,
		           "the last record is cut: %" PRIu64 " of %" PRIu64
		           " bytes are missing",
		           need - have, need);
	return RECORD_END;
}

enum record reader_bad(struct reader *r, const char *fmt, ...)
{
	char why[160];
	va_list args;
	va_start(args, fmt);
	vsnprintf(why, sizeof why, fmt, args);
	va_end(args);
	tables_cut(r->tables, r->file, stream_offset(&r->stream), r->frames, "%s", why);
	return RECORD_END;
}
