/* The live screen (ncurses): a page a second until q is pressed. */
#ifndef REPORT_SCREEN_H
#define REPORT_SCREEN_H

#include "netprobe/report/result.h"
#include "src/base/err.h"

#include <stdbool.h>

struct screen;

/* Takes over the controlling terminal; ERR_USAGE where there is none.  Standard input
 * and output are not touched: a capture may come from one, the report go to the other.
 */
struct screen *screen_open(struct err *err);

/* Shows a page of what is known now.  -1 where memory is out. */
int screen_show(struct screen *s, const struct result *r, struct err *err);

/* True once somebody has pressed q. */
bool screen_quit(struct screen *s);

/* Gives the terminal back; NULL is harmless. */
void screen_close(struct screen *s);

#endif
