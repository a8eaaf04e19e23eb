#include "netprobe/record/ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Non-first fragments have no ports: a filter on ports alone hides just what is
 * to be studied.  IPv6: every piece, the first too, for its UDP header is not
 * where libpcap looks.  ICMP: unreachable, source quench, time exceeded,
 * parameter problem; ICMPv6: types below 128. */
#define FRAGMENTS_AND_ERRORS                                                           \
	"(ip[6:2] & 0x1fff != 0) or (ip6 proto 44) or (icmp and (icmp[0] = 3 or "      \
	"icmp[0] = 4 or icmp[0] = 11 or icmp[0] = 12)) or (icmp6 and ip6[40] < 128)"

/* One item "N" or "N-M"; false where it is neither. */
static int add_ports(const char *item, char *to, size_t size, size_t *used)
{
	char *end;
	unsigned long from = strtoul(item, &end, 10), until = from;
	if (*item < '0' || *item > '9')
		return 0;
	if (*end == '-')
		until = strtoul(end + 1, &end, 10);
	if (*end != '\0' || from == 0 || until < from || until > 65535)
		return 0;
	int n = from == until
	                ? snprintf(to + *used, size - *used, "%sport %lu",
	                           *used ? " or " : "", from)
	                : snprintf(to + *used, size - *used, "%sportrange %lu-%lu",
	                           *used ? " or " : "", from, until);
	if (n < 0 || (size_t)n >= size - *used)
		return 0;
	*used += (size_t)n;
	return 1;
}

int record_filter(const char *ports, int vlan, char *to, size_t size, struct err *err)
{
	char copy[256], list[256] = "";
	size_t used = 0;
	char *rest;
	if (strlen(ports) >= sizeof copy)
		return err_set(err, ERR_USAGE, "--ports: the list is too long");
	strcpy(copy, ports);
	for (char *item = strtok_r(copy, ",", &rest); item;
	     item = strtok_r(NULL, ",", &rest))
		if (!add_ports(item, list, sizeof list, &used))
			return err_set(err, ERR_USAGE,
			               "--ports %s: '%s' is no port or range such as "
			               "7000-7010, or the list is too long",
			               ports, item);
	if (used == 0)
		return err_set(err, ERR_USAGE, "--ports: no port in the list");
	int n = vlan ? snprintf(to, size,
	                        "(udp and (%s)) or " FRAGMENTS_AND_ERRORS
	                        " or (vlan and ((udp and (%s)) or " FRAGMENTS_AND_ERRORS
	                        "))",
	                        list, list)
	             : snprintf(to, size, "(udp and (%s)) or " FRAGMENTS_AND_ERRORS,
	                        list);
	if (n < 0 || (size_t)n >= size)
		return err_set(err, ERR_USAGE, "--ports: the list is too long");
	return 0;
}
