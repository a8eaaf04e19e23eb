/* Makes what a phase is going to use leave the client's cache, and says what
 * shows that it left. */
#ifndef CACHE_COLD_H
#define CACHE_COLD_H

#include "src/engine/engine.h"

/* Drops the file by the engine's means.  A file that does not exist needs no
 * dropping; an engine that cannot drop, or fails to, leaves proven false and
 * the reason in proof: the caller labels the phase, never skips it silently. */
void cold_make(const struct engine *en, const char *path, struct engine_drop *out);

#endif
