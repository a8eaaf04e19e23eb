/* Integers of capture files: each file (pcapng: each section) has the byte
 * order of the machine that wrote it. */
#ifndef SOURCE_ENDIAN_H
#define SOURCE_ENDIAN_H

#include "src/base/cursor.h"

#include <stdbool.h>
#include <stdint.h>

static inline uint16_t u16_at(const uint8_t *p, bool big)
{
	return (uint16_t)(big ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
}

static inline uint32_t le32(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint32_t u32_at(const uint8_t *p, bool big)
{
	return big ? be32(p) : le32(p);
}

static inline uint64_t u64_at(const uint8_t *p, bool big)
{
	return big ? be64(p) : (uint64_t)le32(p + 4) << 32 | le32(p);
}

#endif
