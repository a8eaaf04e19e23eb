#include "netprobe/track/flow.h"

#include <stdlib.h>

static bool same_trailer(const struct rx_trailer *a, const struct rx_trailer *b)
{
	return a->words == b->words && a->max_receive == b->max_receive &&
	       a->interface == b->interface && a->window == b->window &&
	       a->packets == b->packets;
}

void flow_note_trailer(struct flow_side *s, const struct rx_trailer *t, uint64_t frame)
{
	if (t->words == 0) {
		s->acks_without_trailer++;
		return;
	}
	if (!rx_trailer_plausible(t))
		s->absurd_trailers++;
	for (unsigned i = 0; i < s->trailers; i++) {
		if (same_trailer(&s->trailer[i].trailer, t)) {
			s->trailer[i].acks++;
			return;
		}
	}
	if (s->trailers == FLOW_TRAILERS) {
		s->other_trailers++;
		return;
	}
	s->trailer[s->trailers++] =
	        (struct trailer_seen){.trailer = *t, .acks = 1, .first_frame = frame};
}

const struct rx_trailer *flow_trailer(const struct flow_side *s)
{
	const struct trailer_seen *best = NULL;
	for (unsigned i = 0; i < s->trailers; i++) {
		const struct trailer_seen *t = &s->trailer[i];
		if (!rx_trailer_plausible(&t->trailer))
			continue;
		if (!best || t->acks > best->acks ||
		    (t->acks == best->acks && t->trailer.window > best->trailer.window))
			best = t;
	}
	return best ? &best->trailer : NULL;
}

void flow_clear(struct flow *f)
{
	for (int w = 0; w < WAYS; w++) {
		slices_clear(&f->side[w].sent);
		hist_free(&f->side[w].rtt);
		symptoms_free(f->side[w].symptoms);
	}
	free(f->security);
}
