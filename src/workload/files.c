#include "src/workload/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"

enum file_set { SET_NONE, SET_SEQUENTIAL, SET_RANDOM };

enum { SUFFIX_MAX = 12, NUMBER_DIGITS = 10, DIR_DIGITS = 5, TAIL_MAX = 32 };

struct files {
	enum file_set set;   /* what names the files of this phase have */
	enum file_set there; /* which of them exist, all */
	uint32_t *shuffled;  /* their numbers in random order */
	char prefix[4096];   /* WORK/files/ */
	size_t prefix_len;
};

bool files_enabled(const struct workload_options *o)
{
	return o->files > 0;
}

bool files_at_work(const struct work *w)
{
	return strncmp(w->step, "seq-", 4) == 0 ||
	       (strncmp(w->step, "random-", 7) == 0 &&
	        strcmp(w->step, "random-seeks") != 0);
}

static char *put_hex(char *to, uint64_t n, unsigned digits)
{
	for (unsigned i = digits; i-- > 0; n >>= 4)
		to[i] = "0123456789abcdef"[n & 15];
	return to + digits;
}

static char *put_decimal(char *to, uint64_t n, unsigned digits)
{
	for (unsigned i = digits; i-- > 0; n /= 10)
		to[i] = (char)('0' + n % 10);
	return to + digits;
}

static char *put_suffix(char *to, uint64_t random)
{
	unsigned n = (unsigned)(random >> 60) % (SUFFIX_MAX + 1);
	for (unsigned i = 0; i < n; i++, random >>= 5)
		*to++ = "ABCDEFGHJKLMNPQRabcdefghjkmnpqrs"[random % 32];
	return to;
}

/* Sets w->path to the file with this number.  Its name: ten digits that count, and up
 * to twelve random letters behind them or, for names in random order, before them.
 * By hand and without a division: printf would cost a tenth of what a stat takes. */
static void set_path(struct work *w, uint64_t i)
{
	const struct workload_options *o = w->options;
	const struct files *f = w->state;
	uint64_t random = rng_mix(o->seed ^ i << 2 ^ f->set);
	char *p = w->path;
	memcpy(p, f->prefix, f->prefix_len);
	p += f->prefix_len;
	if (o->dirs > 0) {
		p = put_decimal(p, i * o->dirs / o->files, DIR_DIGITS);
		*p++ = '/';
	}
	if (f->set == SET_RANDOM)
		p = put_suffix(p, random);
	p = put_hex(p, i, NUMBER_DIGITS);
	if (f->set == SET_SEQUENTIAL)
		p = put_suffix(p, random);
	*p = '\0';
}

static uint64_t file_size(const struct workload_options *o, uint64_t i)
{
	if (o->file_min == o->file_max)
		return o->file_min; /* no number need be drawn */
	struct rng r = rng_init(o->seed + i);
	return o->file_min + rng_below(&r, o->file_max - o->file_min + 1);
}

/* Of all of them. */
static uint64_t files_bytes(const struct workload_options *o)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < o->files; i++)
		sum += file_size(o, i);
	return sum;
}

/* Creates the file at w->path with its content. */
static int create_one(struct work *w, uint64_t i, struct err *e)
{
	const struct engine *en = w->engine;
	uint64_t size = file_size(w->options, i), request = w->options->request_size;
	int handle = en->ops->open(en->st, w->path, O_CREAT | O_EXCL | O_WRONLY, 0644);
	if (handle < 0)
		return work_error(w, e, handle, "creating", WORK_WHOLE_FILE);
	for (uint64_t at = 0, n; at < size; at += n) {
		n = size - at < request ? size - at : request;
		ssize_t r = work_write(w, handle, data_next(&w->data, n), n);
		if (r < 0) {
			work_error(w, e, r, "writing", at);
			break;
		}
	}
	if (work_close(w, handle, false, e) < 0)
		return -1;
	meter_count(&w->meter, size);
	return 0;
}

static int create_all(struct work *w, struct err *e)
{
	for (uint64_t i = 0; i < w->options->files; i++) {
		set_path(w, i);
		meter_start(&w->meter);
		if (create_one(w, i, e) < 0)
			return -1;
		meter_done(&w->meter);
		if (work_stopped(w, e))
			return -1;
	}
	return 0;
}

/* As bonnie++, which changes into its folder. */
static void begin(struct work *w, uint64_t total, const char *of)
{
	const struct files *f = w->state;
	const struct engine *en = w->engine;
	memcpy(w->path, f->prefix, f->prefix_len);
	w->path[f->prefix_len - 1] = '\0';
	if (en->ops->enter)
		en->ops->enter(en->st, w->path);
	meter_begin(&w->meter, total, of);
}

static int end(struct work *w, struct err *e)
{
	const struct engine *en = w->engine;
	meter_last_call(&w->meter);
	if (e->code == ERR_NONE)
		meter_end(&w->meter);
	if (en->ops->enter)
		en->ops->enter(en->st, NULL);
	return e->code == ERR_NONE ? 0 : -1;
}

int files_create(struct work *w, struct err *e)
{
	struct files *f = w->state;
	f->there = SET_NONE;
	begin(w, files_bytes(w->options), "create: open, write, close");
	if (create_all(w, e) == 0)
		f->there = f->set;
	return end(w, e);
}

/* bonnie++ reads the files that have content. */
static int look_at(struct work *w, struct err *e)
{
	const struct engine *en = w->engine;
	struct stat s;
	int r = en->ops->stat(en->st, w->path, &s);
	if (r < 0)
		return work_error(w, e, r, "looking at", WORK_WHOLE_FILE);
	uint64_t bytes = 0;
	if (w->options->file_max > 0) {
		int handle = en->ops->open(en->st, w->path, O_RDONLY, 0);
		if (handle < 0)
			return work_error(w, e, handle, "opening", WORK_WHOLE_FILE);
		ssize_t n;
		while ((n = en->ops->read(en->st, handle, w->buf,
		                          w->options->request_size)) > 0)
			bytes += (uint64_t)n;
		if (n < 0)
			work_error(w, e, n, "reading", bytes);
		else if (bytes != (uint64_t)s.st_size)
			err_set(e, ERR_ENVIRONMENT, "%s: %llu bytes were read of %lld",
			        w->path, (unsigned long long)bytes,
			        (long long)s.st_size);
		if (work_close(w, handle, false, e) < 0)
			return -1;
	}
	meter_count(&w->meter, bytes);
	return 0;
}

struct listing {
	struct work *w;
	struct err *e;
	size_t prefix_len; /* of w->path: the folder and a slash */
};

static int look_at_entry(void *ctx, const char *name)
{
	struct listing *l = ctx;
	size_t n = strlen(name);
	if (l->prefix_len + n >= sizeof l->w->path)
		return -ENAMETOOLONG;
	memcpy(l->w->path + l->prefix_len, name, n + 1);
	meter_start(&l->w->meter);
	if (look_at(l->w, l->e) < 0)
		return -ECANCELED;
	meter_done(&l->w->meter);
	return work_stopped(l->w, l->e) ? -ECANCELED : 0;
}

/* In the order in which the folder lists them. */
int files_stat_listed(struct work *w, struct err *e)
{
	const struct workload_options *o = w->options;
	struct listing l = {.w = w, .e = e};
	begin(w, files_bytes(o), "stat");
	for (unsigned d = 0; d < (o->dirs ? o->dirs : 1) && e->code == ERR_NONE; d++) {
		char path[sizeof w->path];
		int n = o->dirs ? work_path(w, e, "files/%05u", d)
		                : work_path(w, e, "files");
		if (n < 0)
			break;
		memcpy(path, w->path, sizeof path);
		l.prefix_len = strlen(path) + 1;
		w->path[l.prefix_len - 1] = '/';
		int r = w->engine->ops->readdir(w->engine->st, path, look_at_entry, &l);
		if (r < 0 && r != -ECANCELED)
			work_error(w, e, r, "listing", WORK_WHOLE_FILE);
	}
	if (e->code == ERR_NONE && w->meter.operations != o->files)
		err_set(e, ERR_ENVIRONMENT,
		        "%s/files lists %llu files of %llu that were made", w->dir,
		        (unsigned long long)w->meter.operations,
		        (unsigned long long)o->files);
	return end(w, e);
}

int files_stat_shuffled(struct work *w, struct err *e)
{
	const struct files *f = w->state;
	begin(w, files_bytes(w->options), "stat");
	for (uint64_t i = 0; i < w->options->files; i++) {
		set_path(w, f->shuffled[i]);
		meter_start(&w->meter);
		if (look_at(w, e) < 0)
			break;
		meter_done(&w->meter);
		if (work_stopped(w, e))
			break;
	}
	return end(w, e);
}

/* order NULL: as they were created. */
static int delete_all(struct work *w, const uint32_t *order, struct err *e)
{
	const struct engine *en = w->engine;
	for (uint64_t i = 0; i < w->options->files; i++) {
		set_path(w, order ? order[i] : i);
		meter_start(&w->meter);
		int r = en->ops->unlink(en->st, w->path);
		if (r < 0)
			return work_error(w, e, r, "deleting", WORK_WHOLE_FILE);
		meter_done(&w->meter);
		meter_count(&w->meter, 0);
		if (work_stopped(w, e))
			return -1;
	}
	return 0;
}

static int delete_in(struct work *w, const uint32_t *order, struct err *e)
{
	struct files *f = w->state;
	f->there = SET_NONE;
	begin(w, 0, "delete");
	delete_all(w, order, e);
	return end(w, e);
}

int files_delete(struct work *w, struct err *e)
{
	return delete_in(w, NULL, e);
}

int files_delete_shuffled(struct work *w, struct err *e)
{
	const struct files *f = w->state;
	return delete_in(w, f->shuffled, e);
}

static int make_state(struct work *w, struct err *e)
{
	uint64_t n = w->options->files;
	struct rng r = rng_init(rng_mix(w->options->seed ^ n));
	struct files *f = calloc(1, sizeof *f);
	uint32_t *order = malloc(n * sizeof *order);
	if (!f || !order) {
		free(f);
		free(order);
		return err_sys(e, ENOMEM, "no room for the names of files");
	}
	for (uint64_t i = 0; i < n; i++) { /* inside-out shuffle */
		uint64_t k = rng_below(&r, i + 1);
		order[i] = order[k];
		order[k] = (uint32_t)i;
	}
	f->shuffled = order;
	w->state = f;
	if (work_path(w, e, "files/") < 0)
		return -1;
	f->prefix_len = strlen(w->path);
	memcpy(f->prefix, w->path, f->prefix_len);
	if (f->prefix_len + TAIL_MAX >= sizeof f->prefix)
		return err_sys(e, ENAMETOOLONG, "cannot work in %s", w->dir);
	return 0;
}

static int make_dirs(struct work *w, struct err *e)
{
	const struct engine *en = w->engine;
	for (unsigned d = 0; d <= w->options->dirs; d++) {
		int r = d == 0 ? work_path(w, e, "files")
		               : work_path(w, e, "files/%05u", d - 1);
		if (r < 0)
			return -1;
		r = en->ops->mkdir(en->st, w->path, 0755);
		if (r < 0 && r != -EEXIST)
			return work_error(w, e, r, "making the folder",
			                  WORK_WHOLE_FILE);
	}
	return 0;
}

static int delete_what_is_there(struct work *w, struct err *e)
{
	struct files *f = w->state;
	enum file_set set = f->set;
	if (f->there == SET_NONE)
		return 0;
	f->set = f->there;
	f->there = SET_NONE;
	int r = delete_all(w, NULL, e);
	f->set = set;
	return r;
}

static int prepare(struct work *w, enum file_set set, bool made, struct err *e)
{
	if (!w->state && (make_state(w, e) < 0 || make_dirs(w, e) < 0))
		return -1;
	struct files *f = w->state;
	f->set = set;
	if (made && f->there == set)
		return 0;
	if (delete_what_is_there(w, e) < 0)
		return -1;
	if (!made)
		return 0;
	if (create_all(w, e) < 0)
		return -1;
	f->there = set;
	return 0;
}

int files_seq_empty(struct work *w, struct err *e)
{
	return prepare(w, SET_SEQUENTIAL, false, e);
}

int files_seq_made(struct work *w, struct err *e)
{
	return prepare(w, SET_SEQUENTIAL, true, e);
}

int files_random_empty(struct work *w, struct err *e)
{
	return prepare(w, SET_RANDOM, false, e);
}

int files_random_made(struct work *w, struct err *e)
{
	return prepare(w, SET_RANDOM, true, e);
}

int files_warm_up(struct work *w, struct err *e)
{
	return files_stat_listed(w, e);
}

void files_fini(struct work *w)
{
	struct files *f = w->state;
	free(f->shuffled);
	free(f);
	w->state = NULL;
}
