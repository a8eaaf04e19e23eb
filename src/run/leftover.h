/* What a run that was killed left in its work folder. */
#ifndef RUN_LEFTOVER_H
#define RUN_LEFTOVER_H

#include "src/run/run.h"

/* Removes the work folder of r, which was loaded from r->dir, and what its engine
 * left in the run directory; a run that was under way is interrupted from then on.
 * Only what the run made: a folder that holds anything else is refused whole, with
 * ERR_FINDINGS.  1 where something was removed, 0 where nothing was left, -1 and e. */
int leftover_remove(struct run *r, struct err *e);

#endif
