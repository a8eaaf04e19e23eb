#include "netprobe/check/peer.h"

#include "src/base/quantity.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE_MAX_BYTES 1024

int peers_add_address(struct peers *p, const char *name, const struct addr *a,
                      uint16_t port, struct err *err)
{
	for (size_t i = 0; i < p->n; i++)
		if (addr_compare(&p->list[i].addr, a) == 0 && p->list[i].port == port)
			return 0;
	struct peer *list = realloc(p->list, (p->n + 1) * sizeof *list);
	if (!list)
		return err_set(err, ERR_ENVIRONMENT, "out of memory");
	p->list = list;
	struct peer *x = &list[p->n++];
	*x = (struct peer){.addr = *a, .port = port};
	snprintf(x->name, sizeof x->name, "%s", name);
	return 0;
}

static int resolve(struct peers *p, const char *name, uint16_t port, struct err *err)
{
	/* OpenAFS knows IPv4 only: a name's IPv6 addresses count where it has no other
	 */
	struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM};
	struct addrinfo *found;
	int rc = getaddrinfo(name, NULL, &hints, &found);
	if (rc != 0) {
		hints.ai_family = AF_INET6;
		rc = getaddrinfo(name, NULL, &hints, &found);
	}
	if (rc != 0)
		return err_set(err, ERR_USAGE, "the host %s has no address: %s", name,
		               gai_strerror(rc));
	rc = 0;
	for (const struct addrinfo *f = found; f && rc == 0; f = f->ai_next) {
		struct addr a;
		if (f->ai_family == AF_INET)
			a = addr_from_v4(
			        (const uint8_t *)&(
			                (const struct sockaddr_in *)(const void *)
			                        f->ai_addr)
			                ->sin_addr);
		else if (f->ai_family == AF_INET6)
			a = addr_from_v6(
			        (const uint8_t *)&(
			                (const struct sockaddr_in6 *)(const void *)
			                        f->ai_addr)
			                ->sin6_addr);
		else
			continue;
		rc = peers_add_address(p, name, &a, port, err);
	}
	freeaddrinfo(found);
	return rc;
}

/* Cuts "[HOST]:PORT" and "HOST:PORT"; a text with more colons is an IPv6 address. */
static int split(char *text, char **host, const char **port)
{
	char *colon;
	*host = text;
	*port = NULL;
	if (*text == '[') {
		char *end = strchr(text, ']');
		if (!end || (end[1] && end[1] != ':'))
			return -1;
		*end = '\0';
		*host = text + 1;
		*port = end[1] ? end + 2 : NULL;
	} else if ((colon = strchr(text, ':')) != NULL && !strchr(colon + 1, ':')) {
		*colon = '\0';
		*port = colon + 1;
	}
	return **host ? 0 : -1;
}

int peers_add(struct peers *p, const char *text, struct err *err)
{
	char copy[PEER_TEXT], *host;
	const char *port;
	uint64_t n = p->port ? p->port : PEER_PORT;
	if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy ||
	    split(copy, &host, &port) != 0)
		return err_set(
		        err, ERR_USAGE,
		        "'%s' is no peer; write HOST, HOST:PORT or [ADDRESS]:PORT",
		        text);
	if (port && number_parse(port, "the port", 1, 65535, &n, err) != 0)
		return err_prefix(err, "peer %s", text);
	struct addr a;
	if (addr_parse(host, &a))
		return peers_add_address(p, "", &a, (uint16_t)n, err);
	return resolve(p, host, (uint16_t)n, err);
}

/* Without its comment and blanks around it. */
static char *trim(char *line)
{
	line[strcspn(line, "#\r\n")] = '\0';
	char *end = line + strlen(line);
	while (end > line && strchr(" \t", end[-1]))
		*--end = '\0';
	return line + strspn(line, " \t");
}

static FILE *open_list(const char *path, struct err *err)
{
	FILE *f = fopen(path, "re");
	if (!f)
		err_set(err, ERR_USAGE, "cannot read %s: %s", path, strerror(errno));
	return f;
}

int peers_add_file(struct peers *p, const char *path, struct err *err)
{
	char line[LINE_MAX_BYTES];
	unsigned number = 0;
	int rc = 0;
	FILE *f = open_list(path, err);
	if (!f)
		return -1;
	while (rc == 0 && fgets(line, sizeof line, f)) {
		char *text = trim(line);
		number++;
		if (*text && peers_add(p, text, err) != 0)
			rc = err_prefix(err, "%s:%u", path, number);
	}
	fclose(f);
	return rc;
}

int peers_add_cellservdb(struct peers *p, const char *path, const char *cell,
                         struct err *err)
{
	char line[LINE_MAX_BYTES], here[256] = "";
	unsigned number = 0;
	size_t before = p->n;
	int rc = 0;
	FILE *f = open_list(path, err);
	if (!f)
		return -1;
	while (rc == 0 && fgets(line, sizeof line, f)) {
		char *text = trim(line);
		struct addr a;
		number++;
		if (*text == '>') {
			snprintf(here, sizeof here, "%.*s",
			         (int)strcspn(text + 1, " \t"), text + 1);
		} else if (*text && (!cell || strcmp(cell, here) == 0)) {
			/* [ADDRESS] marks a clone, which gives no votes */
			bool clone = *text == '[';
			text[strcspn(text, "] \t")] = '\0';
			if (!addr_parse(text + clone, &a))
				rc = err_set(err, ERR_USAGE,
				             "%s:%u: '%s' is no address of a server",
				             path, number, text);
			else
				rc = peers_add_address(p, here, &a, PEER_PORT_VL, err);
		}
	}
	fclose(f);
	if (rc == 0 && p->n == before)
		rc = err_set(err, ERR_USAGE, "%s names no server%s%s", path,
		             cell ? " of the cell " : "", cell ? cell : "");
	return rc;
}

void peers_free(struct peers *p)
{
	free(p->list);
	*p = (struct peers){0};
}

const char *peer_format(const struct peer *p, char buf[PEER_TEXT])
{
	char a[ADDR_TEXT];
	bool v4 = addr_is_v4(&p->addr);
	snprintf(buf, PEER_TEXT, v4 ? "%s:%u" : "[%s]:%u", addr_format(&p->addr, a),
	         p->port);
	return buf;
}
