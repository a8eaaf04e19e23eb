#include "src/run/config_given.h"

#include <string.h>

#include "src/run/config.h"

void given_note(struct run_config *c, const struct argp_option *table, int key)
{
	int group = 0;
	for (const struct argp_option *o = table; o->name || o->doc; o++) {
		if (!o->name)
			group = o->group;
		else if (o->key == key)
			c->given[group] = o->name;
	}
}

static bool has_probe(const struct run_config *c)
{
	return c->probe.interfaces;
}

static bool is_afs(const struct run_config *c)
{
	return strcmp(c->engine->name, "afs") == 0;
}

static bool is_null(const struct run_config *c)
{
	return strcmp(c->engine->name, "null") == 0;
}

static bool is_bonnie(const struct run_config *c)
{
	return c->workload == &workload_bonnie;
}

static bool is_tree(const struct run_config *c)
{
	return c->workload == &workload_tree;
}

static bool is_mixed(const struct run_config *c)
{
	return c->workload == &workload_mixed;
}

static bool is_paced(const struct run_config *c)
{
	return c->workload == &workload_bulk || is_mixed(c);
}

static bool is_command(const struct run_config *c)
{
	return c->workload == &workload_command;
}

int given_check(const struct run_config *c, struct err *e)
{
	static const struct rule {
		bool (*holds)(const struct run_config *c);
		const char *with;
	} rules[OPTIONS_COUNT] = {
	        [OPTIONS_PROBE] = {has_probe, "--probe"},
	        [OPTIONS_AFS] = {is_afs, "--engine afs or --volume"},
	        [OPTIONS_NULL] = {is_null, "--engine null"},
	        [OPTIONS_BONNIE] = {is_bonnie, "--workload bonnie"},
	        [OPTIONS_TREE] = {is_tree, "--workload tree"},
	        [OPTIONS_PACED] = {is_paced, "--workload bulk or mixed"},
	        [OPTIONS_MIXED] = {is_mixed, "--workload mixed"},
	        [OPTIONS_COMMAND] = {is_command, "--workload command"},
	};
	for (int group = 0; group < OPTIONS_COUNT; group++)
		if (c->given[group] && rules[group].holds && !rules[group].holds(c))
			return err_set(e, ERR_USAGE, "--%s goes with %s",
			               c->given[group], rules[group].with);
	return 0;
}
