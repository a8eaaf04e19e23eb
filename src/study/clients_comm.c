#include "src/study/clients_comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_MPI
#include <mpi.h>
#endif

enum { TAG = 1995 };

/* What mpirun and srun (by PMIx or PMI) give to each process that they start, and
 * nothing else sets. */
static const char *const starter_names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                            "PMI_RANK"};

static bool is_rank(void)
{
	for (size_t i = 0; i < sizeof starter_names / sizeof *starter_names; i++)
		if (getenv(starter_names[i]))
			return true;
	return false;
}

#ifdef HAVE_MPI

const char *comm_version(void)
{
	return "Open MPI";
}

int comm_start(struct comm *c, struct err *e)
{
	int provided = 0;
	*c = (struct comm){.size = 1};
	if (!is_rank())
		return 0;
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
		return err_set(e, ERR_ENVIRONMENT, "MPI could not be started");
	/* A dead rank is told by its silence, not by the end of all others. */
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &c->size);
	c->mpi = true;
	return 0;
}

void comm_send(const struct comm *c, int to, const char *text)
{
	if (c->mpi && to != c->rank)
		MPI_Send(text, (int)strlen(text), MPI_CHAR, to, TAG, MPI_COMM_WORLD);
}

char *comm_receive(const struct comm *c, int *from)
{
	int there = 0, n = 0;
	MPI_Status status;
	if (!c->mpi)
		return NULL;
	if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) !=
	            MPI_SUCCESS ||
	    !there)
		return NULL;
	MPI_Get_count(&status, MPI_CHAR, &n);
	char *text = calloc(1, (size_t)n + 1);
	if (!text)
		return NULL;
	*from = status.MPI_SOURCE;
	if (MPI_Recv(text, n, MPI_CHAR, *from, TAG, MPI_COMM_WORLD, &status) ==
	    MPI_SUCCESS)
		return text;
	free(text);
	return NULL;
}

void comm_stop(const struct comm *c, bool whole, int code)
{
	if (!c->mpi)
		return;
	if (whole) {
		MPI_Finalize();
		return;
	}
	fflush(NULL);
	_exit(code);
}

#else

const char *comm_version(void)
{
	return NULL;
}

int comm_start(struct comm *c, struct err *e)
{
	*c = (struct comm){.size = 1};
	if (is_rank())
		return err_set(e, ERR_USAGE,
		               "ranks of mpirun need Open MPI, which was not built in; "
		               "install libopenmpi-dev and make again");
	return 0;
}

void comm_send(const struct comm *c, int to, const char *text)
{
	(void)c;
	(void)to;
	(void)text;
}

char *comm_receive(const struct comm *c, int *from)
{
	(void)c;
	(void)from;
	return NULL;
}

void comm_stop(const struct comm *c, bool whole, int code)
{
	(void)c;
	(void)whole;
	(void)code;
}

#endif
