/* Builds capture files byte by byte, in either byte order, and lends them a path
 * that a source can open without a file on any disk. */
#ifndef TESTS_CAPTURE_BUILD_H
#define TESTS_CAPTURE_BUILD_H

#include "netprobe/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPTURE_MICRO 0xa1b2c3d4u
#define CAPTURE_NANO 0xa1b23c4du
#define CAPTURE_MODIFIED 0xa1b2cd34u
#define CAPTURE_PATHS 16u

struct capture {
	uint8_t *bytes;
	size_t n, room;
	bool big;       /* byte order of the numbers put from here on */
	size_t block;   /* where the pcapng block being built begins */
	uint32_t magic; /* of a pcap */
};

void capture_free(struct capture *c);
void capture_put(struct capture *c, const void *bytes, size_t n);
void capture_u16(struct capture *c, unsigned v);
void capture_u32(struct capture *c, uint32_t v);
void capture_u64(struct capture *c, uint64_t v);

/* ---- pcap ---- */
void capture_pcap(struct capture *c, uint32_t magic, bool big, uint32_t snaplen,
                  uint32_t link_type);
/* A packet of n bytes of the value `fill`. */
void capture_packet(struct capture *c, uint32_t sec, uint32_t fraction, uint32_t n,
                    uint32_t wirelen, uint8_t fill);

/* ---- pcapng ---- */
void capture_block(struct capture *c, uint32_t type);
void capture_block_end(struct capture *c);
void capture_option(struct capture *c, unsigned code, const void *bytes, size_t n);
void capture_comment(struct capture *c, const char *text);
void capture_section(struct capture *c, bool big);
/* An interface without options but its name (NULL = none) and if_tsresol
 * (0 = none). */
void capture_iface(struct capture *c, unsigned link_type, uint32_t snaplen,
                   const char *name, uint8_t tsresol);
void capture_enhanced(struct capture *c, uint32_t iface, uint64_t units, uint32_t n,
                      uint32_t wirelen, uint8_t fill);
/* A statistics block with a comment (NULL = none) and received/dropped
 * (UINT64_MAX = not told). */
void capture_statistics(struct capture *c, uint32_t iface, const char *comment,
                        uint64_t received, uint64_t dropped);

/* ---- handing it to a source ---- */

/* The first n bytes as a file; the path is good until capture_close_path. */
const char *capture_path_n(const struct capture *c, size_t n, char path[64]);
const char *capture_path(const struct capture *c, char path[64]);
void capture_close_path(const char *path);

/* What came out of a source, to the end. */
#define CAPTURE_KEPT 64u
struct capture_read {
	struct source *source; /* for notes, cuts, interfaces */
	uint64_t frames, marks;
	enum source_event end;
	struct err err;
	struct frame frame[CAPTURE_KEPT]; /* the first ones; bytes are not kept */
	uint8_t first_byte[CAPTURE_KEPT];
	struct source_mark mark[CAPTURE_KEPT];
	uint64_t frames_before[CAPTURE_KEPT]; /* the mark */
};

/* Reads paths to the end; source is NULL where they cannot be opened. */
struct capture_read capture_read_paths(const char *const *paths, size_t n,
                                       const char *filter);
struct capture_read capture_read(const struct capture *c);

/* Is there a note that has this text in it? */
bool capture_noted(const struct capture_read *r, const char *text);

#endif
