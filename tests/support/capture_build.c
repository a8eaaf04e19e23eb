#include "tests/support/capture_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void capture_free(struct capture *c)
{
	free(c->bytes);
	*c = (struct capture){0};
}

void capture_put(struct capture *c, const void *bytes, size_t n)
{
	if (c->n + n > c->room) {
		c->room = 2 * (c->n + n);
		c->bytes = realloc(c->bytes, c->room);
		if (!c->bytes)
			abort();
	}
	if (n > 0)
		memcpy(c->bytes + c->n, bytes, n);
	c->n += n;
}

static void put_number(struct capture *c, uint64_t v, unsigned n)
{
	uint8_t b[8];
	for (unsigned i = 0; i < n; i++)
		b[i] = (uint8_t)(v >> 8 * (c->big ? n - 1 - i : i));
	capture_put(c, b, n);
}

void capture_u16(struct capture *c, unsigned v)
{
	put_number(c, v, 2);
}

void capture_u32(struct capture *c, uint32_t v)
{
	put_number(c, v, 4);
}

void capture_u64(struct capture *c, uint64_t v)
{
	put_number(c, v, 8);
}

static void put_fill(struct capture *c, size_t n, uint8_t fill)
{
	uint8_t block[256];
	memset(block, fill, sizeof block);
	for (; n > sizeof block; n -= sizeof block)
		capture_put(c, block, sizeof block);
	capture_put(c, block, n);
}

/* ---- pcap ---- */

void capture_pcap(struct capture *c, uint32_t magic, bool big, uint32_t snaplen,
                  uint32_t link_type)
{
	*c = (struct capture){.big = big, .magic = magic};
	capture_u32(c, magic);
	capture_u16(c, 2);
	capture_u16(c, 4);
	capture_u64(c, 0);
	capture_u32(c, snaplen);
	capture_u32(c, link_type);
}

void capture_packet(struct capture *c, uint32_t sec, uint32_t fraction, uint32_t n,
                    uint32_t wirelen, uint8_t fill)
{
	capture_u32(c, sec);
	capture_u32(c, fraction);
	capture_u32(c, n);
	capture_u32(c, wirelen);
	if (c->magic == CAPTURE_MODIFIED) {
		capture_u32(c, 2);                        /* interface */
		capture_u16(c, 0x0800);                   /* protocol */
		capture_u16(c, c->big ? 0x0400 : 0x0004); /* going out, padding */
	}
	put_fill(c, n, fill);
}

/* ---- pcapng ---- */

void capture_block(struct capture *c, uint32_t type)
{
	c->block = c->n;
	capture_u32(c, type);
	capture_u32(c, 0);
}

void capture_block_end(struct capture *c)
{
	uint32_t length = (uint32_t)(c->n - c->block) + 4;
	size_t end = c->n;
	c->n = c->block + 4;
	capture_u32(c, length);
	c->n = end;
	capture_u32(c, length);
}

void capture_option(struct capture *c, unsigned code, const void *bytes, size_t n)
{
	capture_u16(c, code);
	capture_u16(c, (unsigned)n);
	capture_put(c, bytes, n);
	put_fill(c, (4 - n % 4) % 4, 0);
}

void capture_comment(struct capture *c, const char *text)
{
	capture_option(c, 1, text, strlen(text));
}

void capture_section(struct capture *c, bool big)
{
	c->big = big;
	capture_block(c, 0x0a0d0d0a);
	capture_u32(c, 0x1a2b3c4d);
	capture_u16(c, 1);
	capture_u16(c, 0);
	capture_u64(c, UINT64_MAX);
	capture_block_end(c);
}

void capture_iface(struct capture *c, unsigned link_type, uint32_t snaplen,
                   const char *name, uint8_t tsresol)
{
	capture_block(c, 1);
	capture_u16(c, link_type);
	capture_u16(c, 0);
	capture_u32(c, snaplen);
	if (name)
		capture_option(c, 2, name, strlen(name));
	if (tsresol)
		capture_option(c, 9, &tsresol, 1);
	capture_block_end(c);
}

void capture_enhanced(struct capture *c, uint32_t iface, uint64_t units, uint32_t n,
                      uint32_t wirelen, uint8_t fill)
{
	capture_block(c, 6);
	capture_u32(c, iface);
	capture_u32(c, (uint32_t)(units >> 32));
	capture_u32(c, (uint32_t)units);
	capture_u32(c, n);
	capture_u32(c, wirelen);
	put_fill(c, n, fill);
	put_fill(c, (4 - n % 4) % 4, 0);
	capture_block_end(c);
}

void capture_statistics(struct capture *c, uint32_t iface, const char *comment,
                        uint64_t received, uint64_t dropped)
{
	const struct {
		unsigned code;
		uint64_t value;
	} counters[] = {{4, received}, {7, dropped}};
	capture_block(c, 5);
	capture_u32(c, iface);
	capture_u64(c, 0);
	for (size_t i = 0; i < 2; i++) {
		if (counters[i].value == UINT64_MAX)
			continue;
		capture_u16(c, counters[i].code);
		capture_u16(c, 8);
		capture_u64(c, counters[i].value);
	}
	if (comment)
		capture_comment(c, comment);
	capture_u32(c, 0);
	capture_block_end(c);
}

/* ---- handing it to a source ---- */

const char *capture_path_n(const struct capture *c, size_t n, char path[64])
{
	int fd = memfd_create("capture", MFD_CLOEXEC);
	if (fd < 0)
		abort();
	for (size_t at = 0; at < n;) {
		ssize_t done = write(fd, c->bytes + at, n - at);
		if (done <= 0)
			abort();
		at += (size_t)done;
	}
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return path;
}

const char *capture_path(const struct capture *c, char path[64])
{
	return capture_path_n(c, c->n, path);
}

void capture_close_path(const char *path)
{
	close(atoi(strrchr(path, '/') + 1));
}

struct capture_read capture_read_paths(const char *const *paths, size_t n,
                                       const char *filter)
{
	struct capture_read r = {0};
	struct frame f;
	struct source_mark m;
	r.source = source_open_files(paths, n, &r.err);
	r.end = SOURCE_ERROR;
	if (!r.source || (filter && source_set_filter(r.source, filter, &r.err) < 0))
		return r;
	for (;;) {
		r.end = source_next(r.source, &f, &m, &r.err);
		if (r.end == SOURCE_FRAME) {
			if (r.frames < CAPTURE_KEPT) {
				r.frame[r.frames] = f;
				r.first_byte[r.frames] = f.caplen ? f.bytes[0] : 0;
			}
			r.frames++;
		} else if (r.end == SOURCE_MARK) {
			if (r.marks < CAPTURE_KEPT) {
				r.mark[r.marks] = m;
				r.frames_before[r.marks] = r.frames;
			}
			r.marks++;
		} else {
			return r;
		}
	}
}

struct capture_read capture_read(const struct capture *c)
{
	char path[64];
	const char *paths[] = {capture_path(c, path)};
	struct capture_read r = capture_read_paths(paths, 1, NULL);
	capture_close_path(path);
	return r;
}

bool capture_noted(const struct capture_read *r, const char *text)
{
	for (size_t i = 0; i < source_note_count(r->source); i++)
		if (strstr(source_note(r->source, i), text))
			return true;
	return false;
}
