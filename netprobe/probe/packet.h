/* The bytes of a probe and of its answer. */
#ifndef PROBE_PACKET_H
#define PROBE_PACKET_H

#include "netprobe/probe/socket.h"

#include <stddef.h>

#define PROBE_ID_BITS 16 /* of the serial; what is above tells one run from another */

/* Bytes that a probe has at least behind IP, UDP's or ICMP's header counted too. */
uint32_t probe_packet_header(enum probe_method m);

/* Fills a zeroed buffer of len bytes: what is handed to the socket, behind UDP's header
 * or from ICMP's on (v6: ICMPv6).  mark: the upper bits of an Rx serial, UDP's and
 * ICMP's tag. */
void probe_packet_fill(enum probe_method m, bool v6, uint8_t *to, size_t len,
                       uint16_t mark, uint32_t id);

/* True for an answer to one of our probes; version (66 bytes, may be NULL) takes the
 * text of an Rx VERSION answer. */
bool probe_packet_answer(enum probe_method m, bool v6, const uint8_t *bytes, size_t len,
                         uint16_t mark, uint32_t *id, char version[66]);

#endif
