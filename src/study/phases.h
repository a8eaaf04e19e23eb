/* What is known of phases by their names: the unit of their figures, and which of
 * them are averaged together. */
#ifndef STUDY_PHASES_H
#define STUDY_PHASES_H

enum figure_unit { UNIT_KIB_S, UNIT_OPS_S, UNIT_SECONDS, UNIT_COUNT };

extern const char *const unit_names[UNIT_COUNT]; /* "KiB/s", "ops/s", "s" */

enum phase_group {
	GROUP_DATA,   /* sequential output, rewrite and input */
	GROUP_SEEKS,  /* random reads and writes */
	GROUP_CHANGE, /* files created and deleted */
	GROUP_LOOKUP, /* files looked up */
	GROUP_STEPS,  /* commands and work on trees, by their time */
	GROUP_COUNT
};

extern const char *const group_names[GROUP_COUNT];

struct phase_kind {
	const char *name;
	enum phase_group group;
	enum figure_unit unit;
};

/* The raw link as another tool measured it: compared with any data phase. */
#define PHASE_LINK "link"

/* The row of this phase, or NULL. */
const struct phase_kind *phase_kind_find(const char *name);

/* The group of a phase whose name may be unknown. */
enum phase_group phase_group_of(const char *name, enum figure_unit unit);

/* In a row of bonnie++: its six figures of data, its six of files.  Since 1.92
 * bonnie++ writes a byte a call where Bonnie has putc. */
extern const char *const bonnie_data_phases[6], *const bonnie_byte_phases[6];
extern const char *const bonnie_file_phases[6];

#endif
