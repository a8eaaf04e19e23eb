#include "netprobe/source/source.h"

#include "netprobe/source/filter.h"
#include "netprobe/source/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define AHEAD_FILES 2u /* with more of them threads would only be in the way */

/* What comes next from one file, while others have earlier things to tell. */
struct head {
	enum record kind;
	int64_t key; /* time that decides whose turn it is: of its latest frame */
	struct frame frame;
	struct source_mark mark;
};

struct source {
	struct source_tables tables;
	char **path;
	struct reader *reader;
	size_t readers;
	struct filter *filter;
	/* several files: a heap of those that go on, the earliest first */
	struct head *head;
	size_t *heap;
	size_t heaped;
	bool started;
	uint64_t frames;
};

/* ---- opening ------------------------------------------------------------- */

static int allocate(struct source *s, const char *const *paths, size_t n,
                    struct err *err)
{
	s->path = calloc(n + 1, sizeof *s->path); /* ends with NULL */
	s->reader = calloc(n, sizeof *s->reader);
	s->head = calloc(n, sizeof *s->head);
	s->heap = calloc(n, sizeof *s->heap);
	s->tables.ended = calloc(n, sizeof *s->tables.ended);
	if (!s->path || !s->reader || !s->head || !s->heap || !s->tables.ended)
		return err_sys(err, ENOMEM, "memory for %zu captures", n);
	for (size_t i = 0; i < n; i++) {
		s->path[i] = strdup(paths[i]);
		if (!s->path[i])
			return err_sys(err, ENOMEM, "memory for %zu captures", n);
	}
	s->tables.paths = (const char *const *)s->path;
	return 0;
}

struct source *source_open_files(const char *const *paths, size_t n, struct err *err)
{
	if (n == 0) {
		err_set(err, ERR_USAGE, "no capture file named");
		return NULL;
	}
	struct source *s = calloc(1, sizeof *s);
	if (!s || allocate(s, paths, n, err) < 0) {
		source_close(s);
		return NULL;
	}
	for (; s->readers < n; s->readers++) {
		if (reader_open(&s->reader[s->readers], paths[s->readers],
		                (uint32_t)s->readers, n <= AHEAD_FILES, &s->tables,
		                err) < 0) {
			source_close(s);
			return NULL;
		}
	}
	if (n == 1) /* of several, each is told when its turn comes */
		reader_tell(&s->reader[0]);
	return s;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->readers; i++)
		reader_close(&s->reader[i]);
	for (size_t i = 0; s->path && s->path[i]; i++)
		free(s->path[i]);
	tables_free(&s->tables);
	filter_free(s->filter);
	free(s->path);
	free(s->reader);
	free(s->head);
	free(s->heap);
	free(s);
}

int source_set_filter(struct source *s, const char *expression, struct err *err)
{
	const struct reader *first = &s->reader[0];
	uint16_t link_type = first->ifaces ? first->iface[0].link_type : LINK_ETHERNET;
	struct filter *f = filter_new(expression, link_type, err);
	if (!f)
		return -1;
	filter_free(s->filter);
	s->filter = f;
	return 0;
}

/* ---- merging ------------------------------------------------------------- */

static bool earlier(const struct source *s, size_t a, size_t b)
{
	int64_t x = s->head[a].key, y = s->head[b].key;
	return x != y ? x < y : a < b; /* a tie goes to the file named first */
}

static void sift_down(struct source *s, size_t i)
{
	for (;;) {
		size_t least = i;
		for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++)
			if (child < s->heaped &&
			    earlier(s, s->heap[child], s->heap[least]))
				least = child;
		if (least == i)
			return;
		size_t swap = s->heap[i];
		s->heap[i] = s->heap[least];
		s->heap[least] = swap;
		i = least;
	}
}

static void end_file(struct source *s, size_t file)
{
	reader_tell(&s->reader[file]); /* a file without packets still has interfaces */
	s->tables.ended[file] = true;
}

/* Fills the head of a file.  False where it has ended or failed. */
static bool advance(struct source *s, size_t file, struct err *err)
{
	struct head *h = &s->head[file];
	h->kind = reader_next(&s->reader[file], &h->frame, &h->mark, err);
	if (h->kind == RECORD_FRAME)
		h->key = h->frame.time_ns;
	else if (h->kind != RECORD_MARK) /* a mark's turn comes with the frame before */
		end_file(s, file);
	return h->kind == RECORD_FRAME || h->kind == RECORD_MARK;
}

/* The file whose head comes next, or NULL at the end of all, or on an error. */
static const struct head *merge(struct source *s, struct reader **from, struct err *err)
{
	if (!s->started) {
		s->started = true;
		for (size_t i = 0; i < s->readers; i++) {
			if (advance(s, i, err))
				s->heap[s->heaped++] = i;
			else if (s->head[i].kind == RECORD_ERROR)
				return NULL;
		}
		for (size_t i = s->heaped; i-- > 0;)
			sift_down(s, i);
	} else if (s->heaped > 0) {
		size_t file = s->heap[0];
		if (!advance(s, file, err)) {
			if (s->head[file].kind == RECORD_ERROR)
				return NULL;
			s->heap[0] = s->heap[--s->heaped];
		}
		sift_down(s, 0);
	}
	if (s->heaped == 0)
		return NULL;
	size_t file = s->heap[0];
	*from = &s->reader[file];
	if (!(*from)->told)
		reader_tell(*from);
	return &s->head[file];
}

static enum record next_merged(struct source *s, struct frame *frame,
                               struct source_mark *mark, struct err *err)
{
	struct reader *from;
	for (;;) {
		const struct head *h = merge(s, &from, err);
		if (!h)
			return err && err->code != ERR_NONE ? RECORD_ERROR : RECORD_END;
		if (h->kind == RECORD_MARK) {
			*mark = h->mark;
			return RECORD_MARK;
		}
		uint64_t number = ++s->frames;
		*frame = h->frame;
		frame->number = number;
		frame->iface = from->iface[h->frame.iface].index;
		if (frame->iface != IFACE_UNTOLD)
			return RECORD_FRAME;
	}
}

static enum record next_single(struct source *s, struct frame *frame,
                               struct source_mark *mark, struct err *err)
{
	struct reader *r = &s->reader[0];
	enum record kind = reader_next(r, frame, mark, err);
	if (kind == RECORD_FRAME)
		frame->iface = r->iface[frame->iface].index;
	else if (kind == RECORD_END)
		end_file(s, 0);
	return kind;
}

enum source_event source_next(struct source *s, struct frame *frame,
                              struct source_mark *mark, struct err *err)
{
	for (;;) {
		enum record kind = s->readers == 1 ? next_single(s, frame, mark, err)
		                                   : next_merged(s, frame, mark, err);
		if (kind == RECORD_MARK)
			return SOURCE_MARK;
		if (kind == RECORD_NOTHING)
			return SOURCE_NOTHING;
		if (kind != RECORD_FRAME)
			return kind == RECORD_END ? SOURCE_END : SOURCE_ERROR;
		if (!s->filter)
			return SOURCE_FRAME;
		int match = filter_match(s->filter, frame, err);
		if (match != 0)
			return match > 0 ? SOURCE_FRAME : SOURCE_ERROR;
		if (s->reader[0].yields)
			return SOURCE_NOTHING;
	}
}

void source_yield(struct source *s)
{
	s->reader[0].yields = s->readers == 1;
}

bool source_wait(struct source *s, int ms)
{
	return s->readers != 1 || stream_wait(&s->reader[0].stream, ms);
}

/* ---- what was found ------------------------------------------------------ */

size_t source_iface_count(const struct source *s)
{
	return s->tables.ifaces;
}

const struct source_iface *source_iface(const struct source *s, size_t i)
{
	return i < s->tables.ifaces ? s->tables.iface[i].facts : NULL;
}

size_t source_cut_count(const struct source *s)
{
	return s->tables.cuts;
}

const struct source_cut *source_cut(const struct source *s, size_t i)
{
	return i < s->tables.cuts ? &s->tables.cut[i] : NULL;
}

size_t source_note_count(const struct source *s)
{
	return s->tables.notes;
}

const char *source_note(const struct source *s, size_t i)
{
	return i < s->tables.notes ? tables_note_text(&s->tables, i) : NULL;
}

void source_leave_rest(struct source *s)
{
	for (size_t i = 0; i < s->readers; i++)
		if (!s->tables.ended[i])
			tables_note(&s->tables, NOTE_REST, (uint32_t)i, 0);
}

void source_progress(const struct source *s, uint64_t *done, uint64_t *total)
{
	bool known = true;
	*done = *total = 0;
	for (size_t i = 0; i < s->readers; i++) {
		uint64_t d, t;
		stream_progress(&s->reader[i].stream, &d, &t);
		*done += d;
		*total += t;
		known = known && t > 0;
	}
	if (!known)
		*total = 0;
}

void source_stop(struct source *s)
{
	for (size_t i = 0; i < s->readers; i++)
		stream_stop(&s->reader[i].stream);
}
