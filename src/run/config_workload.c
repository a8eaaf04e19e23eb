#include "src/run/config_workload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/quantity.h"
#include "src/run/config_lists.h"
#include "src/run/run.h"

enum option_key {
	KEY_SIZE = 512,
	KEY_REQUEST,
	KEY_SEEKS,
	KEY_SEED,
	KEY_SEEKERS,
	KEY_PER_CHAR,
	KEY_FSYNC,
	KEY_TREE_FILES,
	KEY_MIXED_FILES,
	KEY_OPERATIONS,
	KEY_READ_SHARE,
	KEY_RATE,
	KEY_STEP,
	KEY_PREPARE,
	KEY_CLEANUP,
	KEY_PHASES,
	KEY_MIN_TIME,
	KEY_PASSES,
	KEY_CACHE,
	KEY_COLD,
	KEY_COLD_COMMAND,
	KEY_SERVER_COLD,
};

static const struct argp_option options[] = {
        {0, 0, 0, 0, "Any workload:", OPTIONS_ANY_WORKLOAD},
        {"size", KEY_SIZE, "SIZE", 0, "size of the file, or of all files (32M)", 0},
        {"request-size", KEY_REQUEST, "SIZE", 0,
         "bytes a read or write (64K; Bonnie had 16K)", 0},
        {"seed", KEY_SEED, "N", 0,
         "of the data and of all that is random (from the clock)", 0},
        {"phases", KEY_PHASES, "NAME[,NAME...]", 0, "only these phases", 0},
        {"fsync", KEY_FSYNC, "WHEN", 0,
         "end: when a phase has written its file (the default; not where close "
         "stores); "
         "every: after each write; never",
         0},
        {"min-time", KEY_MIN_TIME, "TIME", 0,
         "repeat a phase until its passes took so long (500ms; with the probe 0s)", 0},
        {"passes", KEY_PASSES, "N", 0, "at least so many passes of each phase (1)", 0},
        {0, 0, 0, 0, "Workload bonnie:", OPTIONS_BONNIE},
        {"seeks", KEY_SEEKS, "N", 0, "random seeks (4000)", 0},
        {"seekers", KEY_SEEKERS, "N", 0,
         "threads that seek at once (1; Bonnie had 4 processes)", 0},
        {"per-char", KEY_PER_CHAR, "HOW", 0,
         "stdio: putc and getc as Bonnie (the default); write: a call a byte as "
         "bonnie++ "
         "2.00, phases per-byte-...; both; none",
         0},
        {"files", 'n', "NUM[:MAX[:MIN[:DIRS]]]", 0,
         "file phases with NUM * 1024 files of MIN to MAX bytes in DIRS folders, as "
         "bonnie++ (0: none)",
         0},
        {0, 0, 0, 0, "Workload tree:", OPTIONS_TREE},
        {"tree-files", KEY_TREE_FILES, "N", 0, "files of the tree (500)", 0},
        {0, 0, 0, 0, "Workloads bulk and mixed:", OPTIONS_PACED},
        {"rate", KEY_RATE, "N|SIZE", 0,
         "operations a second, or with K, M, G bytes a second; latency then counts "
         "from "
         "the intended start",
         0},
        {0, 0, 0, 0, "Workload mixed:", OPTIONS_MIXED},
        {"mixed-files", KEY_MIXED_FILES, "N", 0, "files of mixed (64)", 0},
        {"operations", KEY_OPERATIONS, "N", 0, "operations of mixed (2000)", 0},
        {"read-share", KEY_READ_SHARE, "PERCENT", 0, "of them reads (70)", 0},
        {0, 0, 0, 0, "Workload command:", OPTIONS_COMMAND},
        {"step", KEY_STEP, "[NAME=]COMMAND", 0,
         "a command line to be timed, in an empty folder ($CELLBENCH_DIR); may be "
         "repeated",
         0},
        {"prepare", KEY_PREPARE, "COMMAND", 0,
         "before each round of all steps, untimed", 0},
        {"cleanup", KEY_CLEANUP, "COMMAND", 0, "after each round, untimed", 0},
        {0, 0, 0, 0, "Caches:", OPTIONS_CACHES},
        {"cache", KEY_CACHE, "STATES", 0, "cold, warm or both (cold,warm)", 0},
        {"cold", KEY_COLD, "HOW", 0,
         "engine (flushvolume, posix_fadvise; the default), flush (engine afs: file by "
         "file), fs (fs flushvolume), drop-caches (root), command, none",
         0},
        {"cold-command", KEY_COLD_COMMAND, "COMMAND", 0,
         "makes the client's cache cold: a remount, a restart of the client", 0},
        {"server-cold-command", KEY_SERVER_COLD, "COMMAND", 0,
         "makes the server's cache cold as well", 0},
        {0}};

void config_workload_init(struct run_config *c)
{
	c->workload_options = (struct workload_options){
	        .size = 32 << 20,
	        .request_size = 64 << 10,
	        .seeks = 4000,
	        .seekers = 1,
	        .tree_files = 500,
	        .mixed_files = 64,
	        .mixed_operations = 2000,
	        .read_share = 70,
	};
	c->min_ns = RUN_SHORT_NS;
	c->passes = 1;
	c->caches[0] = CACHE_COLD;
	c->caches[1] = CACHE_WARM;
	c->ncaches = 2;
}

static int choice(const char *arg, const char *const names[], int n, const char *option,
                  int *out, struct err *e)
{
	char all[128] = "";
	for (int i = 0; i < n; i++) {
		if (strcmp(arg, names[i]) == 0) {
			*out = i;
			return 0;
		}
		size_t used = strlen(all);
		snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "",
		         names[i]);
	}
	return err_set(e, ERR_USAGE, "%s takes one of %s, not '%s'", option, all, arg);
}

static const char *const per_char_names[] = {"stdio", "write", "both", "none"};
static const char *const fsync_names[] = {"end", "every", "never"};

static int parse_choice(struct run_config *c, int key, const char *arg, struct err *e)
{
	struct workload_options *w = &c->workload_options;
	int chosen = 0;
	int r = key == KEY_PER_CHAR
	                ? choice(arg, per_char_names, 4, "--per-char", &chosen, e)
	        : key == KEY_FSYNC ? choice(arg, fsync_names, 3, "--fsync", &chosen, e)
	                           : choice(arg, cold_method_names, COLD_METHOD_COUNT,
	                                    "--cold", &chosen, e);
	if (r < 0)
		return -1;
	if (key == KEY_PER_CHAR)
		w->per_char = (enum per_char)chosen;
	else if (key == KEY_FSYNC)
		w->fsync = (enum fsync_when)chosen;
	else
		c->cache.method = (enum cold_method)chosen;
	return 0;
}

/* A plain number is operations a second, a size bytes a second: negative until the
 * request's size is known. */
static int parse_rate(struct run_config *c, const char *arg, struct err *e)
{
	char *end;
	uint64_t bytes;
	double rate = strtod(arg, &end);
	if (end > arg && *end == '\0' && rate > 0 && rate <= 1e9) {
		c->workload_options.rate = rate;
		return 0;
	}
	if (size_parse(arg, &bytes, NULL) < 0 || bytes == 0)
		return err_set(
		        e, ERR_USAGE,
		        "--rate takes operations a second (200) or bytes a second "
		        "(10M), not '%s'",
		        arg);
	c->workload_options.rate = -(double)bytes;
	return 0;
}

static int parse_number(struct run_config *c, int key, const char *arg, struct err *e)
{
	struct workload_options *w = &c->workload_options;
	uint64_t n = 0;
	const struct number_option {
		int key;
		const char *name;
		uint64_t min, max;
		uint64_t *to;
	} numbers[] = {
	        {KEY_SEEKS, "--seeks", 1, UINT32_MAX, &w->seeks},
	        {KEY_SEED, "--seed", 0, INT64_MAX, &w->seed},
	        {KEY_SEEKERS, "--seekers", 1, 1000, &n},
	        {KEY_TREE_FILES, "--tree-files", 1, 1000000, &w->tree_files},
	        {KEY_MIXED_FILES, "--mixed-files", 1, 99999, &w->mixed_files},
	        {KEY_OPERATIONS, "--operations", 1, UINT32_MAX, &w->mixed_operations},
	        {KEY_READ_SHARE, "--read-share", 0, 100, &n},
	        {KEY_PASSES, "--passes", 1, 1000, &n},
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (numbers[i].key == key &&
		    number_parse(arg, numbers[i].name, numbers[i].min, numbers[i].max,
		                 numbers[i].to, e) < 0)
			return -1;
	if (key == KEY_SEED)
		c->seed_given = true;
	else if (key == KEY_SEEKERS)
		w->seekers = (unsigned)n;
	else if (key == KEY_READ_SHARE)
		w->read_share = (unsigned)n;
	else if (key == KEY_PASSES)
		c->passes = (unsigned)n;
	return 0;
}

static int parse_value(struct run_config *c, int key, const char *arg, struct err *e)
{
	struct workload_options *w = &c->workload_options;
	switch (key) {
	case KEY_SIZE:
		return size_parse(arg, &w->size, e);
	case KEY_REQUEST:
		return size_parse(arg, &w->request_size, e);
	case KEY_CACHE:
		return caches_parse(c, arg, e);
	case KEY_MIN_TIME:
		c->min_given = true;
		return duration_parse(arg, &c->min_ns, e);
	case KEY_RATE:
		return parse_rate(c, arg, e);
	case KEY_STEP:
		return step_parse(w, arg, e);
	case 'n':
		return files_parse(w, arg, e);
	case KEY_PER_CHAR:
	case KEY_FSYNC:
	case KEY_COLD:
		return parse_choice(c, key, arg, e);
	default:
		return parse_number(c, key, arg, e);
	}
}

static error_t set_option(struct config_workload *p, int key, char *arg)
{
	struct run_config *c = p->c;
	given_note(c, options, key);
	const struct text_option {
		int key;
		const char **to;
	} texts[] = {
	        {KEY_PREPARE, &c->workload_options.prepare},
	        {KEY_CLEANUP, &c->workload_options.cleanup},
	        {KEY_PHASES, &c->workload_options.phases},
	        {KEY_SERVER_COLD, &c->cache.server_command},
	        {KEY_COLD_COMMAND, &c->cache.command},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].key == key) {
			*texts[i].to = arg;
			if (key == KEY_COLD_COMMAND)
				c->cache.method = COLD_COMMAND;
			return 0;
		}
	if (!arg || (key < KEY_SIZE && key != 'n'))
		return ARGP_ERR_UNKNOWN;
	return parse_value(c, key, arg, p->e) < 0 ? EINVAL : 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	return set_option(state->input, key, arg);
}

static const struct argp_option *find(const char *name)
{
	for (size_t i = 0; i + 1 < sizeof options / sizeof *options; i++)
		if (options[i].name && strcmp(name, options[i].name) == 0)
			return &options[i];
	return NULL;
}

const char *config_workload_takes(const char *name)
{
	const struct argp_option *o = find(name);
	return !o ? NULL : o->arg ? o->arg : "";
}

int config_workload_set(struct config_workload *p, const char *name, char *value)
{
	const struct argp_option *o = find(name);
	return o && set_option(p, o->key, value) == 0 ? 0 : -1;
}

const struct argp config_workload_argp = {.options = options, .parser = parse_option};

static int check_phases(const struct run_config *c, struct err *e)
{
	struct workload_options all = c->workload_options;
	struct workload_phase what[WORKLOAD_PHASES];
	char word[64];
	all.phases = NULL;
	size_t n = workload_phases(c->workload, &all, what);
	for (const char *p = c->workload_options.phases; p && *p;) {
		size_t len = strcspn(p, ","), i = 0;
		snprintf(word, sizeof word, "%.*s", (int)len, p);
		while (i < n && strcmp(what[i].name, word) != 0)
			i++;
		if (i == n)
			return err_set(e, ERR_USAGE,
			               "the %s workload has no phase '%s' with these "
			               "options",
			               c->workload->name, word);
		p += len + (p[len] == ',');
	}
	return 0;
}

static int check_command(const struct run_config *c, struct err *e)
{
	const struct workload_options *w = &c->workload_options;
	if (c->workload == &workload_command && w->nsteps == 0)
		return err_set(e, ERR_USAGE,
		               "the command workload needs --step 'NAME=COMMAND'");
	return 0;
}

static int check_caches(const struct run_config *c, struct err *e)
{
	bool afs = strcmp(c->engine->name, "afs") == 0;
	enum cold_method m = c->cache.method;
	if (m == COLD_COMMAND && !c->cache.command)
		return err_set(e, ERR_USAGE, "--cold command needs --cold-command");
	if (c->cache.command && m != COLD_COMMAND)
		return err_set(e, ERR_USAGE, "--cold-command goes with --cold command");
	if (m == COLD_FLUSH && !afs)
		return err_set(e, ERR_USAGE, "--cold flush goes with the afs engine");
	if (m == COLD_FS && !(c->engine->caps & ENGINE_MOUNTED))
		return err_set(e, ERR_USAGE, "--cold fs goes with the posix engine");
	return 0;
}

int config_workload_check(struct run_config *c, struct err *e)
{
	struct workload_options *w = &c->workload_options;
	if (w->request_size == 0 || w->request_size > 1 << 30)
		return err_set(e, ERR_USAGE, "--request-size must be 1 to 1G");
	if (w->size < w->request_size)
		return err_set(e, ERR_USAGE,
		               "--size is smaller than a request (--request-size)");
	if (c->workload->needs & ~c->engine->caps)
		return err_set(e, ERR_USAGE,
		               "the %s workload does not go with the %s engine: it "
		               "needs a mounted folder",
		               c->workload->name, c->engine->name);
	if (w->seekers > 1 && !(c->engine->caps & ENGINE_THREADS))
		return err_set(e, ERR_USAGE,
		               "the %s engine has one thread: --seekers 1",
		               c->engine->name);
	if (w->rate < 0)
		w->rate = -w->rate / (double)w->request_size;
	if (w->file_max < w->file_min)
		return err_set(e, ERR_USAGE, "--files: MAX is smaller than MIN");
	if (w->dirs > w->files)
		return err_set(e, ERR_USAGE, "--files: more folders than files");
	if (c->probe.interfaces && !c->min_given)
		c->min_ns = 0; /* wire figures are those of whole phases */
	c->engine_options.afs.drop_file = c->cache.method == COLD_FLUSH;
	if (check_command(c, e) < 0 || check_caches(c, e) < 0)
		return -1;
	return check_phases(c, e);
}

static void set_text(json_t *o, const char *key, const char *text)
{
	if (text)
		json_object_set_new(o, key, json_string(text));
}

static void set_number(json_t *o, const char *key, uint64_t n)
{
	json_object_set_new(o, key, json_integer((json_int_t)n));
}

static void set_bonnie(const struct workload_options *w, json_t *o)
{
	set_number(o, "seeks", w->seeks);
	set_number(o, "seekers", w->seekers);
	set_text(o, "per_char", per_char_names[w->per_char]);
	set_number(o, "files", w->files);
	if (w->files > 0) {
		set_number(o, "file_max", w->file_max);
		set_number(o, "file_min", w->file_min);
		set_number(o, "dirs", w->dirs);
	}
}

static void set_steps(const struct workload_options *w, json_t *o)
{
	json_t *steps = json_array();
	for (size_t i = 0; i < w->nsteps; i++)
		json_array_append_new(steps,
		                      json_pack("{s:s, s:s}", "name", w->steps[i].name,
		                                "command", w->steps[i].command));
	json_object_set_new(o, "steps", steps);
	set_text(o, "prepare", w->prepare);
	set_text(o, "cleanup", w->cleanup);
}

void config_workload_json(const struct run_config *c, json_t *o)
{
	const struct workload_options *w = &c->workload_options;
	json_t *caches = json_array();
	for (size_t i = 0; i < c->ncaches; i++)
		json_array_append_new(caches,
		                      json_string(cache_state_names[c->caches[i]]));
	json_object_set_new(o, "cache", caches);
	set_number(o, "size", w->size);
	set_number(o, "request_size", w->request_size);
	set_number(o, "seed", w->seed);
	set_text(o, "fsync", fsync_names[w->fsync]);
	set_text(o, "phases", w->phases);
	set_number(o, "min_time_ns", (uint64_t)c->min_ns);
	set_number(o, "passes", c->passes);
	set_text(o, "cold", cold_method_names[c->cache.method]);
	set_text(o, "cold_command", c->cache.command);
	set_text(o, "server_cold_command", c->cache.server_command);
	if (c->workload == &workload_bonnie)
		set_bonnie(w, o);
	if (c->workload == &workload_tree)
		set_number(o, "tree_files", w->tree_files);
	if (c->workload == &workload_mixed) {
		set_number(o, "mixed_files", w->mixed_files);
		set_number(o, "operations", w->mixed_operations);
		set_number(o, "read_share", w->read_share);
	}
	if (w->rate > 0)
		json_object_set_new(o, "rate", json_real(w->rate));
	if (c->workload == &workload_command)
		set_steps(w, o);
}
