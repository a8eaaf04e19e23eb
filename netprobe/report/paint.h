/* Colour for people on a terminal: a finished text report, line by line. */
#ifndef REPORT_PAINT_H
#define REPORT_PAINT_H

#include <stdio.h>

/* Copies text to out with escape sequences: heads (the first line after an empty
 * one) bold, what needs attention ("ended early:", "note:") in colour. */
void paint(const char *text, FILE *out);

#endif
