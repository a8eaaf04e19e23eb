/* Reads captures through netprobe's source and does nothing with the frames:
 * what reading alone costs.  read_source FILE… [-f EXPRESSION]
 * Prints frames, captured bytes, wire bytes, and what was odd. */
#include "netprobe/source/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *filter = NULL;
	const char *paths[256] = {NULL};
	size_t n = 0;
	for (int i = 1; i < argc && n < 256; i++) {
		if (strcmp(argv[i], "-f") == 0 && i + 1 < argc)
			filter = argv[++i];
		else
			paths[n++] = argv[i];
	}
	struct err err = {0};
	struct source *s = source_open_files(paths, n, &err);
	if (!s || (filter && source_set_filter(s, filter, &err) < 0)) {
		fprintf(stderr, "%s\n", err.text);
		source_close(s);
		return (int)err.code;
	}
	struct frame f;
	struct source_mark m;
	uint64_t frames = 0, caplen = 0, wirelen = 0, last = 0, marks = 0;
	enum source_event e;
	while ((e = source_next(s, &f, &m, &err)) == SOURCE_FRAME || e == SOURCE_MARK) {
		if (e == SOURCE_MARK) {
			marks++;
			continue;
		}
		frames++;
		caplen += f.caplen;
		wirelen += f.wirelen;
		last = f.number;
	}
	printf("frames %" PRIu64 " caplen %" PRIu64 " wirelen %" PRIu64 " last %" PRIu64
	       " marks %" PRIu64 " ifaces %zu\n",
	       frames, caplen, wirelen, last, marks, source_iface_count(s));
	for (size_t i = 0; i < source_note_count(s); i++)
		printf("note: %s\n", source_note(s, i));
	for (size_t i = 0; i < source_cut_count(s); i++)
		printf("cut: %s at %" PRIu64 " behind %" PRIu64 " frames: %s\n",
		       source_cut(s, i)->file, source_cut(s, i)->offset,
		       source_cut(s, i)->frames, source_cut(s, i)->why);
	if (e == SOURCE_ERROR)
		fprintf(stderr, "%s\n", err.text);
	source_close(s);
	return (int)err.code;
}
