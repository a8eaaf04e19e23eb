#include "src/cache/cold.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/process.h"
#include "src/cache/residency.h"

const char *const cold_method_names[COLD_METHOD_COUNT] = {
        [COLD_ENGINE] = "engine",   [COLD_FLUSH] = "flush",
        [COLD_FS] = "fs",           [COLD_DROP_CACHES] = "drop-caches",
        [COLD_COMMAND] = "command", [COLD_NONE] = "none",
};

static void failed(struct engine_drop *out, int error)
{
	char why[128];
	out->proven = false;
	snprintf(out->proof, sizeof out->proof, "it failed: %s",
	         strerror_r(error, why, sizeof why));
}

void cold_make(const struct engine *en, const char *path, struct engine_drop *out)
{
	struct stat s;
	*out = (struct engine_drop){0};
	if (en->ops->stat(en->st, path, &s) == -ENOENT) {
		out->proven = true;
		snprintf(out->means, sizeof out->means, "none needed");
		snprintf(out->proof, sizeof out->proof, "the file did not exist yet");
		return;
	}
	if (!(en->ops->caps & ENGINE_CAN_DROP)) {
		snprintf(out->means, sizeof out->means, "none");
		snprintf(out->proof, sizeof out->proof,
		         "the %s engine cannot drop data", en->ops->name);
		return;
	}
	int r = en->ops->drop(en->st, path, out);
	if (r < 0)
		failed(out, -r);
}

/* Adds up what dropping many files did. */
struct drops {
	const struct engine *en;
	struct engine_drop sum;
	uint64_t files;
};

static int drop_one(void *ctx, const char *path)
{
	struct drops *d = ctx;
	struct engine_drop one;
	cold_make(d->en, path, &one);
	memcpy(d->sum.means, one.means, sizeof one.means);
	if (!one.proven && d->sum.proven)
		memcpy(d->sum.proof, one.proof, sizeof one.proof);
	d->sum.proven &= one.proven;
	d->sum.pages += one.pages;
	d->sum.before += one.before;
	d->sum.after += one.after;
	d->files++;
	return 0;
}

/* fadvise drops clean pages: written all at once, that is cheaper than by file. */
static void store(const struct cache_place *p)
{
	int fd = p->engine->ops->caps & ENGINE_MOUNTED
	                 ? open(p->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
	                 : -1;
	if (fd < 0)
		return;
	syncfs(fd);
	close(fd);
}

static void drop_files(const struct cache_place *p, struct engine_drop *out)
{
	struct drops d = {.en = p->engine, .sum = {.proven = true}};
	store(p);
	int r = residency_each(p, drop_one, &d);
	*out = d.sum;
	if (r < 0) {
		failed(out, -r);
		return;
	}
	if (d.files == 0) {
		snprintf(out->means, sizeof out->means, "none needed");
		snprintf(out->proof, sizeof out->proof, "no file existed yet");
		return;
	}
	if (p->engine->ops->resident)
		snprintf(out->proof, sizeof out->proof,
		         "%llu files: %llu of %llu pages resident before, %llu after",
		         (unsigned long long)d.files, (unsigned long long)d.sum.before,
		         (unsigned long long)d.sum.pages,
		         (unsigned long long)d.sum.after);
	else
		snprintf(out->proof, sizeof out->proof, "%llu files, each answered 0",
		         (unsigned long long)d.files);
}

/* Pages are not all that such a client keeps. */
static void doubt_own_cache(const struct cache_place *p, struct engine_drop *out)
{
	size_t used = strlen(out->proof);
	if (!out->proven || !(engine_caps(p->engine) & ENGINE_OWN_CACHE))
		return;
	snprintf(out->proof + used, sizeof out->proof - used,
	         "; the client's own cache is not reached by that");
	out->proven = false;
}

static void by_engine(const struct cache_config *c, const struct cache_place *p,
                      struct engine_drop *out)
{
	bool all = p->engine->ops->caps & ENGINE_DROPS_ALL && c->method != COLD_FLUSH;
	if (p->file)
		cold_make(p->engine, p->file, out);
	else if (all)
		cold_make(p->engine, p->dir, out);
	else
		drop_files(p, out);
	if (strcmp(out->means, "none needed") == 0)
		return;
	doubt_own_cache(p, out);
	if (!p->names || all || !out->proven || p->file)
		return;
	size_t used = strlen(out->proof);
	snprintf(out->proof + used, sizeof out->proof - used,
	         "; names and attributes stay cached");
	out->proven = false;
}

/* After a drop whose success the means itself does not show: by residency. */
static void prove(const struct cache_place *p, const char *what,
                  struct engine_drop *out)
{
	struct residency r = residency_count(p);
	out->pages = r.pages;
	out->after = r.in;
	out->proven = !r.known || r.in == 0;
	if (r.known)
		snprintf(out->proof, sizeof out->proof,
		         "%s; %llu of %llu pages "
		         "resident after",
		         what, (unsigned long long)r.in, (unsigned long long)r.pages);
	else
		snprintf(out->proof, sizeof out->proof, "%s", what);
}

static void by_drop_caches(const struct cache_config *c, const struct cache_place *p,
                           struct engine_drop *out)
{
	(void)c;
	snprintf(out->means, sizeof out->means, "sync, /proc/sys/vm/drop_caches");
	sync();
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, "3\n", 2) == 2;
	int error = errno;
	if (fd >= 0)
		close(fd);
	if (!done) {
		failed(out, error);
		return;
	}
	prove(p, "the kernel took it", out);
	doubt_own_cache(p, out);
}

static int shell(const char *command, const struct cache_place *p,
                 struct process_end *end, struct err *e)
{
	const char *const env[] = {"CELLBENCH_DIR", p->dir, NULL};
	struct process run = {.command = command,
	                      .dir = "/",
	                      .log = p->log,
	                      .env = env,
	                      .stop = p->stop};
	return process_run(&run, end, e);
}

static void by_shell(const char *command, const struct cache_place *p,
                     struct engine_drop *out)
{
	struct err e = {0};
	struct process_end end;
	char why[sizeof out->proof];
	if (shell(command, p, &end, &e) < 0) {
		snprintf(out->proof, sizeof out->proof, "%.180s", e.text);
		return;
	}
	if (end.status != 0) {
		process_text(&end, why, sizeof why);
		snprintf(out->proof, sizeof out->proof, "it failed: %.170s", why);
		return;
	}
	prove(p, "exit code 0", out);
}

static void by_command(const struct cache_config *c, const struct cache_place *p,
                       struct engine_drop *out)
{
	snprintf(out->means, sizeof out->means, "%.90s", c->command);
	store(p);
	by_shell(c->command, p, out);
}

static void by_fs(const struct cache_config *c, const struct cache_place *p,
                  struct engine_drop *out)
{
	(void)c;
	snprintf(out->means, sizeof out->means, "fs flushvolume");
	store(p);
	by_shell("cd \"$CELLBENCH_DIR\" && fs flushvolume -path .", p, out);
}

static void by_nothing(const struct cache_config *c, const struct cache_place *p,
                       struct engine_drop *out)
{
	(void)c;
	(void)p;
	snprintf(out->means, sizeof out->means, "none");
	snprintf(out->proof, sizeof out->proof, "nothing was to be done (--cold none)");
}

typedef void cold_fn(const struct cache_config *c, const struct cache_place *p,
                     struct engine_drop *out);

void cold_apply(const struct cache_config *c, const struct cache_place *p,
                struct engine_drop *out)
{
	static cold_fn *const methods[COLD_METHOD_COUNT] = {
	        [COLD_ENGINE] = by_engine,   [COLD_FLUSH] = by_engine,
	        [COLD_FS] = by_fs,           [COLD_DROP_CACHES] = by_drop_caches,
	        [COLD_COMMAND] = by_command, [COLD_NONE] = by_nothing,
	};
	*out = (struct engine_drop){0};
	methods[c->method](c, p, out);
}

void cold_server(const struct cache_config *c, const struct cache_place *p, char *text,
                 size_t size)
{
	struct process_end end;
	struct err e = {0};
	char how[200];
	if (!c->server_command) {
		snprintf(text, size, "not touched");
		return;
	}
	if (shell(c->server_command, p, &end, &e) < 0)
		snprintf(how, sizeof how, "%.190s", e.text);
	else
		process_text(&end, how, sizeof how);
	snprintf(text, size, "%.90s: %.60s", c->server_command, how);
}

bool cache_residency(const struct cache_place *p, bool *all, char *text, size_t size)
{
	struct residency r = residency_count(p);
	*all = r.known && r.in == r.pages;
	if (r.known)
		snprintf(text, size, "%llu of %llu pages resident",
		         (unsigned long long)r.in, (unsigned long long)r.pages);
	return r.known;
}
