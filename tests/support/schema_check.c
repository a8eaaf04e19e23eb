#include "tests/support/schema_check.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct check {
	const json_t *root;
	char *why;
	size_t size;
};

static bool check_value(struct check *c, const json_t *schema, const json_t *value,
                        const char *at);

static bool fault(struct check *c, const char *at, const char *what, const char *more)
{
	snprintf(c->why, c->size, "%s: %s %s", at[0] ? at : "top", what, more);
	return false;
}

static bool is_type(const json_t *value, const char *type)
{
	return (strcmp(type, "null") == 0 && json_is_null(value)) ||
	       (strcmp(type, "boolean") == 0 && json_is_boolean(value)) ||
	       (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
	       (strcmp(type, "number") == 0 && json_is_number(value)) ||
	       (strcmp(type, "string") == 0 && json_is_string(value)) ||
	       (strcmp(type, "array") == 0 && json_is_array(value)) ||
	       (strcmp(type, "object") == 0 && json_is_object(value));
}

static bool check_type(struct check *c, const json_t *type, const json_t *value,
                       const char *at)
{
	if (json_is_string(type))
		return is_type(value, json_string_value(type)) ||
		       fault(c, at, "is no", json_string_value(type));
	for (size_t i = 0; i < json_array_size(type); i++)
		if (is_type(value, json_string_value(json_array_get(type, i))))
			return true;
	return fault(c, at, "is of none of the types", "");
}

static bool check_ref(struct check *c, const char *ref, const json_t *value,
                      const char *at)
{
	static const char prefix[] = "#/$defs/";
	const json_t *defs = json_object_get(c->root, "$defs"), *part = NULL;
	if (strncmp(ref, prefix, sizeof prefix - 1) == 0)
		part = json_object_get(defs, ref + sizeof prefix - 1);
	return part ? check_value(c, part, value, at)
	            : fault(c, at, "refers to nothing:", ref);
}

static bool check_required(struct check *c, const json_t *keys, const json_t *value,
                           const char *at)
{
	for (size_t i = 0; json_is_object(value) && i < json_array_size(keys); i++) {
		const char *key = json_string_value(json_array_get(keys, i));
		if (!json_object_get(value, key))
			return fault(c, at, "lacks", key);
	}
	return true;
}

static bool check_members(struct check *c, const json_t *schema, const json_t *value,
                          const char *at)
{
	const json_t *known = json_object_get(schema, "properties");
	const json_t *others = json_object_get(schema, "additionalProperties");
	const char *key;
	json_t *member;
	json_object_foreach((json_t *)(uintptr_t)value, key, member)
	{
		char place[340];
		const json_t *part = json_object_get(known, key);
		snprintf(place, sizeof place, "%.200s.%.80s", at, key);
		if (!part)
			part = others;
		if (json_is_false(part))
			return fault(c, place, "is not in the schema", "");
		if (json_is_object(part) && !check_value(c, part, member, place))
			return false;
	}
	return true;
}

static bool check_items(struct check *c, const json_t *schema, const json_t *value,
                        const char *at)
{
	const json_t *first = json_object_get(schema, "prefixItems");
	const json_t *rest = json_object_get(schema, "items");
	for (size_t i = 0; i < json_array_size(value); i++) {
		char place[340];
		bool is_first = i < json_array_size(first);
		const json_t *part = is_first ? json_array_get(first, i) : rest;
		snprintf(place, sizeof place, "%.280s[%zu]", at, i);
		if (json_is_false(part))
			return fault(c, place, "is one too many", "");
		if (json_is_object(part) &&
		    !check_value(c, part, json_array_get(value, i), place))
			return false;
	}
	return true;
}

static bool check_one_of(struct check *c, const json_t *list, const json_t *value,
                         const char *at)
{
	size_t fits = 0;
	char last[300] = "";
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (check_value(c, json_array_get(list, i), value, at))
			fits++;
		else if (!strstr(c->why, ".type: "))
			snprintf(last, sizeof last, "%.280s", c->why);
	}
	return fits == 1 || fault(c, at, "fits none or several of oneOf:", last);
}

static bool check_enum(struct check *c, const json_t *list, const json_t *value,
                       const char *at)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_equal(json_array_get(list, i), value))
			return true;
	return fault(c, at, "is none of enum", "");
}

static bool check_keyword(struct check *c, const char *key, const json_t *rule,
                          const json_t *schema, const json_t *value, const char *at)
{
	static const char *const silent[] = {"$schema",     "$id",   "$defs",
	                                     "description", "title", "$comment"};
	for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
		if (strcmp(key, silent[i]) == 0)
			return true;
	if (strcmp(key, "$ref") == 0)
		return check_ref(c, json_string_value(rule), value, at);
	if (strcmp(key, "type") == 0)
		return check_type(c, rule, value, at);
	if (strcmp(key, "const") == 0)
		return json_equal(rule, value) || fault(c, at, "is not the const", "");
	if (strcmp(key, "enum") == 0)
		return check_enum(c, rule, value, at);
	if (strcmp(key, "minimum") == 0)
		return !json_is_number(value) ||
		       json_number_value(value) >= json_number_value(rule) ||
		       fault(c, at, "is under the minimum", "");
	if (strcmp(key, "required") == 0)
		return check_required(c, rule, value, at);
	if (strcmp(key, "properties") == 0)
		return check_members(c, schema, value, at);
	if (strcmp(key, "additionalProperties") == 0)
		return json_object_get(schema, "properties") ||
		       check_members(c, schema, value, at);
	if (strcmp(key, "items") == 0)
		return check_items(c, schema, value, at);
	if (strcmp(key, "prefixItems") == 0)
		return json_object_get(schema, "items") ||
		       fault(c, at, "prefixItems without items", "");
	if (strcmp(key, "oneOf") == 0)
		return check_one_of(c, rule, value, at);
	return fault(c, at, "has an unknown keyword", key);
}

static bool check_value(struct check *c, const json_t *schema, const json_t *value,
                        const char *at)
{
	const char *key;
	json_t *rule;
	json_object_foreach((json_t *)(uintptr_t)schema, key, rule)
	{
		if (!check_keyword(c, key, rule, schema, value, at))
			return false;
	}
	return true;
}

bool schema_check(const json_t *schema, const json_t *value, char *why, size_t size)
{
	struct check c = {schema, why, size};
	why[0] = 0;
	return check_value(&c, schema, value, "");
}
