/* Hosts and security as records (record.h): flat ones for NDJSON and CSV, nested ones
 * for the JSON report. */
#ifndef REPORT_RECORD_HOST_H
#define REPORT_RECORD_HOST_H

#include "netprobe/report/json_make.h"
#include "netprobe/report/result.h"

/* One address of a host, flat, type "host"; the host is named by the host map, else
 * by its lowest address. */
json_t *record_host(struct json_maker *m, const struct result_host *h,
                    const struct result_address *a);

/* A host with its addresses and all it told. */
json_t *host_json(struct json_maker *m, const struct result_host *h);

/* Class, level and evidence of what went this way of a flow. */
void record_put_security(struct json_maker *m, json_t *o, const struct result_flow *f,
                         enum way w);

/* Challenges and responses of a flow. */
json_t *security_json(struct json_maker *m, const struct result_flow *f);

#endif
