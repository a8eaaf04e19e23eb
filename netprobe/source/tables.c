#include "netprobe/source/tables.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const note_texts[NOTES] = {
        [NOTE_FRACTION] = "fraction of a second out of range (taken as nanoseconds)",
        [NOTE_WIRELEN] = "impossible frame length (the captured one is taken)",
        [NOTE_CAPLEN] =
                "more bytes captured than the frame was long (the longer is taken)",
        [NOTE_UNKNOWN_IFACE] = "interface not described in the file (frames left out)",
        [NOTE_MANY_IFACES] =
                "more interfaces than can be kept (frames of the rest left out)",
        [NOTE_NO_TIME] =
                "simple packet block without a time (that of the frame before)",
        [NOTE_TRAILER] = "the two lengths of a block differ (the first is taken)",
        [NOTE_OPTION] = "an option runs past its block (ignored)",
        [NOTE_VERSION] = "unknown version of the file format (read as the known one)",
        [NOTE_TIME_RANGE] = "time beyond 2116 (taken as before 1970, or clamped)",
        [NOTE_REST] = "what comes behind --to was not read, nor what the file tells at "
                      "its end: dropped frames, ends of phases",
};

/* Makes room for one more element in an array that doubles. */
static void *grow(void *array, size_t n, size_t element)
{
	if (n & (n - 1)) /* only where n is 0 or a power of two it is full */
		return array;
	return realloc(array, (n ? 2 * n : 1) * element);
}

void tables_free(struct source_tables *t)
{
	for (size_t i = 0; i < t->ifaces; i++)
		free(t->iface[i].facts);
	for (size_t i = 0; i < t->notes; i++)
		free(t->note[i]);
	free(t->iface);
	free(t->note);
	free(t->cut);
	free(t->ended);
}

static void add_counters(struct source_iface *to, const struct source_iface *from)
{
	to->has_received |= from->has_received;
	to->has_dropped |= from->has_dropped;
	to->has_ifdropped |= from->has_ifdropped;
	to->has_kernel |= from->has_kernel;
	to->received += from->received;
	to->dropped += from->dropped;
	to->ifdropped += from->ifdropped;
	to->kernel_packets += from->kernel_packets;
	to->kernel_bytes += from->kernel_bytes;
	to->left_out_packets += from->left_out_packets;
	to->left_out_bytes += from->left_out_bytes;
}

/* Where both files tell addresses, other ones are another host's: captures of two
 * points whose clocks are further apart than the captures are long. */
static bool may_be_one_host(const struct source_iface *x, const struct source_iface *y)
{
	return !x->addresses[0] || !y->addresses[0] ||
	       strcmp(x->addresses, y->addresses) == 0;
}

static bool same_iface(const struct source_tables *t, const struct iface_slot *slot,
                       const struct source_iface *facts, uint32_t section)
{
	const struct source_iface *old = slot->facts;
	return slot->named && slot->section != section &&
	       old->link_type == facts->link_type &&
	       (old->file == facts->file || t->ended[old->file]) &&
	       strcmp(slot->given, facts->name) == 0 && may_be_one_host(old, facts);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

/* "FILE:eth0": what is left of the path where two files have one base name; its end
 * where it is too long. */
static void name_with_file(const struct source_tables *t, struct iface_slot *slot)
{
	const char *file = base_name(t->paths[slot->facts->file]);
	char *name = slot->facts->name;
	size_t given = strlen(slot->given), most = sizeof slot->facts->name - 2;
	size_t room = given < most ? most - given : 0;
	for (size_t i = 0; t->paths[i]; i++)
		if (i != slot->facts->file && strcmp(base_name(t->paths[i]), file) == 0)
			file = t->paths[slot->facts->file];
	size_t n = strlen(file), shown = n < room ? n : room;
	if (!shown)
		return;
	memcpy(name, file + n - shown, shown);
	name[shown] = ':';
	memcpy(name + shown + 1, slot->given, given + 1);
}

/* Parts the newest interface from those of other files that have its name. */
static void part_names(struct source_tables *t)
{
	struct iface_slot *last = &t->iface[t->ifaces - 1];
	for (size_t i = 0; last->named && i + 1 < t->ifaces; i++) {
		struct iface_slot *slot = &t->iface[i];
		if (!slot->named || slot->facts->file == last->facts->file ||
		    strcmp(slot->given, last->given) != 0)
			continue;
		name_with_file(t, slot);
		name_with_file(t, last);
	}
}

uint32_t tables_add_iface(struct source_tables *t, struct source_iface *facts,
                          bool named, uint32_t section)
{
	for (size_t i = 0; named && i < t->ifaces; i++) {
		struct iface_slot *slot = &t->iface[i];
		if (!same_iface(t, slot, facts, section))
			continue;
		add_counters(slot->facts, facts);
		slot->facts->file = facts->file; /* which may go on, if it has ended */
		slot->section = section;
		free(facts);
		return (uint32_t)i;
	}
	struct iface_slot *more = NULL;
	if (t->ifaces < SOURCE_IFACES_MAX)
		more = grow(t->iface, t->ifaces, sizeof *more);
	if (!more) {
		free(facts);
		return UINT32_MAX;
	}
	t->iface = more;
	struct iface_slot *slot = &t->iface[t->ifaces++];
	*slot = (struct iface_slot){.facts = facts, .section = section, .named = named};
	memcpy(slot->given, facts->name, sizeof slot->given);
	part_names(t);
	return (uint32_t)t->ifaces - 1;
}

void tables_note(struct source_tables *t, enum note kind, uint32_t file, uint64_t frame)
{
	for (size_t i = 0; i < t->notes; i++) {
		if (t->note[i]->kind == kind && t->note[i]->file == file) {
			t->note[i]->count++;
			return;
		}
	}
	struct note_entry **more = grow(t->note, t->notes, sizeof *more);
	struct note_entry *e = calloc(1, sizeof *e);
	if (more)
		t->note = more;
	if (!more || !e) { /* a note lost is no reason to stop */
		free(e);
		return;
	}
	*e = (struct note_entry){
	        .kind = kind, .file = file, .first = frame, .count = 1};
	t->note[t->notes++] = e;
}

const char *tables_note_text(const struct source_tables *t, size_t i)
{
	struct note_entry *e = t->note[i];
	int n = snprintf(e->text, sizeof e->text, "%s: %s", t->paths[e->file],
	                 note_texts[e->kind]);
	size_t at = n < 0 ? 0 : (size_t)n;
	if (e->first != 0 && at < sizeof e->text)
		snprintf(e->text + at, sizeof e->text - at,
		         ": %" PRIu64 " time%s, first in frame %" PRIu64, e->count,
		         e->count == 1 ? "" : "s", e->first);
	else if (e->count > 1 && at < sizeof e->text)
		snprintf(e->text + at, sizeof e->text - at, ": %" PRIu64 " times",
		         e->count);
	return e->text;
}

void tables_cut(struct source_tables *t, uint32_t file, uint64_t offset,
                uint64_t frames, const char *fmt, ...)
{
	struct source_cut *more = grow(t->cut, t->cuts, sizeof *more);
	if (!more)
		return;
	t->cut = more;
	struct source_cut *c = &t->cut[t->cuts++];
	*c = (struct source_cut){
	        .file = t->paths[file], .offset = offset, .frames = frames};
	va_list args;
	va_start(args, fmt);
	vsnprintf(c->why, sizeof c->why, fmt, args);
	va_end(args);
}
