#include "netprobe/check/check.h"

#include "netprobe/check/watch.h"
#include "src/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int read_ifaces(struct check *c, struct err *err)
{
	struct host *h = host_open(err);
	int rc = h ? host_ifaces(h, &c->ifaces, &c->n_ifaces, err) : -1;
	host_close(h);
	return rc;
}

/* The peers that were seen, where none was named. */
static int take_peers(struct check *c, const struct check_options *o, struct err *err)
{
	const struct peers *p = &c->seen.peers;
	for (size_t i = 0; i < p->n; i++)
		if (peers_add_address(o->peers, "", &p->list[i].addr, p->list[i].port,
		                      err) != 0)
			return -1;
	if (o->peers->n)
		return 0;
	if (o->live_ns && *o->m.stop)
		return err_set(err, ERR_PARTIAL, "stopped before an AFS peer was seen");
	if (o->live_ns)
		return err_set(err, ERR_USAGE,
		               "no AFS peer was seen in %.9g s; name a --peer, or "
		               "capture for longer (--live)",
		               (double)o->live_ns / NS_PER_S);
	return err_set(err, ERR_USAGE,
	               "no peer in %s has a port of AFS's; name a --peer", o->capture);
}

static int read_capture(struct check *c, struct check_options *o, struct err *err)
{
	if (read_ifaces(c, err) != 0 ||
	    seen_read(&c->seen, o->capture, c->ifaces, c->n_ifaces, err) != 0)
		return -1;
	if (c->seen.n == 0)
		return err_set(
		        err, ERR_USAGE,
		        "no AFS traffic in the capture is from or to an address of "
		        "this host; check a capture where it was taken");
	return o->peers->n ? 0 : take_peers(c, o, err);
}

/* All that are up and have an address, unless some are named. */
static void choose_ifaces(struct check *c, struct check_options *o)
{
	if (o->n_ifaces)
		return;
	for (size_t i = 0; i < c->n_ifaces && o->n_ifaces < LIVE_IFACES_MAX; i++)
		if (c->ifaces[i].up && !c->ifaces[i].loopback &&
		    c->ifaces[i].addresses[0])
			o->ifaces[o->n_ifaces++] = c->ifaces[i].name;
}

static int begin_live(struct check *c, struct check_options *o, struct err *err)
{
	if (read_ifaces(c, err) != 0)
		return -1;
	choose_ifaces(c, o);
	if (o->n_ifaces == 0)
		return err_set(err, ERR_ENVIRONMENT,
		               "no interface to capture on is up and has an address");
	if (o->progress)
		fprintf(stderr, "capturing for %.9g s\n",
		        (double)o->live_ns / NS_PER_S);
	c->watch = watch_begin(o->ifaces, o->n_ifaces, o->peers, c->ifaces, c->n_ifaces,
	                       err);
	c->until_ns = clock_mono_ns() + o->live_ns;
	return c->watch ? 0 : -1;
}

/* Waits until its time is over, a signal came, or there is nothing to capture on. */
static int end_live(struct check *c, struct check_options *o, struct err *err)
{
	const struct timespec look = {.tv_nsec = 20 * NS_PER_MS};
	while (clock_mono_ns() < c->until_ns && !*o->m.stop && !watch_over(c->watch))
		nanosleep(&look, NULL);
	struct watch *w = c->watch;
	c->watch = NULL;
	return watch_end(w, &c->seen, err);
}

/* ---- the check ----------------------------------------------------------- */

static int gather(struct check *c, struct check_options *o, struct err *err)
{
	if (o->cellservdb &&
	    peers_add_cellservdb(o->peers, o->cellservdb, o->cell, err) != 0)
		return -1;
	if (o->expect) {
		if (expectations_load(&c->wanted, o->expect, err) != 0)
			return -1;
		o->m.wanted = &c->wanted;
	}
	if (o->capture)
		return read_capture(c, o, err);
	if (o->live_ns && begin_live(c, o, err) != 0)
		return -1;
	if (o->live_ns && o->peers->n == 0)
		return end_live(c, o, err) != 0 ? -1 : take_peers(c, o, err);
	return 0;
}

/* The probe runs while the live capture does. */
int check_make(struct check *c, struct check_options *o, struct err *err)
{
	*c = (struct check){0};
	o->m.peers = o->peers;
	if (gather(c, o, err) != 0 || matrix_make(&c->matrix, &o->m, err) != 0 ||
	    (c->watch && end_live(c, o, err) != 0))
		return -1;
	return matrix_judge(&c->matrix, &o->m,
	                    o->capture || o->live_ns ? &c->seen : NULL, err);
}

void check_free(struct check *c)
{
	if (c->watch)
		watch_end(c->watch, &c->seen, NULL);
	matrix_free(&c->matrix);
	seen_free(&c->seen);
	expectations_free(&c->wanted);
	free(c->ifaces);
	*c = (struct check){0};
}
