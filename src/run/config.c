#include "src/run/config.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/quantity.h"
#include "src/run/config_lists.h"
#include "src/run/config_workload.h"

const char *const cache_state_names[CACHE_STATE_COUNT] = {"cold", "warm"};

enum { GIVE_UP_S = 180 }; /* Rx takes a minute or two for a dead server */

enum option_key {
	KEY_JSON = 256,
	KEY_PROBE,
	KEY_PROBE_VIA,
	KEY_PROBE_OPTIONS,
	KEY_VOLUME,
	KEY_CELL_CONFIG,
	KEY_CACHE_SIZE,
	KEY_CHUNK_SIZE,
	KEY_CACHE_DIR,
	KEY_MEMCACHE,
	KEY_CLIENT_OPTIONS,
	KEY_GIVE_UP,
	KEY_NULL_DELAY,
	KEY_NULL_FAIL,
	KEY_NULL_FLIP,
	KEY_JOB,
	KEY_DRY_RUN,
	KEY_REPEAT,
	KEY_MAX_REPEAT,
	KEY_CONFIDENCE,
	KEY_WARM_UP,
	KEY_ORDER,
};

static const struct argp_option options[] = {
        {0, 0, 0, 0, "What to run:", OPTIONS_RUN},
        {"engine", 'e', "NAME", 0, "posix, afs or null (posix; afs with --volume)", 0},
        {"workload", 'w', "NAME", 0,
         "bonnie (the default), bulk, mixed, tree or command", 0},
        {"job", KEY_JOB, "FILE", 0,
         "run the sections of a job file; options given beside it go before its own",
         0},
        {"dry-run", KEY_DRY_RUN, 0, 0, "print what would run", 0},
        {"repeat", KEY_REPEAT, "N", 0, "run N times", 0},
        {"confidence", KEY_CONFIDENCE, "PERCENT", 0,
         "repeat until the 95 % interval of each median is narrower than this", 0},
        {"max-repeat", KEY_MAX_REPEAT, "N", 0, "but at most so often (30)", 0},
        {"warm-up", KEY_WARM_UP, "N", 0, "keep the first N runs, do not count them", 0},
        {"order", KEY_ORDER, "NAME", 0,
         "of a job's repeated runs: sequential (A A B B), interleave (A B A B), "
         "random",
         0},
        {0, 0, 0, 0, "What comes out:", OPTIONS_OUT},
        {"output", 'o', "DIR", 0, "run directory (runs/ID)", 0},
        {"json", KEY_JSON, 0, 0, "print the record instead of the report", 0},
        {"quiet", 'q', 0, 0, "no progress line", 0},
        {0, 0, 0, 0, "The probe:", OPTIONS_PROBE},
        {"probe", KEY_PROBE, "IF[,IF...]", 0, "capture on these interfaces", 0},
        {"probe-via", KEY_PROBE_VIA, "COMMAND", 0,
         "start netprobe through COMMAND, such as 'sudo -n' or 'cellbench lab exec "
         "fs1'",
         0},
        {"probe-options", KEY_PROBE_OPTIONS, "WORDS", 0, "further options of netprobe",
         0},
        {0, 0, 0, 0, "Engine afs:", OPTIONS_AFS},
        {"volume", KEY_VOLUME, "[CELL:]VOLUME[/DIR]", 0,
         "volume to work in; without CELL that of ThisCell", 0},
        {"cell-config", KEY_CELL_CONFIG, "DIR", 0,
         "folder with CellServDB and ThisCell (/etc/openafs)", 0},
        {"cache-size", KEY_CACHE_SIZE, "SIZE", 0, "the client's cache (200M)", 0},
        {"chunk-size", KEY_CHUNK_SIZE, "SIZE", 0, "a power of two (1M)", 0},
        {"cache-dir", KEY_CACHE_DIR, "DIR", 0, "(afs-cache in the run directory)", 0},
        {"memcache", KEY_MEMCACHE, 0, 0, "cache in memory instead of a folder", 0},
        {"client-options", KEY_CLIENT_OPTIONS, "WORDS", 0, "further options of afsd",
         0},
        {"give-up", KEY_GIVE_UP, "TIME", 0,
         "end the run when a call does not come back for so long and next to nothing "
         "comes from the network (180s; 0s: never)",
         0},
        {0, 0, 0, 0, "Engine null:", OPTIONS_NULL},
        {"null-delay", KEY_NULL_DELAY, "OP=TIME[,...]", 0, "wait in these operations",
         0},
        {"null-fail", KEY_NULL_FAIL, "OP:N=ERROR", 0,
         "fail the Nth operation of a kind", 0},
        {"null-flip", KEY_NULL_FLIP, "OFFSET", 0, "read one byte wrong", 0},
        {0}};

/* What argp hands to its parser. */
struct parse {
	struct run_config *c;
	struct err *e;
	struct config_workload workload; /* the child's input */
};

static int find_engine(struct run_config *c, const char *name, struct err *e)
{
	c->engine = engine_find(name);
	if (c->engine)
		return 0;
	if (strcmp(name, "afs") == 0)
		return err_set(
		        e, ERR_USAGE,
		        "the afs engine was not built in; run `make openafs` and "
		        "`make`");
	return err_set(e, ERR_USAGE, "no engine '%s'; there are posix, afs and null",
	               name);
}

static int find_workload(struct run_config *c, const char *name, struct err *e)
{
	c->workload = workload_find(name);
	return c->workload ? 0
	                   : err_set(e, ERR_USAGE,
	                             "no workload '%s'; there are bonnie, bulk, mixed, "
	                             "tree and command",
	                             name);
}

static int parse_number(struct parse *p, int key, const char *arg)
{
	struct run_config *c = p->c;
	switch (key) {
	case KEY_CACHE_SIZE:
		return size_parse(arg, &c->engine_options.afs.cache_bytes, p->e);
	case KEY_CHUNK_SIZE:
		return size_parse(arg, &c->engine_options.afs.chunk_bytes, p->e);
	case KEY_GIVE_UP:
		return duration_parse(arg, &c->engine_options.watch.give_up_ns, p->e);
	case KEY_NULL_DELAY:
		return delays_parse(&c->engine_options.null, arg, p->e);
	case KEY_NULL_FAIL:
		return fail_parse(&c->engine_options.null, arg, p->e);
	case KEY_NULL_FLIP:
		c->engine_options.null.flip = true;
		return size_parse(arg, &c->engine_options.null.flip_at, p->e);
	case KEY_REPEAT:
		return number_parse(arg, "--repeat", 1, 1000, &c->repeat.times, p->e);
	case KEY_MAX_REPEAT:
		return number_parse(arg, "--max-repeat", 1, 1000, &c->repeat.max, p->e);
	case KEY_WARM_UP:
		return number_parse(arg, "--warm-up", 0, 100, &c->repeat.warmup, p->e);
	case KEY_CONFIDENCE:
		return percent_parse(arg, "--confidence", &c->repeat.width, p->e);
	case 'e':
		return find_engine(c, arg, p->e);
	default:
		return find_workload(c, arg, p->e);
	}
}

/* 0, EINVAL with the error set, or ARGP_ERR_UNKNOWN. */
static error_t set_option(struct parse *p, int key, char *arg)
{
	struct run_config *c = p->c;
	given_note(c, options, key);
	const struct text_option {
		int key;
		const char **to;
	} texts[] = {
	        {'o', &c->out},
	        {KEY_PROBE, &c->probe.interfaces},
	        {KEY_PROBE_VIA, &c->probe.via},
	        {KEY_PROBE_OPTIONS, &c->probe.options},
	        {KEY_VOLUME, &c->volume},
	        {KEY_CELL_CONFIG, &c->engine_options.afs.cell_config},
	        {KEY_CACHE_DIR, &c->engine_options.afs.cache_dir},
	        {KEY_CLIENT_OPTIONS, &c->engine_options.afs.client_options},
	        {KEY_JOB, &c->job},
	        {KEY_ORDER, &c->repeat.order},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].key == key) {
			*texts[i].to = arg;
			return 0;
		}
	if (key == KEY_JSON)
		c->json = true;
	else if (key == 'q')
		c->quiet = true;
	else if (key == KEY_MEMCACHE)
		c->engine_options.afs.memcache = true;
	else if (key == KEY_DRY_RUN)
		c->dry_run = true;
	else if (key < 256 && key != 'e' && key != 'w')
		return ARGP_ERR_UNKNOWN;
	else if (arg && parse_number(p, key, arg) < 0)
		return EINVAL;
	return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;
	if (key == ARGP_KEY_INIT) {
		state->child_inputs[0] = &p->workload;
		return 0;
	}
	if (key != ARGP_KEY_ARG)
		return set_option(p, key, arg);
	if (p->c->engine_options.dir) {
		err_set(p->e, ERR_USAGE, "one folder to work in, not %s and %s",
		        p->c->engine_options.dir, arg);
		return EINVAL;
	}
	p->c->engine_options.dir = arg;
	return 0;
}

/* --volume as the path that the cache manager itself gives any volume, mounted
 * or not: /afs/.:mount/CELL:VOLUME. */
static int volume_path(struct run_config *c, const char *volume, struct err *e)
{
	char cell[128] = "";
	const char *colon = strchr(volume, ':');
	if (!colon) {
		const char *conf = c->engine_options.afs.cell_config;
		char path[1024];
		snprintf(path, sizeof path, "%s/ThisCell",
		         conf ? conf : "/etc/openafs");
		FILE *f = fopen(path, "re");
		bool ok = f && fscanf(f, "%127s", cell) == 1;
		if (f)
			fclose(f);
		if (!ok)
			return err_set(e, ERR_ENVIRONMENT,
			               "no cell name in %s; name the folder with "
			               "--cell-config, or the cell as CELL:VOLUME",
			               path);
	}
	snprintf(c->dir, sizeof c->dir, "/afs/.:mount/%s%s%s", cell, colon ? "" : ":",
	         volume);
	c->engine_options.dir = c->dir;
	return 0;
}

static int check_repeats(const struct run_repeat *o, struct err *e)
{
	if (o->max && o->width <= 0)
		return err_set(e, ERR_USAGE, "--max-repeat goes with --confidence");
	if (o->max && o->times > o->max)
		return err_set(e, ERR_USAGE, "--max-repeat is less than --repeat");
	return 0;
}

int config_check(struct run_config *c, struct err *e)
{
	const char *volume = c->volume;
	const struct engine_options *o = &c->engine_options;
	if (!c->engine)
		if (find_engine(c, volume ? "afs" : "posix", e) < 0)
			return -1;
	bool afs = strcmp(c->engine->name, "afs") == 0;
	if (volume && (!afs || o->dir))
		return err_set(
		        e, ERR_USAGE,
		        "--volume goes with the afs engine, in the place of DIR");
	if (o->afs.chunk_bytes & (o->afs.chunk_bytes - 1) ||
	    (o->afs.chunk_bytes && o->afs.chunk_bytes < 4096) ||
	    o->afs.chunk_bytes > 1 << 30)
		return err_set(e, ERR_USAGE,
		               "--chunk-size must be a power of two, 4K to 1G");
	if (given_check(c, e) < 0 || config_workload_check(c, e) < 0 ||
	    check_repeats(&c->repeat, e) < 0)
		return -1;
	if (volume)
		return volume_path(c, volume, e);
	if (o->dir)
		return 0;
	return err_set(e, ERR_USAGE, "name the folder to work in%s",
	               afs ? ", or the volume with --volume" : "");
}

const char *config_takes(const char *name)
{
	for (size_t i = 0; i + 1 < sizeof options / sizeof *options; i++)
		if (options[i].name && strcmp(name, options[i].name) == 0)
			return options[i].arg ? options[i].arg : "";
	return config_workload_takes(name);
}

int config_set(struct run_config *c, const char *name, char *value, struct err *e)
{
	struct parse p = {.c = c, .e = e, .workload = {c, e}};
	if (config_workload_takes(name))
		return config_workload_set(&p.workload, name, value);
	for (size_t i = 0; i + 1 < sizeof options / sizeof *options; i++)
		if (options[i].name && strcmp(name, options[i].name) == 0)
			return set_option(&p, options[i].key, value) == 0 ? 0 : -1;
	return err_set(e, ERR_USAGE, "no option '%s'", name);
}

int config_words(struct run_config *c, int argc, char **argv, struct err *e)
{
	*c = (struct run_config){
	        .workload = &workload_bonnie, .argc = argc, .argv = argv};
	c->engine_options.watch.give_up_ns = GIVE_UP_S * NS_PER_S;
	config_workload_init(c);
	struct parse p = {.c = c, .e = e, .workload = {c, e}};
	const struct argp_child children[] = {{&config_workload_argp, 0, NULL, 0}, {0}};
	const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .children = children,
	        .args_doc = "[DIR]",
	        .doc = "Runs a workload in the folder DIR, or in an AFS volume, and "
	               "prints "
	               "the report.  It works in a folder of its own below DIR and "
	               "leaves "
	               "nothing there.\vExit codes: 0 ok, 2 usage, 3 environment, 4 "
	               "partial "
	               "result.",
	};
	error_t r = argp_parse(&argp, argc, argv, 0, NULL, &p);
	if (e->code != ERR_NONE)
		return -1;
	if (r != 0)
		return err_set(e, ERR_USAGE, "cannot read the options");
	return 0;
}

int config_parse(struct run_config *c, int argc, char **argv, struct err *e)
{
	if (config_words(c, argc, argv, e) < 0)
		return -1;
	return config_check(c, e);
}

static void set_text(json_t *o, const char *key, const char *text)
{
	if (text)
		json_object_set_new(o, key, json_string(text));
}

json_t *config_json(const struct run_config *c)
{
	json_t *words = json_array();
	for (int i = 0; i < c->argc; i++)
		json_array_append_new(words, json_string(c->argv[i]));
	json_t *o = json_pack("{s:s, s:s, s:s}", "engine", c->engine->name, "workload",
	                      c->workload->name, "dir", c->engine_options.dir);
	config_workload_json(c, o);
	char *conf = c->engine_options.afs.cell_config
	                     ? realpath(c->engine_options.afs.cell_config, NULL)
	                     : NULL;
	set_text(o, "cell_config", conf);
	free(conf);
	set_text(o, "client_options", c->engine_options.afs.client_options);
	if (strcmp(c->engine->name, "afs") == 0)
		json_object_set_new(o, "give_up_ns",
		                    json_integer(c->engine_options.watch.give_up_ns));
	set_text(o, "probe", c->probe.interfaces);
	set_text(o, "probe_via", c->probe.via);
	set_text(o, "probe_options", c->probe.options);
	return json_pack("{s:o, s:o}", "argv", words, "options", o);
}
