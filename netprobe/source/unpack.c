#include "netprobe/source/unpack.h"

#include <archive.h>
#include <archive_entry.h>

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unpack {
	struct archive *archive;
	unpack_read_fn *read;
	void *ctx;
	size_t first; /* bytes in packed that wait to be given out */
	uint8_t packed[UNPACK_BLOCK];
};

static const struct magic {
	const char *name;
	uint8_t n, bytes[UNPACK_MAGIC_BYTES];
} magics[] = {
        {"gzip", 2, {0x1f, 0x8b}},
        {"zstd", 4, {0x28, 0xb5, 0x2f, 0xfd}},
        {"lz4", 4, {0x04, 0x22, 0x4d, 0x18}},
        {"xz", 6, {0xfd, '7', 'z', 'X', 'Z', 0}},
        {"bzip2", 3, {'B', 'Z', 'h'}},
        {"compress", 2, {0x1f, 0x9d}},
        {"lzip", 4, {'L', 'Z', 'I', 'P'}},
};

const char *unpack_recognise(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (n >= magics[i].n &&
		    memcmp(bytes, magics[i].bytes, magics[i].n) == 0)
			return magics[i].name;
	return NULL;
}

static la_ssize_t give_packed(struct archive *a, void *ctx, const void **bytes)
{
	struct unpack *u = ctx;
	*bytes = u->packed;
	if (u->first > 0) {
		size_t n = u->first;
		u->first = 0;
		return (la_ssize_t)n;
	}
	ssize_t n = u->read(u->ctx, u->packed, sizeof u->packed);
	if (n < 0)
		archive_set_error(a, EIO, "read error");
	return n;
}

static void tell(struct archive *a, char why[static 160])
{
	const char *text = archive_error_string(a);
	snprintf(why, 160, "%s", text ? text : "unknown error of libarchive");
}

struct unpack *unpack_new(const uint8_t *first, size_t n, unpack_read_fn *read,
                          void *ctx, char why[static 160])
{
	assert(n <= UNPACK_BLOCK);
	struct unpack *u = malloc(sizeof *u);
	if (!u) {
		snprintf(why, 160, "out of memory");
		return NULL;
	}
	u->read = read;
	u->ctx = ctx;
	u->first = n;
	memcpy(u->packed, first, n);
	u->archive = archive_read_new();
	if (!u->archive) {
		snprintf(why, 160, "out of memory");
		free(u);
		return NULL;
	}
	archive_read_support_filter_all(u->archive);
	archive_read_support_format_raw(u->archive);
	archive_read_support_format_empty(u->archive);
	struct archive_entry *entry;
	if (archive_read_open2(u->archive, u, NULL, give_packed, NULL, NULL) <
	            ARCHIVE_WARN ||
	    archive_read_next_header(u->archive, &entry) < ARCHIVE_WARN) {
		tell(u->archive, why);
		unpack_free(u);
		return NULL;
	}
	return u;
}

void unpack_free(struct unpack *u)
{
	if (!u)
		return;
	archive_read_free(u->archive);
	free(u);
}

ssize_t unpack_read(struct unpack *u, uint8_t *to, size_t room, char why[static 160])
{
	la_ssize_t n = archive_read_data(u->archive, to, room);
	if (n >= 0)
		return n;
	tell(u->archive, why);
	return -1;
}

const char *unpack_library_version(void)
{
	return archive_version_details();
}
