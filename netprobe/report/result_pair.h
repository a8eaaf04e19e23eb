/* Pairs of hosts and ICMP errors as the renderers print them. */
#ifndef REPORT_RESULT_PAIR_H
#define REPORT_RESULT_PAIR_H

#include "netprobe/report/result.h"

#define RESULT_PAIR_TEXT 900

struct result_pair {
	const struct pair *pair;
	const struct result_iface *iface;
	/* all IP packets from source to destination, those of Rx flows too */
	uint64_t ip_packets, ip_bytes;
	uint64_t rx_ip_packets, rx_ip_bytes; /* of the flows between them */
	uint32_t largest_whole; /* IP length, fragments and super-packets left out */
	double fragment_share;  /* of the IP bytes, 0 to 1 */
	bool beyond_rx;         /* more than Rx flows and their fragments */
	bool trouble;           /* the verdict tells of trouble */
	char verdict[RESULT_PAIR_TEXT];
};

/* Whether the flow that an ICMP error quotes was seen. */
enum icmp_seen {
	ICMP_NOTHING_SEEN, /* nothing of that protocol between these hosts */
	ICMP_HOSTS_SEEN,   /* the hosts; which ports is not known */
	ICMP_FLOW_SEEN,    /* the Rx flow */
	ICMP_NO_QUOTE,     /* too little is quoted to tell */
};

struct result_icmp {
	const struct icmp_error *error;
	const struct result_iface *iface;
	enum icmp_seen seen;
};

const char *icmp_seen_name(enum icmp_seen s); /* "not seen here", … */

/* Fills pairs (by interface, then most IP bytes first) and ICMP errors (by
 * interface, then most first) from the tracker; the flows are there already.  -1
 * where memory is out; result_pairs_free frees what is there. */
int result_pairs_make(struct result *r);
void result_pairs_free(struct result *r);

#endif
