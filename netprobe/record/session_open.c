#include "netprobe/record/session_internal.h"

#include "netprobe/host/privilege.h"
#include "netprobe/record/ports.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int make_filters(struct session *s, struct err *err)
{
	const struct record_options *o = s->o;
	if (!o->filter) {
		if (record_filter(o->ports, 1, s->filter, sizeof s->filter, err) < 0)
			return -1;
		return record_filter(o->ports, 0, s->filter_plain,
		                     sizeof s->filter_plain, err);
	}
	if (strlen(o->filter) >= sizeof s->filter)
		return err_set(err, ERR_USAGE,
		               "-f: the filter is longer than %zu bytes",
		               sizeof s->filter - 1);
	strcpy(s->filter, o->filter);
	strcpy(s->filter_plain, o->filter);
	return 0;
}

static int find_ifaces(struct session *s, struct err *err)
{
	const struct record_options *o = s->o;
	struct host_iface *list;
	size_t n;
	if (host_ifaces(s->host, &list, &n, err) < 0)
		return -1;
	int rc = 0;
	for (size_t i = 0; i < o->n && rc == 0; i++) {
		const struct host_iface *h = host_iface_find(list, n, o->names[i]);
		char there[512];
		if (!h) {
			rc = err_set(err, ERR_ENVIRONMENT,
			             "no interface %s; there are: %s", o->names[i],
			             host_iface_names(list, n, there, sizeof there));
			break;
		}
		for (size_t k = 0; k < i; k++)
			if (s->iface[k].index == h->index)
				rc = err_set(err, ERR_USAGE, "-i %s: named twice",
				             h->name);
		s->iface[i].index = h->index;
		s->iface[i].loopback = h->loopback;
		record_facts(h, o->links, o->n_links, o->lab_path, &s->iface[i].facts);
	}
	free(list);
	return rc;
}

static int open_live(struct session *s, struct err *err)
{
	const struct record_options *o = s->o;
	struct live_options l = {.names = o->names,
	                         .n = o->n,
	                         .filter = o->account ? "" : s->filter,
	                         .filter_plain = s->filter_plain,
	                         .snaplen = o->snaplen,
	                         .buffer_bytes = o->buffer_bytes};
	s->live = live_open(&l, err);
	if (!s->live)
		return -1;
	for (size_t i = 0; i < o->n; i++) {
		struct recorded *r = &s->iface[i];
		uint16_t link_type = live_link_type(s->live, i);
		const char *text = live_filter(s->live, i);
		r->facts.link_type = link_type;
		r->facts.snaplen = o->snaplen;
		if (o->account && s->filter[0]) {
			struct err first = {0};
			text = s->filter;
			r->filter = filter_new(text, link_type, &first);
			if (!r->filter &&
			    (r->filter = filter_new(s->filter_plain, link_type, NULL)))
				text = s->filter_plain;
			if (!r->filter) {
				*err = first;
				return -1;
			}
		}
		snprintf(r->facts.filter, sizeof r->facts.filter, "%s", text);
	}
	return 0;
}

/* The capture is opened while we may still, and belongs to whom we become. */
static int open_capture(struct session *s, struct err *err)
{
	const char *path = s->o->path;
	struct privilege_owner owner = privilege_owner(path);
	int given = s->o->fd ? s->o->fd : strcmp(path, "-") == 0 ? STDOUT_FILENO : -1;
	int fd = given >= 0
	                 ? fcntl(given, F_DUPFD_CLOEXEC, 0)
	                 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (s->o->fd) /* of this process's own: so no other user's */
		owner = (struct privilege_owner){.uid = geteuid(), .gid = getegid()};
	if (fd < 0)
		return err_sys(err, errno, "%s: cannot write the capture", path);
	if (owner.uid != geteuid() && fchown(fd, owner.uid, owner.gid) < 0) {
		err_sys(err, errno, "%s: cannot give the capture to user %u", path,
		        (unsigned)owner.uid);
		close(fd);
		return -1;
	}
	s->writer = pcapng_writer_new(fd, path, "netprobe record", err);
	if (!s->writer)
		return -1;
	for (size_t i = 0; i < s->o->n; i++)
		pcapng_write_iface(s->writer, &s->iface[i].facts);
	if (pcapng_writer_flush(s->writer, err) < 0)
		return -1;
	return privilege_drop(owner, err);
}

int session_open(struct session *s, struct err *err)
{
	size_t n = s->o->n;
	s->iface = calloc(n, sizeof *s->iface);
	s->fds = calloc(n + 1, sizeof *s->fds);
	if (!s->iface || !s->fds)
		return err_sys(err, ENOMEM, "memory for %zu interfaces", n);
	s->control = (struct control){.in = STDIN_FILENO, .out = STDOUT_FILENO};
	s->fds[n] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
	s->host = host_open(err);
	if (!s->host || make_filters(s, err) < 0 || find_ifaces(s, err) < 0 ||
	    open_live(s, err) < 0 || open_capture(s, err) < 0)
		return -1;
	return session_set_moment(s, false, err);
}
