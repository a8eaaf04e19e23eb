#include "src/engine/afs_setup.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/engine/afs_uafs.h"

enum { WORDS = 64, DEFAULT_CACHE_MIB = 200, DEFAULT_CHUNK_LOG = 20, SHUTDOWN_S = 20 };

/* The library ends the whole program by exit() on some errors of its start.  This
 * is never freed: the handler may run after everything else is gone. */
struct exit_guard {
	bool armed;
	char log[1024];
};

struct afs_setup {
	struct exit_guard *guard;
	char *words[WORDS + 1];
	int nwords;
	char cell[128];
	char cache_dir[1024];
	char conf_dir[1024];
	bool own_cache_dir, own_conf_dir;
	int log_fd;
	int saved_stdout; /* -1: not redirected */
};

static void on_library_exit(int code, void *ctx)
{
	const struct exit_guard *g = ctx;
	(void)code;
	if (!g->armed)
		return;
	fflush(stdout);
	fprintf(stderr,
	        "cellbench: the AFS client gave up while it started; %s says why\n",
	        g->log);
	_exit(ERR_ENVIRONMENT);
}

static int add_word(struct afs_setup *s, const char *word, struct err *e)
{
	if (s->nwords == WORDS)
		return err_set(e, ERR_USAGE, "--client-options has more than %d words",
		               WORDS);
	s->words[s->nwords] = strdup(word);
	if (!s->words[s->nwords])
		return err_sys(e, ENOMEM, "afs engine");
	s->nwords++;
	return 0;
}

static int add_pair(struct afs_setup *s, const char *option, const char *value,
                    struct err *e)
{
	return add_word(s, option, e) < 0 ? -1 : add_word(s, value, e);
}

static int add_number(struct afs_setup *s, const char *option, uint64_t value,
                      struct err *e)
{
	char text[32];
	snprintf(text, sizeof text, "%llu", (unsigned long long)value);
	return add_pair(s, option, text, e);
}

static int add_client_options(struct afs_setup *s, const char *text, struct err *e)
{
	char *copy = strdup(text), *save = NULL;
	if (!copy)
		return err_sys(e, ENOMEM, "afs engine");
	int r = 0;
	for (char *w = strtok_r(copy, " \t", &save); w && r == 0;
	     w = strtok_r(NULL, " \t", &save))
		r = add_word(s, w, e);
	free(copy);
	return r;
}

static unsigned log2_of(uint64_t n)
{
	unsigned log = 0;
	while (n > 1) {
		n >>= 1;
		log++;
	}
	return log;
}

/* dynroot: without it the client wants a volume root.afs before it starts. */
static int build_words(struct afs_setup *s, const struct afs_options *o, struct err *e)
{
	uint64_t bytes =
	        o->cache_bytes ? o->cache_bytes : (uint64_t)DEFAULT_CACHE_MIB << 20;
	unsigned chunk = o->chunk_bytes ? log2_of(o->chunk_bytes) : DEFAULT_CHUNK_LOG;
	int r = add_word(s, "cellbench", e);
	r = r < 0 ? r : add_word(s, "-dynroot", e);
	r = r < 0 ? r : add_word(s, "-fakestat", e);
	r = r < 0 ? r : add_pair(s, "-confdir", s->conf_dir, e);
	r = r < 0 ? r : add_pair(s, "-mountdir", "/afs", e);
	r = r < 0 ? r : add_pair(s, "-cachedir", s->cache_dir, e);
	r = r < 0 ? r : add_number(s, "-blocks", bytes >> 10, e);
	r = r < 0 ? r : add_number(s, "-chunksize", chunk, e);
	if (r == 0 && o->memcache)
		r = add_word(s, "-memcache", e);
	if (r == 0 && o->client_options)
		r = add_client_options(s, o->client_options, e);
	return r;
}

/* The library answers a missing file with exit(), so look first. */
static int read_cell(struct afs_setup *s, const char *conf, struct err *e)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/CellServDB", conf);
	if (access(path, R_OK) < 0)
		return err_sys(e, errno, "no cell configuration in %s (--cell-config)",
		               path);
	snprintf(path, sizeof path, "%s/ThisCell", conf);
	FILE *f = fopen(path, "re");
	if (!f || fscanf(f, "%127s", s->cell) != 1) {
		err_sys(e, f ? EINVAL : errno, "no cell name in %s (--cell-config)",
		        path);
		if (f)
			fclose(f);
		return -1;
	}
	fclose(f);
	return 0;
}

static int make_cache_dir(struct afs_setup *s, const struct engine_options *o,
                          struct err *e)
{
	if (o->afs.cache_dir)
		snprintf(s->cache_dir, sizeof s->cache_dir, "%s", o->afs.cache_dir);
	else
		snprintf(s->cache_dir, sizeof s->cache_dir, "%s/afs-cache", o->run_dir);
	if (mkdir(s->cache_dir, 0700) == 0) {
		s->own_cache_dir = true;
		return 0;
	}
	if (errno == EEXIST && o->afs.cache_dir)
		return 0;
	return err_sys(e, errno, "cannot make the cache folder %s", s->cache_dir);
}

static int link_conf(const struct afs_setup *s, const char *conf, const char *name)
{
	char from[1200], to[1200];
	snprintf(from, sizeof from, "%s/%s", conf, name);
	snprintf(to, sizeof to, "%s/%s", s->conf_dir, name);
	if (access(from, R_OK) < 0)
		return 0;
	return symlink(from, to);
}

/* The library insists on a file cacheinfo beside the cell's files, although its
 * options say it all.  So it is given a folder of its own. */
static int make_conf_dir(struct afs_setup *s, const char *named,
                         const struct engine_options *o, struct err *e)
{
	static const char *const names[] = {"CellServDB", "ThisCell", "CellAlias"};
	char path[1200];
	char *conf = realpath(named, NULL);
	snprintf(s->conf_dir, sizeof s->conf_dir, "%s/afs-conf", o->run_dir);
	int r = conf ? mkdir(s->conf_dir, 0700) : -1;
	s->own_conf_dir = r == 0;
	for (size_t i = 0; r == 0 && i < sizeof names / sizeof *names; i++)
		r = link_conf(s, conf, names[i]);
	snprintf(path, sizeof path, "%s/cacheinfo", s->conf_dir);
	FILE *f = r == 0 ? fopen(path, "we") : NULL;
	if (f) {
		fprintf(f, "/afs:%s:%d\n", s->cache_dir, DEFAULT_CACHE_MIB << 10);
		r = fclose(f);
	}
	free(conf);
	if (!f || r < 0)
		return err_sys(e, errno,
		               "cannot prepare the client's configuration in %s",
		               s->conf_dir);
	return 0;
}

/* The library prints to standard output whenever it sees fit, where only the
 * report belongs: from start to stop that descriptor is the log. */
static void quiet_begin(struct afs_setup *s)
{
	fflush(stdout);
	s->saved_stdout = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(s->log_fd, STDOUT_FILENO);
}

static void quiet_end(struct afs_setup *s)
{
	if (s->saved_stdout < 0)
		return;
	fflush(stdout);
	dup2(s->saved_stdout, STDOUT_FILENO);
	close(s->saved_stdout);
	s->saved_stdout = -1;
}

/* Signals are for the driver: the library's threads start with all blocked. */
static int run_library(struct afs_setup *s, struct err *e)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	quiet_begin(s);
	s->guard->armed = true;
	int r = uafs_Setup("/afs");
	if (r)
		err_sys(e, r > 0 ? r : EINVAL, "libuafs does not start");
	else if ((r = uafs_ParseArgs(s->nwords, s->words)))
		err_set(e, ERR_USAGE,
		        "the AFS client refuses its options; see --client-options and "
		        "engine.log in the run directory");
	else if ((r = uafs_Run()))
		err_set(e, ERR_ENVIRONMENT,
		        "the AFS client does not start (%d); see engine.log in the run "
		        "directory",
		        r);
	s->guard->armed = false;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return r ? -1 : 0;
}

static int remove_entry(const char *path, const struct stat *s, int type, struct FTW *w)
{
	(void)s;
	(void)w;
	return type == FTW_DP ? rmdir(path) : unlink(path);
}

static void remove_folder(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static void fini(struct afs_setup *s)
{
	quiet_end(s);
	if (s->own_cache_dir)
		remove_folder(s->cache_dir);
	if (s->own_conf_dir)
		remove_folder(s->conf_dir);
	for (int i = 0; i < s->nwords; i++)
		free(s->words[i]);
	if (s->log_fd >= 0)
		close(s->log_fd);
	free(s);
}

static int open_log(struct afs_setup *s, const char *run_dir, struct err *e)
{
	s->guard = calloc(1, sizeof *s->guard);
	if (!s->guard)
		return err_sys(e, ENOMEM, "afs engine");
	snprintf(s->guard->log, sizeof s->guard->log, "%s/engine.log", run_dir);
	s->log_fd =
	        open(s->guard->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (s->log_fd < 0)
		return err_sys(e, errno, "cannot write %s", s->guard->log);
	on_exit(on_library_exit, s->guard);
	return 0;
}

int afs_setup_start(struct afs_setup **out, const struct engine_options *o,
                    struct err *e)
{
	const char *conf = o->afs.cell_config ? o->afs.cell_config : "/etc/openafs";
	struct afs_setup *s = calloc(1, sizeof *s);
	if (!s)
		return err_sys(e, ENOMEM, "afs engine");
	s->log_fd = s->saved_stdout = -1;
	if (open_log(s, o->run_dir, e) < 0 || read_cell(s, conf, e) < 0 ||
	    make_cache_dir(s, o, e) < 0 || make_conf_dir(s, conf, o, e) < 0 ||
	    build_words(s, &o->afs, e) < 0 || run_library(s, e) < 0) {
		fini(s);
		return -1;
	}
	*out = s;
	return 0;
}

static void *shut_down(void *ctx)
{
	uafs_Shutdown();
	return ctx;
}

/* The library's shutdown waits for its own threads, and about once in some hundred
 * runs for ever.  Nothing is lost by then; the process takes the rest with it. */
void afs_setup_stop(struct afs_setup *s)
{
	pthread_t thread;
	struct timespec until;
	if (!s)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += SHUTDOWN_S;
	if (pthread_create(&thread, NULL, shut_down, NULL) != 0) {
		uafs_Shutdown();
	} else if (pthread_timedjoin_np(thread, NULL, &until) != 0) {
		pthread_detach(thread);
		fprintf(stderr,
		        "cellbench: the AFS client did not end within %d s and is left "
		        "behind\n",
		        SHUTDOWN_S);
	}
	fini(s);
}

bool afs_setup_servers(const struct afs_setup *s, const char *dir, char *text,
                       size_t size)
{
	char path[1200], line[512], word[256], known[140];
	bool here = false;
	int used = snprintf(text, size, "cell %s", s->cell);
	snprintf(known, sizeof known, "/%s:", s->cell);
	snprintf(path, sizeof path, "%s/CellServDB", s->conf_dir);
	if (!strstr(dir, known))
		return false;
	FILE *f = fopen(path, "re");
	const char *before = " (";
	while (f && fgets(line, sizeof line, f) && (size_t)used < size) {
		if (sscanf(line, " >%255s", word) == 1) {
			here = strcmp(word, s->cell) == 0;
		} else if (here && sscanf(line, "%255s", word) == 1) {
			used += snprintf(text + used, size - (size_t)used, "%s%s",
			                 before, word);
			before = ", ";
		}
	}
	if (f)
		fclose(f);
	if (before[0] == ',' && (size_t)used < size)
		snprintf(text + used, size - (size_t)used, ")");
	return true;
}

json_t *afs_setup_describe(const struct afs_setup *s)
{
	json_t *words = json_array();
	for (int i = 1; i < s->nwords; i++)
		json_array_append_new(words, json_string(s->words[i]));
	/* "@(#)" is the mark that what(1) looks for */
	const char *version = strstr(cml_version_number, "OpenAFS");
	return json_pack("{s:s, s:s, s:o, s:s}", "version",
	                 version ? version : cml_version_number, "cell", s->cell,
	                 "client_options", words, "cache_dir", s->cache_dir);
}
