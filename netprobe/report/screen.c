#include "netprobe/report/screen.h"

#include "netprobe/report/screen_page.h"

#include <curses.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FLOWS_SHOWN 8

struct screen {
	FILE *tty; /* whatever standard input and output are */
	SCREEN *curses;
	struct screen_past *past;
	bool quit;
};

struct screen *screen_open(struct err *err)
{
	struct screen *s = calloc(1, sizeof *s);
	if (!s || !(s->past = screen_past_new())) {
		err_set(err, ERR_ENVIRONMENT, "out of memory");
	} else if (!(s->tty = fopen("/dev/tty", "r+e"))) {
		err_set(err, ERR_USAGE, "--screen needs a terminal: /dev/tty: %s",
		        strerror(errno));
	} else if (!(s->curses = newterm(NULL, s->tty, s->tty))) {
		const char *term = getenv("TERM");
		err_set(err, ERR_USAGE, "--screen: terminal type '%s' is not known",
		        term ? term : "");
	} else {
		cbreak();
		noecho();
		nodelay(stdscr, TRUE);
		curs_set(0);
		return s;
	}
	screen_close(s);
	return NULL;
}

/* Heads, the first line and those after an empty one, are bold. */
static void put_lines(const char *text)
{
	int row = 0, rows = getmaxy(stdscr), columns = getmaxx(stdscr);
	bool head = true;
	erase();
	while (*text && row < rows - 1) {
		int n = (int)strcspn(text, "\n");
		attrset(head ? A_BOLD : A_NORMAL);
		mvaddnstr(row++, 0, text, n < columns ? n : columns);
		head = n == 0;
		text += n + (text[n] == '\n');
	}
	attrset(A_NORMAL);
	mvaddnstr(rows - 1, 0, "q: quit with the report", columns);
	refresh();
}

int screen_show(struct screen *s, const struct result *r, struct err *err)
{
	char *text = NULL;
	size_t size;
	FILE *page = open_memstream(&text, &size);
	int rc = page ? screen_page(s->past, r, FLOWS_SHOWN, page) : -1;
	if (page && fclose(page) != 0)
		rc = -1;
	if (rc != 0)
		err_set(err, ERR_ENVIRONMENT, "out of memory for the screen");
	else
		put_lines(text);
	free(text);
	return rc;
}

bool screen_quit(struct screen *s)
{
	for (int key; (key = getch()) != ERR;)
		s->quit = s->quit || key == 'q' || key == 'Q';
	return s->quit;
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	if (s->curses) {
		endwin();
		delscreen(s->curses);
	}
	if (s->tty)
		fclose(s->tty);
	screen_past_free(s->past);
	free(s);
}
