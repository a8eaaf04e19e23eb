/* Findings that differ only in one end, as one for each client of a server: people read
 * them as one. */
#ifndef REPORT_FINDING_GROUP_H
#define REPORT_FINDING_GROUP_H

#include "netprobe/diagnose/finding.h"

struct finding_group {
	const struct finding *const *member; /* at least one, in the findings' order */
	size_t n;
	bool by_source; /* it is `from` that differs, else `to` */
};

struct finding_groups {
	struct finding_group *list; /* owned; by their first members' order */
	size_t n;
	const struct finding **members; /* owned; what the groups point into */
};

/* Groups findings of one kind, severity, interface, remedy and doubt that have an end
 * in common (or are about one host each); every finding is in one group.  -1 where
 * memory is out. */
int finding_groups_make(struct finding_groups *g, const struct findings *fs);
void finding_groups_free(struct finding_groups *g);

#endif
