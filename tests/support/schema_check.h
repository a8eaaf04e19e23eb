/* Checks JSON against the part of JSON Schema 2020-12 that netprobe's schema uses:
 * $ref into $defs, type, const, enum, minimum, required, properties,
 * additionalProperties, items, prefixItems, oneOf.  Any other keyword is a fault of the
 * schema. */
#ifndef TESTS_SCHEMA_CHECK_H
#define TESTS_SCHEMA_CHECK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* False, with place and fault in why, where value is not what schema says. */
bool schema_check(const json_t *schema, const json_t *value, char *why, size_t size);

#endif
