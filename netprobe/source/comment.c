#include "netprobe/source/comment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "cellbench: "
#define COMMENT_MAX 1024u /* ours are shorter */

enum field_type { FIELD_U32, FIELD_U64, FIELD_TEXT };

static const struct field {
	const char *key;
	enum field_type type;
	size_t offset, size;
	bool kernel; /* one of those that has_kernel stands for */
} fields[] = {
#define FIELD(key, type, member, kernel)                                               \
	{                                                                              \
		key, type, offsetof(struct source_iface, member),                      \
		        sizeof((struct source_iface *)NULL)->member, kernel            \
	}
        FIELD("mtu", FIELD_U32, mtu, false),
        FIELD("link", FIELD_TEXT, link, false),
        FIELD("rate", FIELD_U64, speed_bps, false),
        FIELD("addr", FIELD_TEXT, addresses, false),
        FIELD("kernel_packets", FIELD_U64, kernel_packets, true),
        FIELD("kernel_bytes", FIELD_U64, kernel_bytes, true),
        FIELD("left_out_packets", FIELD_U64, left_out_packets, true),
        FIELD("left_out_bytes", FIELD_U64, left_out_bytes, true),
#undef FIELD
};

static void set_field(struct source_iface *facts, const struct field *f,
                      const char *value)
{
	char *member = (char *)facts + f->offset;
	uint64_t n = strtoull(value, NULL, 10);
	uint32_t small = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	if (f->type == FIELD_TEXT)
		snprintf(member, f->size, "%s", value);
	else if (f->type == FIELD_U64)
		memcpy(member, &n, sizeof n);
	else
		memcpy(member, &small, sizeof small);
	if (f->kernel)
		facts->has_kernel = true;
}

static bool parse_facts(char *text, struct source_iface *facts)
{
	bool any = false;
	char *rest;
	for (char *word = strtok_r(text, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		char *value = strchr(word, '=');
		if (!value)
			continue;
		*value++ = '\0';
		for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
			if (strcmp(word, fields[i].key) == 0) {
				set_field(facts, &fields[i], value);
				any = true;
			}
		}
	}
	return any;
}

static bool parse_mark(const char *text, struct source_mark *mark)
{
	struct source_mark m = {0};
	if (sscanf(text, "begin %" SCNu32 " %" SCNd64 " %63s", &m.id, &m.time_ns,
	           m.name) == 3)
		m.begin = true;
	else if (sscanf(text, "end %" SCNu32 " %" SCNd64, &m.id, &m.time_ns) != 2)
		return false;
	m.time_ns = time_within(m.time_ns);
	*mark = m;
	return true;
}

enum comment_kind comment_parse(const char *text, size_t n, struct source_iface *facts,
                                struct source_mark *mark)
{
	const size_t prefix = sizeof PREFIX - 1;
	if (n < prefix || n >= COMMENT_MAX || memcmp(text, PREFIX, prefix) != 0)
		return COMMENT_OTHER;
	char copy[COMMENT_MAX];
	memcpy(copy, text + prefix, n - prefix);
	copy[n - prefix] = '\0';
	if (parse_mark(copy, mark))
		return COMMENT_MARK;
	return parse_facts(copy, facts) ? COMMENT_FACTS : COMMENT_OTHER;
}

static bool fits(int n, size_t size)
{
	return n >= 0 && (size_t)n < size && (size_t)n < COMMENT_MAX;
}

bool comment_format_iface(char *to, size_t size, const struct source_iface *i)
{
	char rate[40] = "";
	if (i->speed_bps)
		snprintf(rate, sizeof rate, " rate=%" PRIu64, i->speed_bps);
	int n = snprintf(to, size, PREFIX "mtu=%" PRIu32 "%s%s%s%s%s", i->mtu,
	                 i->link[0] ? " link=" : "", i->link, rate,
	                 i->addresses[0] ? " addr=" : "", i->addresses);
	return fits(n, size);
}

bool comment_format_mark(char *to, size_t size, const struct source_mark *m)
{
	int n = snprintf(to, size, PREFIX "%s %" PRIu32 " %" PRId64 "%s%s",
	                 m->begin ? "begin" : "end", m->id, m->time_ns,
	                 m->begin ? " " : "", m->begin ? m->name : "");
	return fits(n, size);
}

bool comment_format_counters(char *to, size_t size, const struct source_iface *i)
{
	int n = snprintf(to, size,
	                 PREFIX "kernel_packets=%" PRIu64 " kernel_bytes=%" PRIu64
	                        " left_out_packets=%" PRIu64 " left_out_bytes=%" PRIu64,
	                 i->kernel_packets, i->kernel_bytes, i->left_out_packets,
	                 i->left_out_bytes);
	return fits(n, size);
}
