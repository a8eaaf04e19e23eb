/* What a report says first: the results in sentences. */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include <jansson.h>

#include "src/report/measure.h"

/* An array of sentences, a new reference; NULL where memory is out.  m is that of the
 * runs. */
json_t *summary_sentences(const struct report_run *runs, size_t nruns,
                          const struct measures *m);

/* The same of one run; probe may be NULL. */
json_t *summary_of_run(const struct run *r, const struct probe_result *probe);

#endif
