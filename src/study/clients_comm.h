/* Messages between the ranks of a run with several clients: Open MPI where it was
 * built in and mpirun (or srun) started this process, else one rank that talks to
 * nobody.  Messages are lines of text and arrive in order. */
#ifndef STUDY_CLIENTS_COMM_H
#define STUDY_CLIENTS_COMM_H

#include <stdbool.h>

#include "src/base/err.h"

struct comm {
	int rank, size;
	bool mpi;
};

/* 0, or -1 and e: started as one of several ranks, and there is no MPI built in. */
int comm_start(struct comm *c, struct err *e);

/* Does not wait for the receiver where the text is short. */
void comm_send(const struct comm *c, int to, const char *text);

/* The next message, to be freed, and who sent it; NULL where none is there. */
char *comm_receive(const struct comm *c, int *from);

/* whole: no rank is dead.  With a dead one, MPI cannot end in order: then this
 * process is ended here and now with the exit code. */
void comm_stop(const struct comm *c, bool whole, int code);

/* "Open MPI 4.1.4", or NULL where it is not built in. */
const char *comm_version(void);

#endif
