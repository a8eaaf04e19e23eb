/* Names of ICMP and ICMPv6 errors (IANA's icmp-parameters and icmpv6-parameters). */
#ifndef DECODE_ICMP_NAME_H
#define DECODE_ICMP_NAME_H

#define ICMP_NAME_TEXT 40

/* "port unreachable", "fragmentation needed", …; what has no name by its numbers.
 * family 4 or 6.  Returns a constant or buf. */
const char *icmp_error_name(unsigned family, unsigned type, unsigned code,
                            char buf[ICMP_NAME_TEXT]);

#endif
