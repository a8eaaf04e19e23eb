/* What a job sets for a cell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/study/study_job.h"

void study_job_fini(struct study_job *j)
{
	for (size_t i = 0; i < j->nsettings; i++)
		free(j->settings[i].text);
	for (size_t i = 0; i < j->nstrings; i++)
		free(j->strings[i]);
	free(j->settings);
	free(j->strings);
	free(j->text);
	free(j->question);
	free(j->hosts);
	matrix_fini(&j->matrix);
	*j = (struct study_job){0};
}

/* The setting of this axis (-1: of all cells) that holds for the cell, or NULL. */
static const char *setting_of(const struct study_job *j, const struct cell *c, int axis,
                              enum setting key)
{
	for (size_t i = 0; i < j->nsettings; i++) {
		const struct study_setting *s = &j->settings[i];
		if (s->axis == axis && s->key == key &&
		    (axis < 0 || strcmp(s->value, c->value[axis]) == 0))
			return s->text;
	}
	return NULL;
}

const char *study_job_get(const struct study_job *j, const struct cell *c,
                          enum setting key)
{
	const char *found = NULL;
	for (int axis = -1; axis < AXIS_COUNT; axis++) {
		const char *text = setting_of(j, c, axis, key);
		if (text)
			found = text;
	}
	return found;
}

char *study_job_all(const struct study_job *j, const struct cell *c, enum setting key,
                    const char *sep)
{
	char *all = strdup("");
	for (int axis = -1; all && axis < AXIS_COUNT; axis++) {
		const char *text = setting_of(j, c, axis, key);
		char *more = NULL;
		if (!text)
			continue;
		if (asprintf(&more, "%s%s%s", all, all[0] ? sep : "", text) < 0)
			more = NULL;
		free(all);
		all = more;
	}
	return all;
}
