/* Findings as JSON: flat records for lines, objects with their evidence for the
 * report. */
#ifndef REPORT_RECORD_FINDING_H
#define REPORT_RECORD_FINDING_H

#include "netprobe/report/json_make.h"
#include "netprobe/report/result.h"

/* evidence is text: "sent=169 lost=169". */
json_t *record_finding(struct json_maker *m, const struct result *r,
                       const struct finding *f);

/* evidence is an object. */
json_t *finding_json(struct json_maker *m, const struct result *r,
                     const struct finding *f);

#endif
