/* Writes a pcapng file: doc/design.md, "The capture that record writes". */
#ifndef SOURCE_PCAPNG_WRITE_H
#define SOURCE_PCAPNG_WRITE_H

#include "netprobe/source/source.h"

struct pcapng_writer;

/* Takes over fd (open for writing) and writes the section header; path is for
 * messages, application names the program. */
struct pcapng_writer *pcapng_writer_new(int fd, const char *path,
                                        const char *application, struct err *err);

/* All blocks go through one buffer.  The first error stays, later calls do
 * nothing: pcapng_writer_flush tells it.  What was written before ends with a
 * whole block. */
void pcapng_write_iface(struct pcapng_writer *w, const struct source_iface *i);
void pcapng_write_frame(struct pcapng_writer *w, const struct frame *f);

/* Statistics of interface number iface: the counters that s has, at time_ns.
 * start_ns 0 = not told; mark NULL = none; with s->has_kernel the kernel's
 * counters go into a comment. */
void pcapng_write_statistics(struct pcapng_writer *w, uint32_t iface,
                             const struct source_iface *s, int64_t time_ns,
                             int64_t start_ns, const struct source_mark *mark);

int pcapng_writer_flush(struct pcapng_writer *w, struct err *err);
uint64_t pcapng_writer_bytes(const struct pcapng_writer *w); /* in the file so far */

/* Flushes, closes, frees; -1 with err where the file is not whole. */
int pcapng_writer_close(struct pcapng_writer *w, struct err *err);

#endif
