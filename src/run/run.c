#include "src/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/run/json_text.h"

static double per_second(double amount, int64_t ns)
{
	return ns > 0 ? amount * 1e9 / (double)ns : 0;
}

double run_phase_kib_s(const struct run_phase *p)
{
	return per_second((double)p->bytes / 1024, p->stored_ns);
}

double run_phase_kib_s_call(const struct run_phase *p)
{
	return per_second((double)p->bytes / 1024, p->call_ns);
}

double run_phase_cpu(const struct run_phase *p)
{
	return p->stored_ns > 0 ? 100.0 * (double)p->cpu_ns / (double)p->stored_ns : 0;
}

double run_phase_ops_s(const struct run_phase *p)
{
	return per_second((double)p->operations, p->stored_ns);
}

double run_phase_s_per_mib(const struct run_phase *p, int64_t cpu_ns)
{
	return p->bytes > 0 ? (double)cpu_ns / 1e9 / ((double)p->bytes / 1048576) : NAN;
}

double run_phase_machine(const struct run_phase *p)
{
	enum { LEAST_MS = 200 }; /* of processor time: a tick then is 5 % */
	const struct run_cpu *c = &p->cpu;
	if (!c->has_machine || c->machine_time_ns < LEAST_MS * NS_PER_MS)
		return NAN;
	return (double)c->machine_busy_ns / (double)c->machine_time_ns;
}

bool run_phase_short(const struct run_phase *p)
{
	return !p->failed && p->stored_ns < RUN_SHORT_NS;
}

bool run_phase_not_cold(const struct run_phase *p)
{
	return strcmp(p->cache, "cold") == 0 && !p->cold_proven;
}

bool run_phase_not_stored(const struct run_phase *p)
{
	return p->sent_bytes >= 0 && p->read_bytes == 0 &&
	       (double)p->sent_bytes < 0.98 * (double)p->written_bytes;
}

bool run_phase_not_warm(const struct run_phase *p)
{
	return strcmp(p->cache, "warm") == 0 && p->warm_refuted;
}

static void make_id(char *id, size_t room)
{
	time_t now = (time_t)(clock_real_ns() / NS_PER_S);
	struct tm t;
	uint64_t random = 0;
	char stamp[24];
	gmtime_r(&now, &t);
	strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &t);
	if (getrandom(&random, sizeof random, 0) != sizeof random)
		random = (uint64_t)clock_mono_ns() ^ (uint64_t)getpid();
	snprintf(id, room, "%s-%016llx", stamp, (unsigned long long)random);
}

/* Makes the folder and those above it. */
static int make_folders(const char *path, struct err *e)
{
	char part[4096];
	snprintf(part, sizeof part, "%s", path);
	for (char *p = part + 1;; p++) {
		if (*p != '/' && *p != '\0')
			continue;
		char was = *p;
		*p = '\0';
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			return err_sys(e, errno, "cannot make the run directory %s",
			               part);
		if (was == '\0')
			return 0;
		*p = was;
	}
}

int run_init(struct run *r, const char *dir, struct err *e)
{
	*r = (struct run){.problems = json_array(), .facts = json_object()};
	make_id(r->id, sizeof r->id);
	char path[4096];
	if (dir)
		snprintf(path, sizeof path, "%s", dir);
	else
		snprintf(path, sizeof path, "runs/%s", r->id);
	if (make_folders(path, e) < 0)
		return -1;
	if (!realpath(path, r->dir))
		return err_sys(e, errno, "cannot use the run directory %s", path);
	snprintf(path, sizeof path, "%.4080s/run.json", r->dir);
	if (access(path, F_OK) == 0)
		return err_set(e, ERR_USAGE,
		               "%s holds a run already; name another folder with -o",
		               r->dir);
	r->lock = open(r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->lock > 0)
		flock(r->lock, LOCK_EX | LOCK_NB); /* gone with the process */
	return 0;
}

bool run_is_alive(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool alive =
	        fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
	if (fd >= 0)
		close(fd);
	return alive;
}

void run_phase_fini(struct run_phase *p)
{
	free(p->passes);
	hist_free(&p->latency.hist);
	*p = (struct run_phase){0};
}

void run_fini(struct run *r)
{
	for (size_t i = 0; i < r->nphases; i++)
		run_phase_fini(&r->phases[i]);
	free(r->phases);
	if (r->lock > 0)
		close(r->lock);
	json_decref(r->problems);
	json_decref(r->facts);
	*r = (struct run){0};
}

int run_add_phase(struct run *r, const struct run_phase *p)
{
	struct run_phase *more = realloc(r->phases, (r->nphases + 1) * sizeof *more);
	if (!more)
		return -1;
	r->phases = more;
	r->phases[r->nphases++] = *p;
	return 0;
}

int run_add_pass(struct run_phase *p, const struct run_pass *pass)
{
	struct run_pass *more = realloc(p->passes, (p->npasses + 1) * sizeof *more);
	if (!more)
		return -1;
	p->passes = more;
	if (p->npasses == 0)
		p->begin_ns = pass->begin_ns;
	cpu_add(&p->cpu, &pass->cpu, p->npasses == 0);
	p->passes[p->npasses++] = *pass;
	p->end_ns = pass->end_ns;
	p->call_ns += pass->call_ns;
	p->stored_ns += pass->stored_ns;
	p->cpu_ns += pass->cpu_ns;
	p->bytes += pass->bytes;
	p->operations += pass->operations;
	return 0;
}

void run_add_problem(struct run *r, const char *text)
{
	json_array_append_new(r->problems, json_string(text));
}

static int write_all(int fd, const char *text, size_t n)
{
	while (n > 0) {
		ssize_t w = write(fd, text, n);
		if (w < 0)
			return -1;
		text += w;
		n -= (size_t)w;
	}
	return fsync(fd);
}

static int write_new(int folder, const char *temporary, const char *name,
                     const char *text, size_t n)
{
	int fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
	                0644);
	if (fd < 0)
		return -errno;
	int r = write_all(fd, text, n) < 0 ? -errno : 0;
	close(fd);
	if (r == 0 && renameat(folder, temporary, folder, name) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(folder, temporary, 0);
	else
		fsync(folder); /* some file systems cannot; the file is whole anyway */
	return r;
}

int run_write_file(const struct run *r, const char *name, const char *text, size_t n,
                   struct err *e)
{
	char temporary[64];
	snprintf(temporary, sizeof temporary, ".%s.new", name);
	int folder = open(r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int written = folder < 0 ? -errno : write_new(folder, temporary, name, text, n);
	if (folder >= 0)
		close(folder);
	if (written < 0)
		return err_sys(e, -written, "cannot write %s/%s", r->dir, name);
	return 0;
}

int run_save(const struct run *r, struct err *e)
{
	json_t *o = run_json(r);
	char *text = o ? json_text(o) : NULL;
	json_decref(o);
	if (!text)
		return err_sys(e, ENOMEM, "cannot write %s/run.json", r->dir);
	int result = run_write_file(r, "run.json", text, strlen(text), e);
	free(text);
	return result;
}

int run_load(struct run *r, const char *dir, struct err *e)
{
	char path[4096];
	json_error_t why;
	*r = (struct run){0};
	snprintf(path, sizeof path, "%s/run.json", dir);
	if (access(path, R_OK) < 0)
		return err_set(e, ERR_USAGE, "no run in %s: cannot read %s", dir, path);
	json_t *o = json_load_file(path, 0, &why);
	if (!o)
		return err_set(e, ERR_USAGE, "%s is not a run record: %s", path,
		               why.text);
	int result = run_from_json(r, o, e);
	json_decref(o);
	snprintf(r->dir, sizeof r->dir, "%s", dir);
	return result < 0 ? err_prefix(e, "%s", path) : 0;
}
