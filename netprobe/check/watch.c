#include "netprobe/check/watch.h"

#include "netprobe/decode/afs.h"
#include "netprobe/host/privilege.h"
#include "netprobe/record/ports.h"
#include "netprobe/record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PORTS_TEXT 250u /* record_filter takes so long a list */

struct watch {
	const struct host_iface *ifaces;
	size_t n_ifaces;
	char ports[PORTS_TEXT];
	struct record_options record;
	struct record_watcher watcher;
	int out, in; /* of the pipe: the recorder's end, the reader's */
	volatile sig_atomic_t stop;
	pthread_t recorder, reader;
	bool reading;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t told;
	bool ready, over;
	int recorded, read;
	struct err record_err, read_err;
	struct seen_list seen;
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- the recorder ------------------------------------------------------- */

static void on_ready(void *ctx)
{
	struct watch *w = ctx;
	pthread_mutex_lock(&w->lock);
	w->ready = true;
	pthread_cond_signal(&w->told);
	pthread_mutex_unlock(&w->lock);
}

static void on_gone(void *ctx, const char *iface, const char *why)
{
	struct watch *w = ctx;
	char *list = w->seen.gone;
	(void)why;
	pthread_mutex_lock(&w->lock);
	size_t used = strlen(list);
	snprintf(list + used, sizeof w->seen.gone - used, "%s%s", used ? "," : "",
	         iface);
	pthread_mutex_unlock(&w->lock);
}

static void *record_thread(void *ctx)
{
	struct watch *w = ctx;
	struct err err = {0};
	int rc = record_run(&w->record, &err);
	close_end(&w->out); /* the reader comes to its end */
	pthread_mutex_lock(&w->lock);
	w->recorded = rc;
	w->record_err = err;
	w->over = true;
	pthread_cond_signal(&w->told);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* ---- the reader --------------------------------------------------------- */

static void *read_thread(void *ctx)
{
	struct watch *w = ctx;
	struct err err = {0};
	char path[32];
	const struct privilege_owner self = {.uid = geteuid(), .gid = getegid()};
	snprintf(path, sizeof path, "/dev/fd/%d", w->in);
	int rc = privilege_drop(self, &err);
	if (rc == 0)
		rc = seen_read(&w->seen, path, w->ifaces, w->n_ifaces, &err);
	close_end(&w->in); /* a recorder that still writes gets an error */
	w->read = rc;
	w->read_err = err;
	return NULL;
}

/* ---- both --------------------------------------------------------------- */

/* Signals are for the thread that waits for the user; a pipe without its reader is an
 * error of write. */
static int start(pthread_t *thread, void *(*run)(void *), struct watch *w,
                 struct err *err)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = pthread_create(thread, NULL, run, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc == 0 ? 0 : err_sys(err, rc, "cannot start a thread for the capture");
}

static bool named_before(const struct peers *peers, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (peers->list[k].port == peers->list[i].port)
			return true;
	return false;
}

/* AFS's ports and those of the peers. */
static int make_ports(struct watch *w, const struct peers *peers, struct err *err)
{
	size_t used = (size_t)snprintf(w->ports, sizeof w->ports, RECORD_PORTS_AFS);
	for (size_t i = 0; i < peers->n; i++) {
		uint16_t port = peers->list[i].port;
		if (afs_port(port) || named_before(peers, i))
			continue;
		int n = snprintf(w->ports + used, sizeof w->ports - used, ",%u", port);
		used += n > 0 ? (size_t)n : 0;
		if (used >= sizeof w->ports)
			return err_set(err, ERR_USAGE,
			               "peers with too many different ports for one "
			               "live capture");
	}
	return 0;
}

static void wait_ready(struct watch *w)
{
	pthread_mutex_lock(&w->lock);
	while (!w->ready && !w->over)
		pthread_cond_wait(&w->told, &w->lock);
	pthread_mutex_unlock(&w->lock);
}

static void release(struct watch *w)
{
	close_end(&w->out);
	close_end(&w->in);
	seen_free(&w->seen);
	pthread_cond_destroy(&w->told);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

struct watch *watch_begin(const char *const *names, size_t n, const struct peers *peers,
                          const struct host_iface *ifaces, size_t n_ifaces,
                          struct err *err)
{
	struct watch *w = calloc(1, sizeof *w);
	int ends[2];
	if (!w) {
		err_set(err, ERR_ENVIRONMENT, "out of memory");
		return NULL;
	}
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->told, NULL);
	w->ifaces = ifaces;
	w->n_ifaces = n_ifaces;
	w->out = w->in = -1;
	w->seen.live = true;
	if (make_ports(w, peers, err) != 0)
		goto fail;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		err_sys(err, errno, "cannot make a pipe");
		goto fail;
	}
	w->in = ends[0];
	w->out = ends[1];
	w->watcher = (struct record_watcher){on_ready, on_gone, w};
	w->record = (struct record_options){.names = names,
	                                    .n = n,
	                                    .path = "the live capture",
	                                    .fd = w->out,
	                                    .ports = w->ports,
	                                    .snaplen = RECORD_SNAPLEN,
	                                    .buffer_bytes = (uint64_t)RECORD_BUFFER_MIB
	                                                    << 20,
	                                    .stop = &w->stop,
	                                    .watcher = &w->watcher};
	if (start(&w->recorder, record_thread, w, err) != 0)
		goto fail;
	wait_ready(w);
	w->reading = w->ready && start(&w->reader, read_thread, w, err) == 0;
	if (w->reading)
		return w;
	w->stop = 1;
	pthread_join(w->recorder, NULL);
	if (w->record_err.code)
		err_set(err, w->record_err.code, "%s", w->record_err.text);
fail:
	release(w);
	return NULL;
}

bool watch_over(struct watch *w)
{
	pthread_mutex_lock(&w->lock);
	bool over = w->over;
	pthread_mutex_unlock(&w->lock);
	return over;
}

int watch_end(struct watch *w, struct seen_list *seen, struct err *err)
{
	w->stop = 1;
	pthread_join(w->recorder, NULL);
	pthread_join(w->reader, NULL);
	int rc = 0;
	if (w->read != 0)
		rc = err_set(err, w->read_err.code, "%s", w->read_err.text);
	else if (w->recorded != 0 && !w->seen.gone[0])
		rc = err_set(err, w->record_err.code, "%s", w->record_err.text);
	if (rc == 0) {
		*seen = w->seen;
		w->seen = (struct seen_list){0};
	}
	release(w);
	return rc;
}
