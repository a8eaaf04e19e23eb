#include "netprobe/source/linktype.h"

#include "netprobe/frame.h"

#include <pcap/dlt.h>

#include <stddef.h>

/* tcpdump.org/linktypes.html; pcap/dlt.h.  The first row of a link type is
 * also the way back. */
static const struct {
	uint16_t dlt, link;
} aliases[] = {
        {DLT_RAW, LINK_RAW},
        {14, LINK_RAW}, /* DLT_RAW of OpenBSD */
        {DLT_ATM_RFC1483, LINK_ATM_RFC1483},
        {13, LINK_ATM_RFC1483}, /* DLT_ATM_RFC1483 of BSD/OS */
        {DLT_ATM_CLIP, LINK_ATM_CLIP},
};
#define ALIASES (sizeof aliases / sizeof *aliases)

uint16_t link_type_from(uint32_t number)
{
	for (size_t i = 0; i < ALIASES; i++)
		if (aliases[i].dlt == number)
			return aliases[i].link;
	return number < UINT16_MAX ? (uint16_t)number : UINT16_MAX;
}

int link_type_to_dlt(uint16_t link_type)
{
	for (size_t i = 0; i < ALIASES; i++)
		if (aliases[i].link == link_type)
			return aliases[i].dlt;
	return link_type;
}
