/* The lab that a study raises: what of it a cell needs, and no more changes than
 * that. */
#ifndef STUDY_STUDY_LAB_H
#define STUDY_STUDY_LAB_H

#include <signal.h>

#include "src/study/study.h"

/* Where the lab's state is, unless CELLBENCH_LAB says another place. */
#define STUDY_LAB "/run/cellbench/study"

struct study_lab {
	bool up;
	char *raised;    /* options that it was raised with */
	char *restarted; /* options that its servers run with */
};

/* Names the lab in the environment, for all that is started from here. */
void study_lab_name(void);

/* Makes the lab what the cell needs: raises it, or restarts its servers with other
 * options.  0, or -1 and e; the lab is then to be taken down. */
int study_lab_need(struct study_lab *l, const struct study *s, const struct cell *c,
                   const volatile sig_atomic_t *stop, struct err *e);

/* Takes it down, if it was raised.  0, or -1 and e. */
int study_lab_down(struct study_lab *l, const struct study *s, struct err *e);

/* The process of the file server, 0 where it is not known. */
long study_lab_fileserver(void);

/* "SELF lab up …", as it would be for this cell; to be freed. */
char *study_lab_up_command(const struct study *s, const struct cell *c);

/* text as one word of a shell; to be freed. */
char *study_quote(const char *text);

/* This program, as a word of a shell; to be freed. */
char *study_self(void);

#endif
