/* What was different between two results, and what makes them hard to compare. */
#ifndef STUDY_CONDITIONS_H
#define STUDY_CONDITIONS_H

#include "src/study/compare.h"
#include "src/study/match.h"

/* Facts that both tell, and tell differently; of two results of one kind also those
 * that only one tells.  An array of {"name", "a", "b"}; null where not told. */
json_t *conditions_differences(const struct source *a, const struct source *b);

/* An array of sentences. */
json_t *conditions_warnings(const struct comparison *c, const struct match *pairs,
                            size_t n);

#endif
