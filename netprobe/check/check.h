/* One check: what it looks at, in which order, and the matrix that comes out. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "netprobe/check/matrix.h"
#include "netprobe/source/live.h"

struct check_options {
	struct peers
	        *peers; /* those that a capture shows are added where none is named */
	const char *cellservdb, *cell;       /* NULL = none; of this cell only */
	const char *expect;                  /* file of expectations; NULL = none */
	const char *capture;                 /* NULL = none */
	int64_t live_ns;                     /* capture for so long; 0 = do not */
	const char *ifaces[LIVE_IFACES_MAX]; /* to capture on; none = all that are up */
	size_t n_ifaces;
	bool progress;           /* say on standard error that it captures */
	struct matrix_options m; /* peers and wanted are filled in */
};

struct check {
	struct expectations wanted;
	struct host_iface *ifaces; /* owned; as the capture began */
	size_t n_ifaces;
	struct seen_list seen;
	struct watch *watch; /* owned; NULL = no live capture runs */
	int64_t until_ns;    /* of the live capture, on the monotonic clock */
	struct matrix matrix;
};

/* Looks at everything.  -1 (err set) where there is no matrix; check_free in any
 * case.  o must stay as long as c. */
int check_make(struct check *c, struct check_options *o, struct err *err);
void check_free(struct check *c);

#endif
