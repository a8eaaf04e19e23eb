/* Tables from number to name, and a lookup that always answers. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct name {
	uint32_t value;
	const char *text;
};

/* The name of value, or NULL.  n is the number of rows; rows need no order. */
static inline const char *name_find(const struct name *rows, size_t n, uint32_t value)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].value == value)
			return rows[i].text;
	return NULL;
}

#define NAME_FIND(rows, value) name_find((rows), sizeof(rows) / sizeof *(rows), (value))

#endif
