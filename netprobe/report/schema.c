#include "netprobe/report/schema.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* One object with a member for each file, put together by the Makefile. */
__asm__(".section .rodata\n"
        "netprobe_schema_begin:\n"
        ".incbin \"" SCHEMA_FILE "\"\n"
        "netprobe_schema_end:\n"
        ".byte 0\n"
        ".text\n");
extern const char schema_begin[] __asm__("netprobe_schema_begin");
extern const char schema_end[] __asm__("netprobe_schema_end");

static void list_names(const json_t *defs, struct err *err, const char *wrong)
{
	char names[400] = "";
	size_t used = 0;
	const char *key;
	const json_t *value;
	json_object_foreach((json_t *)(uintptr_t)defs, key, value)
	{
		int w = snprintf(names + used, sizeof names - used, "%s%s",
		                 used ? ", " : "", key);
		used += w < 0 || (size_t)w >= sizeof names - used ? 0 : (size_t)w;
	}
	err_set(err, ERR_USAGE, "no part '%s' in the schema; the parts are %s", wrong,
	        names);
}

json_t *schema_of(const char *name, struct err *err)
{
	json_t *defs =
	        json_loadb(schema_begin, (size_t)(schema_end - schema_begin), 0, NULL);
	if (!defs) {
		err_set(err, ERR_ENVIRONMENT, "out of memory while making the schema");
		return NULL;
	}
	if (!json_object_get(defs, name)) {
		list_names(defs, err, name);
		json_decref(defs);
		return NULL;
	}
	char id[120], ref[120];
	snprintf(id, sizeof id, "urn:cellbench:netprobe-%s:1", name);
	snprintf(ref, sizeof ref, "#/$defs/%s", name);
	json_t *schema = json_pack(
	        "{s:s, s:s, s:s, s:s, s:o}", "$schema",
	        "https://json-schema.org/draft/2020-12/schema", "$id", id, "$comment",
	        "describes all fields of this version of netprobe",
	        "$ref", ref, "$defs", defs);
	if (!schema)
		err_set(err, ERR_ENVIRONMENT, "out of memory while making the schema");
	return schema;
}
