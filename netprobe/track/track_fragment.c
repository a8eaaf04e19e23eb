/* Pieces of datagrams: they count for the flow of their first piece, which may
 * come late; the datagram counts when its train is whole. */
#include "netprobe/track/track_internal.h"

#include <assert.h>

#define EARLY_PIECES 8

/* What the tracker keeps in a train's note. */
struct train_note {
	union {
		struct datagram datagram; /* is_rx */
		struct {
			uint32_t udp_len;
			struct point_note point;
		} other;
	};
	bool is_rx;
	uint8_t early; /* pieces that came before the first one, as far as kept */
	uint16_t early_ip_len[EARLY_PIECES];
	uint32_t counted; /* pieces that the flow has counted or early holds */
	uint32_t repeats; /* of the train, as of the piece before */
};

static_assert(sizeof(struct train_note) <= FRAGMENT_NOTE_BYTES, "note fits its room");

static struct train_note note_read(const struct fragment_train *t)
{
	struct train_note n;
	memcpy(&n, t->note, sizeof n);
	return n;
}

static void note_write(struct fragment_train *t, const struct train_note *n)
{
	memcpy(t->note, n, sizeof *n);
}

static void other_first_piece(struct track *t, const struct packet *p,
                              struct train_note *n)
{
	if (p->proto == 17 && p->payload_cap >= 8) {
		uint32_t udp = be16(p->payload + 4);
		n->other.udp_len = udp > 8 ? udp - 8 : 0;
	}
	if (p->proto == 6)
		track_tcp_first(t, p);
	if (points_started(t->points) && (p->proto == 17 || p->proto == 6))
		track_point_note(t, p, &n->other.point);
}

/* The offset-0 piece: it alone has ports and the Rx header. */
static void first_piece(void *ctx, struct fragment_train *train, const struct packet *p,
                        const struct frame *f)
{
	struct track *t = ctx;
	(void)f;
	struct train_note n = note_read(train);
	struct datagram d;
	bool udp = p->proto == 17 && p->payload_cap >= 8;
	if (n.is_rx)
		return;
	if (!udp || !track_rx(t, p, &d)) {
		other_first_piece(t, p, &n);
		note_write(train, &n);
		return;
	}
	n.datagram = d;
	n.is_rx = true;
	for (unsigned i = 0; i < n.early; i++)
		track_count_packet(t, &n.datagram, n.early_ip_len[i], false, true);
	track_count_packet(t, &n.datagram, p->ip_len, p->df, true);
	n.counted++;
	note_write(train, &n);
}

static void later_piece(struct track *t, struct fragment_train *train,
                        const struct packet *p)
{
	struct train_note n = note_read(train);
	if (train->repeats > n.repeats) {
		n.repeats = train->repeats;
	} else if (n.is_rx) {
		track_count_packet(t, &n.datagram, p->ip_len, p->df, true);
		n.counted++;
	} else if (n.early < EARLY_PIECES) {
		n.early_ip_len[n.early++] = (uint16_t)p->ip_len;
		n.counted++;
	}
	note_write(train, &n);
}

void track_fragment(struct track *t, const struct packet *p)
{
	struct fragment_train *train =
	        fragments_add(t->trains, p, t->now.frame, first_piece);
	if (train && p->frag_offset > 0)
		later_piece(t, train, p);
}

static void count_orphan(struct iface_stats *i, const struct fragment_train *train)
{
	if (train->has_first)
		return;
	i->orphans += train->pieces;
	i->orphan_bytes += train->ip_bytes;
}

void track_train_ends(void *ctx, const struct fragment_train *train,
                      enum fragment_end how)
{
	struct track *t = ctx;
	struct iface_stats *i = track_iface_stats(t, train->iface);
	if (!i)
		return;
	i->trains[how]++;
	i->overlaps += train->overlap;
	i->oversize += train->oversize;
	i->tiny += train->tiny;
	i->first_pieces += train->has_first;
	i->later_pieces += train->pieces - train->has_first;
	if (how != FRAGMENT_WHOLE)
		count_orphan(i, train);

	struct train_note n = note_read(train);
	track_pair_train(t, train, how, n.is_rx ? n.datagram.udp_len : n.other.udp_len,
	                 n.is_rx);
	if (!n.is_rx) {
		if (train->has_first)
			track_point_other_train(t, &n.other.point, train, how);
		return;
	}
	track_point_train(t, &n.datagram, train, how);
	/* the piece that made it whole has not been counted yet */
	if (how == FRAGMENT_WHOLE && n.counted < train->pieces && t->now.packet)
		track_count_packet(t, &n.datagram, t->now.packet->ip_len,
		                   t->now.packet->df, true);
	struct tally *y = track_tally(t, &n.datagram);
	if (!y)
		return;
	if (how == FRAGMENT_WHOLE) {
		y->trains_whole++;
		sizes_add(&y->train_pieces, train->pieces, 1);
		if (!t->now.super)
			track_count_datagram(t, &n.datagram);
		i->rx++;
	} else {
		y->trains_broken++;
		y->broken_ip_bytes += train->ip_bytes;
	}
}
