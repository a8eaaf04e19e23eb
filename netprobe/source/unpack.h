/* Compressed input, recognised by its first bytes and unpacked by libarchive. */
#ifndef SOURCE_UNPACK_H
#define SOURCE_UNPACK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define UNPACK_MAGIC_BYTES 6
#define UNPACK_BLOCK (512u << 10) /* compressed bytes taken at once */

/* Gives more compressed bytes: how many, 0 at the end, -1 on failure. */
typedef ssize_t unpack_read_fn(void *ctx, uint8_t *to, size_t room);

struct unpack;

/* Name of the compression that these first bytes tell, or NULL. */
const char *unpack_recognise(const uint8_t *bytes, size_t n);

/* Unpacks what read gives, after the n bytes that were read already
 * (copied; at most UNPACK_BLOCK).
 * NULL where memory is out or libarchive cannot unpack it: why tells.  read may
 * be called from then on, from the thread that calls unpack_read. */
struct unpack *unpack_new(const uint8_t *first, size_t n, unpack_read_fn *read,
                          void *ctx, char why[static 160]);
void unpack_free(struct unpack *u); /* NULL is harmless */

/* Fills up to room bytes: how many, 0 at the end, -1 with why on failure. */
ssize_t unpack_read(struct unpack *u, uint8_t *to, size_t room, char why[static 160]);

/* "libarchive 3.6.2 zlib/1.2.13 …" */
const char *unpack_library_version(void);

#endif
