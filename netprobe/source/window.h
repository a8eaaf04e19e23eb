/* A span of time that a capture is restricted to: --from and --to. */
#ifndef SOURCE_WINDOW_H
#define SOURCE_WINDOW_H

#include "src/base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* One end of the span. */
struct moment {
	enum { MOMENT_NONE, MOMENT_ABSOLUTE, MOMENT_RELATIVE } kind;
	int64_t ns; /* since 1970 UTC; RELATIVE: since the first frame */
};

struct window {
	struct moment from, to; /* from is in it, to is not */
	bool started;
	int64_t first_ns; /* time of the first frame asked about */
	uint32_t late;    /* frames in a row far behind the end */
};

/* A capture is over for a window when so many frames in a row are so far behind its
 * end: captures are a little out of order (several processors, several interfaces), and
 * single time stamps may be garbage. */
#define WINDOW_LATE_FRAMES 1024u
#define WINDOW_LATE_NS INT64_C(1000000000)

/* Reads "2024-10-27T00:59:59.5Z" (ISO 8601; a space for T, an offset such as +02:00
 * for Z; UTC where neither stands; the date alone is its midnight) or seconds from
 * the first frame ("12.5").  0, or -1 with ERR_USAGE in err; what names the option. */
int moment_parse(const char *text, const char *what, struct moment *m, struct err *err);

/* True if a frame of this time is inside; frames are asked about in the order of the
 * capture, whose first one is the zero of relative ends. */
bool window_holds(struct window *w, int64_t time_ns);

/* True once the frames asked about show that no other will be inside. */
bool window_is_over(const struct window *w);

/* True if the span is empty whatever the capture holds: two ends of one kind, the
 * later one first. */
bool window_is_empty(const struct window *w);

#endif
