/* Which figure of one side is held against which of the other. */
#ifndef STUDY_MATCH_H
#define STUDY_MATCH_H

#include "src/study/compare.h"

struct match {
	const struct figure *a, *b;
};

/* The pairs, in the order of the side that has fewer figures: of those of the same
 * phase the one whose cache state, setting and size are nearest.  Known cache states
 * never differ; a figure of unknown state is held against one of each.  NULL where
 * memory is out; to be freed. */
struct match *match_sides(const struct side *a, const struct side *b, size_t *n);

/* The figures of `side` that are in no pair, at most `room` of them; how many there
 * are. */
size_t match_left(const struct side *side, const struct match *pairs, size_t n,
                  const struct figure **out, size_t room);

#endif
