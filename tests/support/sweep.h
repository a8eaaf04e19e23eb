/* Sweeps: the committed captures and a built one that has what they lack, cut and
 * snapped in every way, and what must hold of any analysis of them. */
#ifndef TESTS_SWEEP_H
#define TESTS_SWEEP_H

#include "netprobe/analysis.h"
#include "tests/support/capture_build.h"

#define SWEEP_CAPTURES 16u

struct sweep_capture {
	char name[80];
	struct capture file; /* little endian: pcapng, or pcap in nanoseconds */
};

/* Loads captures/ *.pcapng and *.pcap below the current folder, and builds the mixed
 * one (the last): fragments of Rx, of others, orphans, IPv6, VLAN, TCP, ICMP.  Fails
 * the test where there is none. */
size_t sweep_load(struct sweep_capture list[static SWEEP_CAPTURES]);
void sweep_free(struct sweep_capture *list, size_t n);

/* Where the block that begins there ends, in bytes (the header of a pcap is one, too);
 * *is_frame tells if it is a packet.  Returns 0 behind the last. */
size_t sweep_block_end(const struct capture *c, size_t begin, bool *is_frame);

/* Bytes captured of the frame whose block begins there. */
uint32_t sweep_caplen(const struct capture *c, size_t begin);

bool sweep_is_pcap(const struct capture *c);

/* Analyses the first n bytes.  The result of analysis_run; a is to be freed only
 * after 0. */
int sweep_analyse(const struct capture *c, size_t n, struct analysis *a,
                  struct err *err);

/* Fails the test, naming what, where sums do not add up. */
void sweep_check(const struct analysis *a, const char *what);

/* A copy of the file whose frames are captured to snap bytes at most. */
struct capture sweep_snap(const struct capture *c, uint32_t snap);

#endif
