#include "netprobe/report/paint.h"

#include <stdbool.h>
#include <string.h>

#define BOLD "\033[1m"
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

static const struct {
	const char *begin, *color;
} marked[] = {
        {"ended early:", RED},
        {"note:", YELLOW},
};

static const char *color_of(const char *line, bool head)
{
	for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
		if (strncmp(line, marked[i].begin, strlen(marked[i].begin)) == 0)
			return marked[i].color;
	return head ? BOLD : NULL;
}

void paint(const char *text, FILE *out)
{
	bool head = true;
	while (*text) {
		size_t n = strcspn(text, "\n");
		const char *color = n ? color_of(text, head) : NULL;
		if (color)
			fputs(color, out);
		fwrite(text, 1, n, out);
		if (color)
			fputs(PLAIN, out);
		head = n == 0;
		text += n;
		if (*text)
			fputc(*text++, out);
	}
}
