#include "netprobe/decode/icmp_name.h"

#include "src/base/names.h"

#include <stdio.h>

#define ERROR(family, type, code) ((family) << 16 | (type) << 8 | (code))

static const struct name names[] = {
        {ERROR(4, 3, 0), "network unreachable"},
        {ERROR(4, 3, 1), "host unreachable"},
        {ERROR(4, 3, 2), "protocol unreachable"},
        {ERROR(4, 3, 3), "port unreachable"},
        {ERROR(4, 3, 4), "fragmentation needed"},
        {ERROR(4, 3, 5), "source route failed"},
        {ERROR(4, 3, 6), "network unknown"},
        {ERROR(4, 3, 7), "host unknown"},
        {ERROR(4, 3, 8), "source host isolated"},
        {ERROR(4, 3, 9), "network prohibited"},
        {ERROR(4, 3, 10), "host prohibited"},
        {ERROR(4, 3, 11), "network unreachable for this TOS"},
        {ERROR(4, 3, 12), "host unreachable for this TOS"},
        {ERROR(4, 3, 13), "prohibited by a filter"},
        {ERROR(4, 3, 14), "host precedence violation"},
        {ERROR(4, 3, 15), "precedence cutoff"},
        {ERROR(4, 4, 0), "source quench"},
        {ERROR(4, 5, 0), "redirect for the network"},
        {ERROR(4, 5, 1), "redirect for the host"},
        {ERROR(4, 5, 2), "redirect for TOS and network"},
        {ERROR(4, 5, 3), "redirect for TOS and host"},
        {ERROR(4, 11, 0), "time to live exceeded"},
        {ERROR(4, 11, 1), "reassembly time exceeded"},
        {ERROR(4, 12, 0), "bad IP header"},
        {ERROR(4, 12, 1), "missing IP option"},
        {ERROR(4, 12, 2), "bad IP length"},
        {ERROR(6, 1, 0), "no route"},
        {ERROR(6, 1, 1), "prohibited by a filter"},
        {ERROR(6, 1, 2), "beyond the source's scope"},
        {ERROR(6, 1, 3), "address unreachable"},
        {ERROR(6, 1, 4), "port unreachable"},
        {ERROR(6, 1, 5), "source address refused"},
        {ERROR(6, 1, 6), "route refused"},
        {ERROR(6, 2, 0), "packet too big"},
        {ERROR(6, 3, 0), "hop limit exceeded"},
        {ERROR(6, 3, 1), "reassembly time exceeded"},
        {ERROR(6, 4, 0), "bad header field"},
        {ERROR(6, 4, 1), "unknown next header"},
        {ERROR(6, 4, 2), "unknown IPv6 option"},
};

const char *icmp_error_name(unsigned family, unsigned type, unsigned code,
                            char buf[ICMP_NAME_TEXT])
{
	const char *name = NAME_FIND(names, ERROR(family, type, code));
	if (name)
		return name;
	snprintf(buf, ICMP_NAME_TEXT, "%s type %u code %u",
	         family == 4 ? "ICMP" : "ICMPv6", type & 255, code & 255);
	return buf;
}
