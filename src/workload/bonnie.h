/* What the phases of Bonnie share: one file of random blocks. */
#ifndef WORKLOAD_BONNIE_H
#define WORKLOAD_BONNIE_H

#include "src/workload/workload.h"

/* What the file holds: nothing yet, what a phase wrote, or that with words
 * dirtied at random. */
enum generation {
	GENERATION_NONE,
	GENERATION_PUTC,
	GENERATION_WRITE,
	GENERATION_SEEKS
};

/* Bytes of the request at this offset: the last one may be short. */
uint64_t bonnie_block_bytes(const struct work *w, uint64_t at);

/* Opens the file; with O_CREAT, anew.  A handle, or -1 and e. */
int bonnie_open(struct work *w, int flags, struct err *e);

/* Closes the file and ends the meter. */
int bonnie_end(struct work *w, int handle, bool written, struct err *e);

/* Reads n bytes where the file must have them.  0, or -1 and e. */
int bonnie_read(struct work *w, int handle, uint8_t *buf, uint64_t at, uint64_t n,
                struct err *e);

/* Goes back over block k just read, dirties a word of it and writes it. */
int bonnie_dirty(struct work *w, int handle, uint8_t *buf, uint64_t k, uint64_t at,
                 uint64_t n, struct err *e);

/* Makes the file where no phase has made it. */
int bonnie_need_file(struct work *w, struct err *e);

/* Phases; the bulk workload has those of blocks too. */
int bonnie_block_output(struct work *w, struct err *e);
int bonnie_block_input(struct work *w, struct err *e);
int bonnie_putc(struct work *w, struct err *e);
int bonnie_getc(struct work *w, struct err *e);
int bonnie_write_bytes(struct work *w, struct err *e);
int bonnie_read_bytes(struct work *w, struct err *e);
int bonnie_seeks(struct work *w, struct err *e);

#endif
