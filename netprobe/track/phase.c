#include "netprobe/track/phase.h"

#include <stdio.h>
#include <stdlib.h>

int phases_begin(struct phases *p, uint32_t id, const char *name, int64_t time_ns)
{
	if (id == 0)
		return 0;
	struct phase *list = realloc(p->list, (p->count + 1) * sizeof *list);
	if (!list)
		return -1;
	p->list = list;
	struct phase *made = &list[p->count];
	*made = (struct phase){.id = id, .begin_ns = time_ns, .end_ns = INT64_MAX};
	snprintf(made->name, sizeof made->name, "%s", name);
	p->count++;
	return 0;
}

void phases_end(struct phases *p, uint32_t id, int64_t time_ns)
{
	for (size_t i = p->count; i-- > 0;) {
		if (p->list[i].id == id) {
			p->list[i].end_ns = time_ns;
			return;
		}
	}
}

static bool covers(const struct phase *ph, int64_t t)
{
	return t >= ph->begin_ns && t <= ph->end_ns;
}

uint32_t phases_at(struct phases *p, int64_t time_ns)
{
	if (p->count == 0)
		return 0;
	if (covers(&p->list[p->current], time_ns))
		return p->list[p->current].id;
	for (size_t i = p->count; i-- > 0;) {
		if (covers(&p->list[i], time_ns)) {
			p->current = i;
			return p->list[i].id;
		}
	}
	return 0;
}

void phases_clear(struct phases *p)
{
	free(p->list);
	*p = (struct phases){0};
}
