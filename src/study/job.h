/* A job file: an INI file whose sections are runs of cellbench.
 *
 *     [global]            holds for the sections behind it
 *     [run NAME]          one run; NAME may be left out
 *     OPTION = VALUE      as --OPTION=VALUE of `cellbench run`; an option may stand
 *                         there several times if the command line may have it so
 *     OPTION = yes        a switch; "no" leaves it out
 *     dir = DIR           the folder to work in
 *
 * A line that begins with a blank goes on with the one before, behind a blank too
 * unless that ends with a comma.  "#" and ";" begin a
 * comment, the latter also behind a value and a blank. */
#ifndef STUDY_JOB_H
#define STUDY_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"

struct job_section {
	char name[64]; /* "cold" of [run cold]; "" */
	int line;      /* of its heading */
	char **words;  /* "--size=1G" …, owned; one without dashes is the folder */
	size_t n;
};

struct job {
	struct job_section *sections;
	size_t n;
	struct job_section global;
};

/* Reads the file and checks every key and value by itself.  0, or -1 and e, which
 * then names file, line and key; either way job_fini is due. */
int job_load(struct job *j, const char *path, struct err *e);
void job_fini(struct job *j);

/* The command line of section i, ended by NULL: argv[0], the section's words, then
 * the other words of argv but "--job FILE", so that what the user types wins; a
 * folder among those (has_dir) replaces the section's.  The array is to be freed, not
 * its words.  NULL where memory is out. */
char **job_argv(const struct job *j, size_t i, int argc, char **argv, bool has_dir,
                int *n);

#endif
