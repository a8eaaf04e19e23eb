#include "netprobe/diagnose/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *finding_severity_name(enum finding_severity s)
{
	static const char *const names[FINDING_SEVERITIES] = {"info", "warning",
	                                                      "error"};
	return s < FINDING_SEVERITIES ? names[s] : "unknown";
}

static bool is_about(const struct finding *f, enum finding_kind k, uint32_t iface,
                     const struct addr *from, const struct addr *to)
{
	if (f->kind != k || f->iface != iface || f->has_from != (from != NULL) ||
	    f->has_to != (to != NULL))
		return false;
	return (!from || addr_compare(&f->from, from) == 0) &&
	       (!to || addr_compare(&f->to, to) == 0);
}

const struct finding *findings_find(const struct findings *fs, enum finding_kind k,
                                    uint32_t iface, const struct addr *from,
                                    const struct addr *to)
{
	for (size_t i = 0; fs->of_kind[k] && i < fs->n; i++)
		if (is_about(&fs->list[i], k, iface, from, to))
			return &fs->list[i];
	return NULL;
}

static bool grow(struct findings *fs)
{
	if (fs->n < fs->room)
		return true;
	size_t room = fs->room ? 2 * fs->room : 8;
	struct finding *list = realloc(fs->list, room * sizeof *list);
	if (!list) {
		fs->starved = true;
		return false;
	}
	fs->list = list;
	fs->room = room;
	return true;
}

struct finding *findings_add(struct findings *fs, enum finding_kind k, uint32_t iface,
                             const struct addr *from, const struct addr *to)
{
	for (size_t i = 0; fs->of_kind[k] && i < fs->n; i++) {
		if (!is_about(&fs->list[i], k, iface, from, to))
			continue;
		fs->list[i].also++;
		return NULL;
	}
	if (fs->of_kind[k] == FINDINGS_OF_KIND) {
		fs->more[k]++;
		return NULL;
	}
	if (!grow(fs))
		return NULL;
	fs->of_kind[k]++;
	struct finding *f = &fs->list[fs->n++];
	*f = (struct finding){.kind = k,
	                      .severity = finding_about(k)->severity,
	                      .confidence = 1,
	                      .iface = iface,
	                      .has_from = from != NULL,
	                      .has_to = to != NULL};
	if (from)
		f->from = *from;
	if (to)
		f->to = *to;
	return f;
}

__attribute__((format(printf, 3, 0))) static void append(char *text, size_t size,
                                                         const char *fmt, va_list ap)
{
	size_t used = strlen(text);
	vsnprintf(text + used, size - used, fmt, ap);
}

void finding_say(struct finding *f, const char *fmt, ...)
{
	va_list ap;
	if (!f)
		return;
	va_start(ap, fmt);
	append(f->text, sizeof f->text, fmt, ap);
	va_end(ap);
}

void finding_mend(struct finding *f, const char *fmt, ...)
{
	va_list ap;
	if (!f)
		return;
	va_start(ap, fmt);
	append(f->remedy, sizeof f->remedy, fmt, ap);
	va_end(ap);
}

void finding_fact(struct finding *f, const char *name, uint64_t value)
{
	if (!f || f->facts == FINDING_FACTS)
		return;
	f->fact[f->facts].name = name;
	f->fact[f->facts++].value = value;
}

void finding_frames(struct finding *f, uint64_t first, uint64_t last)
{
	if (!f)
		return;
	f->first_frame = first;
	f->last_frame = last > first ? last : first;
}

static int by_weight(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	if (x->severity != y->severity)
		return x->severity > y->severity ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->iface != y->iface)
		return x->iface < y->iface ? -1 : 1;
	int from = addr_compare(&x->from, &y->from);
	return from ? from : addr_compare(&x->to, &y->to);
}

void findings_sort(struct findings *fs)
{
	if (fs->n)
		qsort(fs->list, fs->n, sizeof *fs->list, by_weight);
}

int findings_worst(const struct findings *fs)
{
	int worst = -1;
	for (size_t i = 0; i < fs->n; i++)
		if ((int)fs->list[i].severity > worst)
			worst = (int)fs->list[i].severity;
	return worst;
}

void findings_free(struct findings *fs)
{
	free(fs->list);
	*fs = (struct findings){0};
}
