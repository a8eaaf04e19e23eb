/* Building JSON without a test after every step: jansson's constructors give
 * NULL where memory is out and its setters take NULL as a failure, so one flag at
 * the end is enough. */
#ifndef REPORT_JSON_MAKE_H
#define REPORT_JSON_MAKE_H

#include "netprobe/track/tally.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct json_maker {
	bool failed;
};

extern const char *const json_way_key[WAYS]; /* "to_server", "to_client" */

/* Sets key to value, whose reference it takes. */
void json_put(struct json_maker *m, json_t *object, const char *key, json_t *value);

void json_put_count(struct json_maker *m, json_t *object, const char *key, uint64_t n);

/* What is no UTF-8 (names come from captures) is shown byte by byte. */
void json_put_text(struct json_maker *m, json_t *object, const char *key,
                   const char *text);

/* null where it is not known. */
void json_put_known(struct json_maker *m, json_t *object, const char *key, double value,
                    bool known);
void json_put_unknown(struct json_maker *m, json_t *object, const char *key, uint64_t n,
                      bool known);

/* The plain counters of a tally. */
void json_put_tally(struct json_maker *m, json_t *object, const struct tally *y);

#endif
