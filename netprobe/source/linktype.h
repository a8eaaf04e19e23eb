/* LINKTYPE_ numbers of files against the DLT_ numbers of libpcap on Linux. */
#ifndef SOURCE_LINKTYPE_H
#define SOURCE_LINKTYPE_H

#include <stdint.h>

/* The LINKTYPE_ number for what stands in a file header or what libpcap tells.
 * Some programs write the DLT_ number of their system where it differs (raw IP
 * as 12 or 14).  Values over 65534 give 65535, which no one knows. */
uint16_t link_type_from(uint32_t number);

/* The DLT_ number to compile filters for. */
int link_type_to_dlt(uint16_t link_type);

#endif
