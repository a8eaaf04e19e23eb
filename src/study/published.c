#include "src/study/published.h"

#include <stdio.h>
#include <string.h>

const struct published *const published_table[] = {
        &published_atm_1995, &published_inode_2002, &published_namei_2002,
        &published_cvs_2000, NULL};

static int add(struct source *s, const struct published_figure *p)
{
	const struct phase_kind *kind = phase_kind_find(p->phase);
	struct figure f = {.size = (uint64_t)p->mib << 20,
	                   .unit = kind ? kind->unit : UNIT_SECONDS,
	                   .cpu = p->cpu,
	                   .failed = p->failed};
	snprintf(f.phase, sizeof f.phase, "%s", p->phase);
	snprintf(f.part, sizeof f.part, "%s", p->part);
	snprintf(f.setting, sizeof f.setting, "%s", p->setting);
	snprintf(f.cache, sizeof f.cache, "%s", p->cache);
	struct figure *at = source_figure(s, &f);
	return at ? figure_add(at, p->value) : -1;
}

int published_open(struct source *s, const char *name, struct err *e)
{
	const struct published *p = NULL;
	for (size_t i = 0; published_table[i]; i++)
		if (strcmp(name, published_table[i]->name) == 0)
			p = published_table[i];
	if (!p)
		return err_set(e, ERR_USAGE,
		               "no published result '%s'; `cellbench list published` "
		               "tells their names",
		               name);
	s->kind = "published";
	json_object_set_new(s->facts, "published", json_string(p->where));
	for (size_t i = 0; i < p->nfacts; i++)
		json_object_set_new(s->facts, p->facts[i].name,
		                    json_string(p->facts[i].text));
	for (size_t i = 0; i < p->nfigures; i++)
		if (add(s, &p->figures[i]) < 0)
			return err_set(e, ERR_ENVIRONMENT, "out of memory");
	return 0;
}
