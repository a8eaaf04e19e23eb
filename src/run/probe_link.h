/* The driver's end of the control protocol with `netprobe record --control`
 * (doc/design.md): starts the probe, marks phases, collects its result. */
#ifndef RUN_PROBE_LINK_H
#define RUN_PROBE_LINK_H

#include <stdint.h>

#include "src/base/err.h"

struct probe_link;

struct probe_config {
	const char *interfaces; /* IF[,IF…]; NULL: no probe */
	const char *via;        /* shell words before netprobe, or NULL */
	const char *options; /* further words for netprobe, parted by blanks, or NULL */
	const char *program; /* NULL: netprobe beside this program, else in $PATH */
	int ready_ms, mark_ms, done_ms; /* deadlines, 0: the defaults */
};

/* Starts the probe, which writes capture.pcapng and probe.json into run_dir,
 * and waits until its capture runs.  0, or -1 and e. */
int probe_link_start(struct probe_link **out, const struct probe_config *c,
                     const char *run_dir, struct err *e);

/* Marks the begin or the end of phase id; the name has no blank.  Returns when
 * the mark is acknowledged: 0, or -1 and e, after which the probe is gone. */
int probe_link_begin(struct probe_link *p, int id, int64_t real_ns, const char *name,
                     struct err *e);
int probe_link_end(struct probe_link *p, int id, int64_t real_ns, struct err *e);

/* Lets the probe finish its files.  0, or -1 and e. */
int probe_link_finish(struct probe_link *p, struct err *e);

/* Ends the probe if it still runs and frees p; NULL is harmless. */
void probe_link_close(struct probe_link *p);

#endif
