#include "netprobe/track/symptom.h"

#include <stdlib.h>
#include <string.h>

#define CHECK_FIRST 64u /* UDP packets checked of each end; then one in CHECK_EVERY */
#define CHECK_EVERY 64u
#define TOLD_GRACE_NS INT64_C(100000000) /* what was on the way when ICMP came */
#define ACK_FIXED (RX_HEADER + 18u)      /* up to the soft acks */
#define ACK_PAD 3u

void symptoms_free(struct symptoms *s)
{
	if (!s)
		return;
	fates_free(&s->fates);
	free(s->probe);
	free(s);
}

void symptoms_note_ttl(struct symptoms *s, uint8_t ttl)
{
	if (!s->ttl_max || ttl < s->ttl_min)
		s->ttl_min = ttl;
	if (ttl > s->ttl_max)
		s->ttl_max = ttl;
}

/* The one's complement sum of bytes, big-endian words (RFC 1071). */
static uint64_t sum_words(const uint8_t *b, size_t n)
{
	uint64_t sum = 0;
	size_t i = 0;
	for (; i + 1 < n; i += 2)
		sum += (uint32_t)b[i] << 8 | b[i + 1];
	if (i < n)
		sum += (uint32_t)b[i] << 8;
	return sum;
}

static uint16_t fold(uint64_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

/* Of the pseudo header (RFC 768, 8200). */
static uint64_t pseudo_sum(const struct packet *p)
{
	size_t skip = p->family == 4 ? 12 : 0;
	return sum_words(p->src.b + skip, 16 - skip) +
	       sum_words(p->dst.b + skip, 16 - skip) + 17 + p->payload_len;
}

static uint16_t checksum_field(const struct packet *p)
{
	return (uint16_t)(p->payload[6] << 8 | p->payload[7]);
}

void symptoms_note_checksum(struct symptoms *s, const struct packet *p, uint64_t frame)
{
	if (p->fragment || p->payload_len < 8 || p->payload_cap < p->payload_len)
		return;
	uint64_t n = s->checked++;
	uint16_t field = checksum_field(p);
	if (field == 0) {
		s->checksum_zero++;
		return;
	}
	if (n >= CHECK_FIRST && n % CHECK_EVERY)
		return;
	s->verified++;
	uint64_t pseudo = pseudo_sum(p);
	if (fold(pseudo + sum_words(p->payload, p->payload_len)) == 0xffff)
		return;
	/* a card that fills it in later is given the pseudo header's sum */
	if (field == fold(pseudo)) {
		s->checksum_left++;
		return;
	}
	if (s->checksum_bad++ == 0)
		s->bad_frame = frame;
}

void symptoms_note_ack(struct symptoms *s, const struct rx_ack *a, const uint8_t *rx,
                       size_t cap, uint64_t frame)
{
	size_t pad = ACK_FIXED + a->n;
	if (a->trailer.words < 1 || cap < pad + ACK_PAD)
		return;
	if ((rx[pad] | rx[pad + 1] | rx[pad + 2]) == 0)
		return;
	if (s->dirty_acks++ == 0)
		s->dirty_frame = frame;
}

bool symptoms_note_probe(struct symptoms *s, uint32_t size, uint32_t serial, bool cut,
                         uint64_t frame)
{
	uint32_t i = 0;
	while (i < s->probes && s->probe[i].size != size)
		i++;
	if (i == SYMPTOM_PROBES)
		return true;
	if (!s->probe && !(s->probe = calloc(SYMPTOM_PROBES, sizeof *s->probe)))
		return false;
	struct mtu_probe *m = &s->probe[i];
	if (i == s->probes) {
		*m = (struct mtu_probe){.size = size, .first_frame = frame};
		s->probes++;
	}
	m->sent++;
	m->cut += cut;
	m->serial = serial;
	return true;
}

bool symptoms_note_answer(struct symptoms *s, uint32_t serial)
{
	for (uint32_t i = 0; i < s->probes; i++) {
		if (s->probe[i].serial != serial || !serial)
			continue;
		s->probe[i].answered++;
		s->probe[i].serial = 0;
		return true;
	}
	return false;
}

void symptoms_note_told(struct symptoms *s, const struct packet *p, uint32_t mtu,
                        int64_t now_ns, uint64_t frame)
{
	if (!s->told_ns)
		s->told_ns = now_ns;
	if (p->fragment || !p->df || !mtu || p->ip_len <= mtu ||
	    now_ns - s->told_ns < TOLD_GRACE_NS)
		return;
	if (s->over_told++ == 0)
		s->over_told_frame = frame;
	if (p->ip_len > s->over_told_len)
		s->over_told_len = p->ip_len;
}
