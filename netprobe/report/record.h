/* Flat records: one JSON object without nesting for each thing reported.  The
 * NDJSON and CSV outputs are these as they are, and the JSON report lists some of
 * them.  Every record has "type"; times are integers in ns, durations of calls and
 * round trips in microseconds. */
#ifndef REPORT_RECORD_H
#define REPORT_RECORD_H

#include "netprobe/report/json_make.h"
#include "netprobe/report/result.h"

json_t *record_interface(struct json_maker *m, const struct result_iface *i);
json_t *record_flow(struct json_maker *m, const struct result_flow *f, enum way w);
json_t *record_phase(struct json_maker *m, const struct result_phase *ph,
                     const struct result_part *part, enum way w);
json_t *record_interval(struct json_maker *m, const struct result *r,
                        const struct series_row *row);
json_t *record_operation(struct json_maker *m, const struct op *o);
json_t *record_call(struct json_maker *m, const struct conn *conn, const struct call *c,
                    unsigned channel, enum call_end end);

/* Round trips, window and losses of what went this way of a flow. */
void record_put_path(struct json_maker *m, json_t *o, const struct flow_side *s);

/* What follows from a tally: rates, dominant size, ceiling. */
void record_put_rates(struct json_maker *m, json_t *o, const struct result_way *w);

#endif
