#include "src/study/source_bonnie.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bonnie_number(const char *text, double *out)
{
	static const struct suffix {
		char name;
		double factor;
	} suffixes[] = {{'\0', 1}, {'k', 1}, {'m', 1024}, {'g', 1048576}};
	if (text[0] < '0' || text[0] > '9')
		return false;
	char *end;
	*out = strtod(text, &end);
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (*end == suffixes[i].name && (*end == '\0' || end[1] == '\0')) {
			*out *= suffixes[i].factor;
			return true;
		}
	return false;
}

uint64_t bonnie_size(const char *text)
{
	static const char units[] = "MGT";
	if (text[0] < '0' || text[0] > '9')
		return 0;
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	const char *unit = *end && *end != ':' ? strchr(units, *end) : units;
	if (!unit || n == 0 || n >= UINT64_C(1) << 23)
		return 0;
	end += *end && *end != ':';
	if (*end != '\0' && *end != ':')
		return 0;
	return n << (20 + 10 * (unit - units));
}

int bonnie_add_row(struct source *s, const struct bonnie_row *row,
                   const char *const field[12], unsigned *missing)
{
	for (int i = 0; i < 6; i++) {
		const char *rate = field[2 * i], *cpu = field[2 * i + 1];
		double value = 0, percent;
		if (rate[0] == '\0' || strcmp(rate, "-") == 0)
			continue;
		const struct phase_kind *kind = phase_kind_find(row->phases[i]);
		struct figure f = {.size = row->size, .unit = kind->unit, .cpu = -1};
		snprintf(f.phase, sizeof f.phase, "%s", row->phases[i]);
		snprintf(f.part, sizeof f.part, "%s", row->part);
		snprintf(f.cache, sizeof f.cache, "%s", row->cache);
		f.doubt = row->doubt;
		if (bonnie_number(cpu, &percent))
			f.cpu = percent;
		if (!bonnie_number(rate, &value) || !(value > 0))
			++*missing;
		struct figure *at = source_figure(s, &f);
		if (!at || figure_add(at, value) < 0)
			return -1;
		at->cpu = f.cpu;
	}
	return 0;
}

void bonnie_note_missing(struct source *s, unsigned missing)
{
	char text[160];
	if (missing == 0)
		return;
	snprintf(text, sizeof text,
	         "%u figures are missing: bonnie++ prints + signs where a phase was "
	         "too short to be measured",
	         missing);
	json_array_append_new(s->notes, json_string(text));
	s->partial = true;
}
