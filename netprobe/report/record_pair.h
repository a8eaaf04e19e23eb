/* Flat records of pairs of hosts and of ICMP errors (record.h). */
#ifndef REPORT_RECORD_PAIR_H
#define REPORT_RECORD_PAIR_H

#include "netprobe/report/json_make.h"
#include "netprobe/report/result_pair.h"

json_t *record_pair(struct json_maker *m, const struct result_pair *p);
json_t *record_icmp(struct json_maker *m, const struct result_icmp *i);

#endif
