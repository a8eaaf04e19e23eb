#include "netprobe/track/alone.h"

#include <string.h>

#define ALONE 4096u /* hosts and points */

static void leaves(void *ctx, void *entry)
{
	struct alone *a = entry;
	(void)ctx;
	sizes_free(&a->size);
}

struct table *alone_table_new(void)
{
	return table_new(sizeof(struct alone_key), sizeof(struct alone), ALONE, leaves,
	                 NULL);
}

void alone_table_free(struct table *t)
{
	for (struct alone *a = NULL; t && (a = table_next(t, a));)
		leaves(NULL, a);
	table_free(t);
}

bool alone_take(struct table *t, const struct addr *src, const struct addr *dst,
                uint32_t kind, const struct sighting *s, uint32_t size)
{
	struct alone_key k;
	bool made;
	if (s->part || s->super)
		return true;
	memset(&k, 0, sizeof k);
	k.src = *src;
	k.dst = *dst;
	k.iface = s->iface;
	k.kind = kind;
	struct alone *a = table_get(t, &k, &made);
	if (!a)
		return false;
	if (made || s->ns < a->first_ns)
		a->first_ns = s->ns;
	if (made || s->ns > a->last_ns)
		a->last_ns = s->ns;
	if (made || s->frame < a->first_frame)
		a->first_frame = s->frame;
	sizes_add(&a->size, size, 1);
	return true;
}
