#include "src/run/leftover.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cache/traffic.h"
#include "src/engine/engine.h"
#include "src/workload/owned.h"

enum { PATH = 4096, SMALL_CACHE = 16 << 20 }; /* no data are read */

static const char *text_of(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

/* The folder's name has the run's id in it; a record that names another is not
 * believed. */
static int check_name(const struct run *r, const char *dir, struct err *e)
{
	char name[96];
	const char *slash = strrchr(dir, '/');
	snprintf(name, sizeof name, "/cellbench-%s", r->id);
	if (r->id[0] && slash && strcmp(slash, name) == 0)
		return 0;
	return err_set(e, ERR_USAGE,
	               "%s/run.json names %s as its work folder, which is not one",
	               r->dir, dir);
}

static int64_t received(void)
{
	return traffic_now().received;
}

/* The engine once more, with a place of its own for its cache. */
static int start_engine(struct engine *en, const struct run *r, const char *dir,
                        char *own, struct err *e)
{
	const json_t *options = json_object_get(r->facts, "options");
	const struct engine_ops *ops = engine_find(r->engine);
	char above[PATH];
	snprintf(above, sizeof above, "%.*s", (int)(strrchr(dir, '/') - dir), dir);
	struct engine_options o = {
	        .dir = above,
	        .run_dir = own,
	        .afs = {.cell_config = text_of(options, "cell_config"),
	                .client_options = text_of(options, "client_options"),
	                .cache_bytes = SMALL_CACHE},
	        .watch = {.received = received},
	};
	if (!ops)
		return err_set(e, ERR_ENVIRONMENT, "the %s engine was not built in",
		               r->engine);
	if (!mkdtemp(own))
		return err_sys(e, errno, "cannot make the folder %s", own);
	if (engine_start(en, ops, &o, e) == 0)
		return 0;
	owned_empty(own);
	rmdir(own);
	return -1;
}

static int remove_all(const struct engine *en, const char *dir, struct err *e)
{
	struct stat s;
	char foreign[PATH];
	int r = en->ops->stat(en->st, dir, &s);
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return err_sys(e, -r, "cannot reach %s", dir);
	r = owned_remove(en, dir, true, foreign, sizeof foreign, e);
	if (r > 0)
		return err_set(
		        e, ERR_FINDINGS,
		        "%s was not made by the run, so nothing was removed; take "
		        "it away first",
		        foreign);
	if (r < 0)
		return -1;
	r = en->ops->rmdir(en->st, dir);
	return r < 0 ? err_sys(e, -r, "cannot remove %s", dir) : 1;
}

/* The cache and the configuration that the afs engine keeps in the run directory. */
static int remove_engine_files(const struct run *r)
{
	static const char *const names[] = {"afs-cache", "afs-conf"};
	int removed = 0;
	char path[PATH + 16];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%.4080s/%s", r->dir, names[i]);
		if (owned_empty(path) == 0 && rmdir(path) == 0)
			removed = 1;
	}
	snprintf(path, sizeof path, "%.4080s/.run.json.new", r->dir);
	return unlink(path) == 0 ? 1 : removed;
}

/* Whether the process works in dir or below it. */
static bool works_in(const char *pid, const char *dir)
{
	char link[64], cwd[PATH];
	size_t n = strlen(dir);
	snprintf(link, sizeof link, "/proc/%.20s/cwd", pid);
	ssize_t got = readlink(link, cwd, sizeof cwd - 1);
	if (got < 0)
		return false;
	cwd[got] = '\0';
	return strncmp(cwd, dir, n) == 0 && (cwd[n] == '/' || cwd[n] == '\0');
}

/* A process that works in dir; 0: none that can be seen. */
static pid_t process_in(const char *dir)
{
	pid_t found = 0;
	DIR *d = opendir("/proc");
	for (const struct dirent *entry; d && !found && (entry = readdir(d));)
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    works_in(entry->d_name, dir))
			found = (pid_t)strtol(entry->d_name, NULL, 10);
	if (d)
		closedir(d);
	return found;
}

/* Who still makes use of the run, as a sentence; false: nobody. */
static bool in_use(const struct run *r, const char *dir, struct err *e)
{
	pid_t pid;
	if (run_is_alive(r->dir))
		err_set(e, ERR_USAGE, "the run in %s is still under way", r->dir);
	else if (dir && (pid = process_in(dir)) > 0)
		err_set(e, ERR_USAGE,
		        "process %d, a command of the run, still works in %s; end it "
		        "first",
		        (int)pid, dir);
	else
		return false;
	return true;
}

/* When a driver is killed its command dies too, but a moment later. */
static bool stays_in_use(const struct run *r, const char *dir, struct err *e)
{
	enum { TRIES = 25, PAUSE_US = 20000 };
	for (int try = 0; in_use(r, dir, e); try++) {
		if (try == TRIES)
			return true;
		*e = (struct err){0};
		usleep(PAUSE_US);
	}
	return false;
}

int leftover_remove(struct run *r, struct err *e)
{
	struct engine en = {0};
	const char *dir = text_of(r->facts, "work_dir");
	char own[] = "/tmp/cellbench-clean-XXXXXX";
	int removed = 0;
	if (dir && check_name(r, dir, e) < 0)
		return -1;
	if (stays_in_use(r, dir, e))
		return -1;
	bool in_memory = strcmp(r->engine, engine_null.name) == 0;
	if (dir && !in_memory) {
		if (start_engine(&en, r, dir, own, e) < 0)
			return -1;
		removed = remove_all(&en, dir, e);
		engine_stop(&en);
		owned_empty(own);
		rmdir(own);
		if (removed < 0)
			return -1;
	}
	removed |= remove_engine_files(r);
	if (r->status == RUN_RUNNING) {
		r->status = RUN_INTERRUPTED;
		run_add_problem(r,
		                "the run was killed; what it left was removed later");
		if (run_save(r, e) < 0)
			return -1;
	}
	return removed;
}
