/* What passes two capture points as records (record.h). */
#ifndef REPORT_RECORD_POINTS_H
#define REPORT_RECORD_POINTS_H

#include "netprobe/report/json_make.h"
#include "netprobe/report/result_points.h"

/* Flat, type "points": what goes from one address to another past two points. */
json_t *record_points(struct json_maker *m, const struct result_points *p,
                      const struct result_passage *q);

/* Likewise with its size classes. */
json_t *points_json(struct json_maker *m, const struct result_points *p,
                    const struct result_passage *q);

#endif
