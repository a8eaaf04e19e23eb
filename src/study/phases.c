#include "src/study/phases.h"

#include <stddef.h>
#include <string.h>

const char *const unit_names[UNIT_COUNT] = {"KiB/s", "ops/s", "s"};

const char *const group_names[GROUP_COUNT] = {
        [GROUP_DATA] = "sequential data",
        [GROUP_SEEKS] = "random access",
        [GROUP_CHANGE] = "create and delete",
        [GROUP_LOOKUP] = "file lookup",
        [GROUP_STEPS] = "steps",
};

static const struct phase_kind kinds[] = {
        {"per-char-output", GROUP_DATA, UNIT_KIB_S},
        {"per-byte-output", GROUP_DATA, UNIT_KIB_S},
        {"block-output", GROUP_DATA, UNIT_KIB_S},
        {"rewrite", GROUP_DATA, UNIT_KIB_S},
        {"per-char-input", GROUP_DATA, UNIT_KIB_S},
        {"per-byte-input", GROUP_DATA, UNIT_KIB_S},
        {"block-input", GROUP_DATA, UNIT_KIB_S},
        {"random-seeks", GROUP_SEEKS, UNIT_OPS_S},
        {"seq-create", GROUP_CHANGE, UNIT_OPS_S},
        {"seq-stat", GROUP_LOOKUP, UNIT_OPS_S},
        {"seq-delete", GROUP_CHANGE, UNIT_OPS_S},
        {"random-create", GROUP_CHANGE, UNIT_OPS_S},
        {"random-stat", GROUP_LOOKUP, UNIT_OPS_S},
        {"random-delete", GROUP_CHANGE, UNIT_OPS_S},
        {"bulk-write", GROUP_DATA, UNIT_KIB_S},
        {"bulk-read", GROUP_DATA, UNIT_KIB_S},
        {"mixed-create", GROUP_CHANGE, UNIT_OPS_S},
        {"mixed", GROUP_SEEKS, UNIT_OPS_S},
        {"checkout", GROUP_STEPS, UNIT_SECONDS},
        {"tag", GROUP_STEPS, UNIT_SECONDS},
        {"untag", GROUP_STEPS, UNIT_SECONDS},
        {"release", GROUP_STEPS, UNIT_SECONDS},
        {PHASE_LINK, GROUP_DATA, UNIT_KIB_S},
};

const char *const bonnie_data_phases[6] = {"per-char-output", "block-output",
                                           "rewrite",         "per-char-input",
                                           "block-input",     "random-seeks"};
const char *const bonnie_byte_phases[6] = {"per-byte-output", "block-output",
                                           "rewrite",         "per-byte-input",
                                           "block-input",     "random-seeks"};
const char *const bonnie_file_phases[6] = {"seq-create",  "seq-stat",
                                           "seq-delete",  "random-create",
                                           "random-stat", "random-delete"};

const struct phase_kind *phase_kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(name, kinds[i].name) == 0)
			return &kinds[i];
	return NULL;
}

enum phase_group phase_group_of(const char *name, enum figure_unit unit)
{
	static const enum phase_group by_unit[UNIT_COUNT] = {
	        [UNIT_KIB_S] = GROUP_DATA,
	        [UNIT_OPS_S] = GROUP_SEEKS,
	        [UNIT_SECONDS] = GROUP_STEPS,
	};
	const struct phase_kind *kind = phase_kind_find(name);
	return kind ? kind->group : by_unit[unit];
}
