#include "netprobe/track/tally.h"

#include <stdlib.h>

void tally_merge(struct tally *to, const struct tally *from)
{
	if (from->first_ns && (!to->first_ns || from->first_ns < to->first_ns))
		to->first_ns = from->first_ns;
	if (from->last_ns > to->last_ns)
		to->last_ns = from->last_ns;
	to->ip_packets += from->ip_packets;
	to->ip_bytes += from->ip_bytes;
	to->df += from->df;
	to->offloaded += from->offloaded;
	if (from->largest_whole > to->largest_whole)
		to->largest_whole = from->largest_whole;
	to->fragments += from->fragments;
	to->trains_whole += from->trains_whole;
	to->trains_broken += from->trains_broken;
	to->broken_ip_bytes += from->broken_ip_bytes;
	to->datagrams += from->datagrams;
	for (size_t i = 0; i < RX_TYPES; i++)
		to->type[i] += from->type[i];
	to->data_packets += from->data_packets;
	to->data_bytes += from->data_bytes;
	to->resends += from->resends;
	to->resent_bytes += from->resent_bytes;
	to->recovered += from->recovered;
	to->duplicates += from->duplicates;
	to->malformed += from->malformed;
	sizes_merge(&to->ip_lengths, &from->ip_lengths);
	sizes_merge(&to->data_datagrams, &from->data_datagrams);
	sizes_merge(&to->jumbograms, &from->jumbograms);
	sizes_merge(&to->train_pieces, &from->train_pieces);
}

void tally_clear(struct tally *t)
{
	sizes_free(&t->ip_lengths);
	sizes_free(&t->data_datagrams);
	sizes_free(&t->jumbograms);
	sizes_free(&t->train_pieces);
	*t = (struct tally){0};
}

double tally_seconds(const struct tally *t)
{
	return t->last_ns > t->first_ns ? (double)(t->last_ns - t->first_ns) / 1e9 : 0;
}

struct tally *slices_get(struct slices *s, uint32_t phase)
{
	for (struct slice *i = s->list; i; i = i->next)
		if (i->phase == phase)
			return &i->tally;
	struct slice *made = calloc(1, sizeof *made);
	if (!made)
		return NULL;
	made->phase = phase;
	made->next = s->list;
	s->list = made;
	return &made->tally;
}

void slices_sum(const struct slices *s, struct tally *to)
{
	for (const struct slice *i = s->list; i; i = i->next)
		tally_merge(to, &i->tally);
}

void slices_sum_phase(const struct slices *s, uint32_t phase, struct tally *to)
{
	for (const struct slice *i = s->list; i; i = i->next)
		if (i->phase == phase)
			tally_merge(to, &i->tally);
}

void slices_clear(struct slices *s)
{
	while (s->list) {
		struct slice *next = s->list->next;
		tally_clear(&s->list->tally);
		free(s->list);
		s->list = next;
	}
}
