/* Makes what a phase is going to use leave the client's cache, and says what
 * shows that it left.  The server's cache is another matter: it is told apart in
 * the record, and touched by a command of the user only. */
#ifndef CACHE_COLD_H
#define CACHE_COLD_H

#include <signal.h>
#include <stdbool.h>

#include "src/engine/engine.h"

enum cold_method {
	COLD_ENGINE,      /* the engine's: flushvolume, posix_fadvise */
	COLD_FLUSH,       /* engine afs: flush of each file */
	COLD_FS,          /* `fs flushvolume` of a mounted AFS */
	COLD_DROP_CACHES, /* of the whole machine; root */
	COLD_COMMAND,     /* of the user: a remount, a restart of the client */
	COLD_NONE,        /* nothing is done, and cold is not claimed */
	COLD_METHOD_COUNT
};

extern const char *const cold_method_names[COLD_METHOD_COUNT];

struct cache_config {
	enum cold_method method;
	const char *command;        /* of COLD_COMMAND, for sh -c */
	const char *server_command; /* run as well before a cold phase; or NULL */
};

/* What is to become cold. */
struct cache_place {
	const struct engine *engine;
	const char *dir;  /* the work folder */
	const char *file; /* all there is in it; NULL: any number of files */
	const char *log;  /* what commands print is appended there; or NULL */
	bool names;       /* names and attributes must leave as well */
	const volatile sig_atomic_t *stop;
};

/* Drops the file by the engine's means.  A file that does not exist needs no
 * dropping; an engine that cannot drop, or fails to, leaves proven false and
 * the reason in proof: the caller labels the phase, never skips it silently. */
void cold_make(const struct engine *en, const char *path, struct engine_drop *out);

/* The same by the method of c for all of a place. */
void cold_apply(const struct cache_config *c, const struct cache_place *p,
                struct engine_drop *out);

/* What was done to the server's cache before a cold phase, as a sentence: "not
 * touched", or the command and how it ended. */
void cold_server(const struct cache_config *c, const struct cache_place *p, char *text,
                 size_t size);

/* What the client's cache holds of a place, as a sentence; *all: everything.
 * False where the engine cannot tell. */
bool cache_residency(const struct cache_place *p, bool *all, char *text, size_t size);

#endif
