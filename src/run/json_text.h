/* JSON for people too: indented, but lists of numbers in one line. */
#ifndef RUN_JSON_TEXT_H
#define RUN_JSON_TEXT_H

#include <jansson.h>
#include <stdio.h>

/* To be freed; NULL where memory is out. */
char *json_text(const json_t *o);

/* The same to a file, with an end of line.  0, or -1. */
int json_text_print(const json_t *o, FILE *out);

#endif
