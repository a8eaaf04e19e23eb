/* Whom to check the way to. */
#ifndef CHECK_PEER_H
#define CHECK_PEER_H

#include "netprobe/decode/addr.h"
#include "src/base/err.h"

#define PEER_TEXT 128

struct peer {
	char name[PEER_TEXT]; /* as it was given; "" = only the address is known */
	struct addr addr;
	uint16_t port;
};

struct peers {
	struct peer *list; /* owned */
	size_t n;
	uint16_t port; /* where none is given; 0 = 7000 */
};

#define PEER_PORT 7000u
#define PEER_PORT_VL 7003u /* a CellServDB lists database servers */

/* HOST, HOST:PORT, ADDRESS6, [ADDRESS6]:PORT.  A name stands for all its IPv4
 * addresses, or for all its IPv6 ones where it has no other. */
int peers_add(struct peers *p, const char *text, struct err *err);

/* An address that is known already; no duplicates. */
int peers_add_address(struct peers *p, const char *name, const struct addr *a,
                      uint16_t port, struct err *err);

/* A file of such texts, one a line; # begins a comment. */
int peers_add_file(struct peers *p, const char *path, struct err *err);

/* The database servers of all cells of a CellServDB, or of one (cell not NULL). */
int peers_add_cellservdb(struct peers *p, const char *path, const char *cell,
                         struct err *err);

void peers_free(struct peers *p);

/* "10.77.1.1:7000", "[fd00::1]:7000".  Returns buf. */
const char *peer_format(const struct peer *p, char buf[PEER_TEXT]);

#endif
