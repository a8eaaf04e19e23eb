#include "netprobe/decode/rx.h"
#include "src/base/cursor.h"

/* Behind the soft acks come three bytes that the C structure of the first
 * implementation happened to have, then the trailer. */
#define PAD 3u
#define WORDS 4u

/* Sizes below this were refused by OpenAFS since its SA-2017-001. */
#define SIZE_MIN 520u
#define SIZE_MAX_SANE 65535u
#define WINDOW_MAX 65535u

static void decode_trailer(struct cursor *c, struct rx_ack *a)
{
	if (c->wire < PAD)
		return;
	size_t there = (c->wire - PAD) / 4;
	if (there > WORDS)
		there = WORDS;
	a->padding = (uint32_t)(c->wire - PAD - 4 * there);
	cursor_skip(c, PAD);
	uint32_t word[WORDS] = {0};
	for (size_t i = 0; i < there; i++) {
		word[i] = cursor_u32(c);
		if (!cursor_ok(c))
			break;
		a->trailer.words++;
	}
	a->trailer.max_receive = word[0];
	a->trailer.interface = word[1];
	a->trailer.window = word[2];
	a->trailer.packets = word[3];
}

bool rx_ack_decode(const uint8_t *bytes, size_t cap, size_t udp_len, struct rx_ack *a)
{
	struct cursor c = cursor_init(bytes, cap, udp_len);
	cursor_skip(&c, RX_HEADER);
	*a = (struct rx_ack){0};
	a->buffers = cursor_u16(&c);
	a->skew = cursor_u16(&c);
	a->first = cursor_u32(&c);
	a->previous = cursor_u32(&c);
	a->serial = cursor_u32(&c);
	a->reason = cursor_u8(&c);
	a->n = cursor_u8(&c);
	if (cursor_ok(&c)) {
		a->acks = cursor_take(&c, a->n);
		if (cursor_ok(&c))
			decode_trailer(&c, a);
		a->snapped = c.state == CURSOR_SNAPPED;
		a->malformed = c.state == CURSOR_SHORT;
		return true;
	}
	a->snapped = c.state == CURSOR_SNAPPED;
	return false;
}

bool rx_trailer_plausible(const struct rx_trailer *t)
{
	const uint32_t size[2] = {t->max_receive, t->interface};
	for (unsigned i = 0; i < 2 && i < t->words; i++)
		if (size[i] < SIZE_MIN || size[i] > SIZE_MAX_SANE)
			return false;
	if (t->words > 2 && (t->window == 0 || t->window > WINDOW_MAX))
		return false;
	return t->words <= 3 || t->packets <= RX_PACKETS_MAX;
}
