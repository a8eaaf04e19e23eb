/* The matrix: every interface and every peer, filled from the kernel, the rules, the
 * active probe and a capture. */
#ifndef CHECK_MATRIX_H
#define CHECK_MATRIX_H

#include "netprobe/check/row.h"
#include "netprobe/check/seen.h"

#include <signal.h>

/* Addresses or interfaces to go by; "all" = every address of every interface. */
struct matrix_options {
	const struct peers *peers;
	const char *const *from; /* n_from texts; none = by route */
	size_t n_from;
	const struct expectations *wanted; /* NULL = none */
	int program; /* enum expect_program; -1 = client, or server to port 7001 */
	enum expect_release release;
	struct expect_config config; /* frags, rxmaxmtu */
	bool active;
	enum probe_method method;
	uint32_t packets; /* of a probe at most, 0 = default */
	int64_t gap_ns;   /* between them, 0 = default */
	const volatile sig_atomic_t *stop;
	void (*progress)(const struct row *r); /* before a probe; NULL = none */
};

struct matrix {
	struct host_iface *ifaces; /* owned */
	size_t n_ifaces;
	unsigned *offloads;      /* owned; one an interface */
	struct host_rule *rules; /* owned */
	size_t n_rules;
	struct row *rows; /* owned */
	size_t n_rows;
	const struct seen_list *seen; /* NULL = no capture; not owned */
	bool stopped;
};

/* The rows, and with o->active what gets through.  -1 (err set) where nothing could be
 * learned. */
int matrix_make(struct matrix *m, const struct matrix_options *o, struct err *err);

/* Adds what a capture shows (NULL = none) and what is expected, and judges the rows.
 * seen stays the caller's while the matrix is used. */
int matrix_judge(struct matrix *m, const struct matrix_options *o,
                 const struct seen_list *seen, struct err *err);
void matrix_free(struct matrix *m);

/* The gravest of all rows. */
enum gravity matrix_gravity(const struct matrix *m);

/* 0, ERR_FINDINGS, ERR_ENVIRONMENT (an interface vanished), ERR_PARTIAL. */
int matrix_exit_code(const struct matrix *m);

/* True if an earlier row has the same peer, interface and source. */
bool matrix_row_repeats(const struct matrix *m, size_t row);

/* Rows that a peer is reached by this interface. */
size_t matrix_rows_of(const struct matrix *m, const struct host_iface *i);

#endif
