/* What packets tell beside their traffic: of the hosts that sent them, and of the
 * security of their connections. */
#include "netprobe/track/track_internal.h"

#include <stdlib.h>

void track_note_debug(struct track *t, const struct packet *p,
                      const struct rx_header *h, const uint8_t *rx, size_t cap,
                      size_t len)
{
	uint64_t frame = t->now.frame->number;
	uint16_t port = be16(p->payload);
	char text[RX_VERSION_TEXT];
	struct rx_debug_peer peer;
	bool kept = true;
	if (rx_version_decode(h, rx, cap, len, text))
		kept = hosts_take_version(t->hosts, &p->src, port, text, frame);
	else if (rx_debug_peer_decode(h, rx, cap, len, &peer))
		kept = hosts_take_peer(t->hosts, &p->src, port, &peer, frame);
	t->starved |= !kept;
}

static void note_challenge(struct flow_security *s, struct conn *conn,
                           const struct rx_header *h, const uint8_t *rx, size_t cap,
                           uint32_t len, uint64_t frame)
{
	struct rx_challenge c;
	s->challenges++;
	if (conn->challenged && s->challenge_repeats++ == 0)
		s->repeat_frame = frame;
	conn->challenged = true;
	if (!rx_challenge_decode(h, rx, cap, len, &c))
		return;
	s->evidence.challenged = true;
	s->evidence.challenge = c;
}

static void note_response(struct flow_security *s, const struct rx_header *h,
                          const struct packet *p, const uint8_t *rx, size_t cap,
                          uint32_t len, uint64_t frame)
{
	uint32_t ticket = rx_response_ticket(h, rx, cap, len);
	s->responses++;
	s->responses_fragmented += p->fragment;
	if (ticket > s->largest_ticket)
		s->largest_ticket = ticket;
	if (len <= s->largest_response)
		return;
	s->largest_response = len;
	s->response_frame = frame;
}

static void note_lengths(struct rx_lengths *l, const struct datagram *d)
{
	l->datagrams++;
	l->off8 += (d->udp_len - RX_HEADER) % 8 != 0;
	l->joined += d->packets > 1;
	if (d->udp_len > l->largest)
		l->largest = d->udp_len;
}

void track_note_security(struct track *t, struct flow *f, struct conn *conn,
                         const struct rx_header *h, const uint8_t *rx, size_t cap,
                         const struct datagram *d)
{
	if (h->type != RX_DATA && h->type != RX_CHALLENGE && h->type != RX_RESPONSE)
		return;
	if (!f->security && !(f->security = calloc(1, sizeof *f->security))) {
		t->starved = true;
		return;
	}
	struct flow_security *s = f->security;
	uint64_t frame = t->now.frame->number;
	s->evidence.classes |= (uint8_t)(1u << (h->security & 7));
	if (h->type == RX_CHALLENGE)
		note_challenge(s, conn, h, rx, cap, d->udp_len, frame);
	else if (h->type == RX_RESPONSE)
		note_response(s, h, t->now.packet, rx, cap, d->udp_len, frame);
	else if (!d->malformed)
		note_lengths(&s->evidence.sent[d->way], d);
}

void track_note_first(struct track *t, struct flow *f, const struct call *c,
                      const struct rx_header *h, const uint8_t *rx, size_t cap,
                      const struct datagram *d)
{
	size_t len = d->udp_len - RX_HEADER;
	const uint8_t *data = rx + RX_HEADER;
	if (cap <= RX_HEADER)
		return;
	cap -= RX_HEADER;
	/* what follows in a jumbogram stands behind a header of its own */
	if (d->packets > 1)
		len = RX_JUMBO_DATA;
	if (cap > len)
		cap = len;
	if (h->security && f->security && d->way == TO_SERVER && !d->resend)
		rx_evidence_request(&f->security->evidence, data, cap, c->has_opcode);
	struct disclosure told;
	if (c->has_opcode && disclose_decode(c->service, c->opcode, d->way == TO_CLIENT,
	                                     data, cap, len, &told))
		t->starved |= !hosts_take_disclosure(t->hosts, &t->now.packet->src,
		                                     &told, t->now.frame->number);
}
