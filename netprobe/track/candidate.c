#include "netprobe/track/candidate.h"

#include "src/base/cursor.h"

#define CHANNELS 3u
/* more packets than that do not go by unseen between two that are seen */
#define SERIAL_STEP 4096u

struct candidate_key candidate_key_of(const struct addr *src, uint16_t sport,
                                      const struct addr *dst, uint16_t dport,
                                      bool *from_high)
{
	int order = addr_compare(src, dst);
	*from_high = order > 0 || (order == 0 && sport > dport);
	if (*from_high)
		return (struct candidate_key){*dst, *src, dport, sport};
	return (struct candidate_key){*src, *dst, sport, dport};
}

/* RFC 6347, 4.1: content type 20 to 26, version 254.253 or 254.255. */
bool candidate_refuses(const uint8_t *bytes, size_t cap)
{
	return cap >= 3 && bytes[0] >= 20 && bytes[0] <= 26 && bytes[1] == 0xfe &&
	       (bytes[2] == 0xfd || bytes[2] == 0xff);
}

static bool proves(const struct rx_header *h, const uint8_t *bytes, size_t cap,
                   size_t len)
{
	struct rx_ack a;
	return h->type == RX_ACK && rx_ack_decode(bytes, cap, len, &a) &&
	       !a.malformed && !a.snapped && a.reason >= 1 && a.reason <= 9 &&
	       a.trailer.words == 4 && rx_trailer_plausible(&a.trailer);
}

static struct candidate_conn *conn_of(struct candidate *c, const struct rx_header *h)
{
	uint32_t cid = h->cid & ~CHANNELS;
	for (unsigned i = 0; i < CANDIDATE_CONNS; i++) {
		struct candidate_conn *n = &c->conn[i];
		if (n->service == h->service && n->epoch == h->epoch && n->cid == cid)
			return n;
	}
	struct candidate_conn *n = &c->conn[c->next];
	c->next = (uint8_t)((c->next + 1) % CANDIDATE_CONNS);
	*n = (struct candidate_conn){
	        .epoch = h->epoch, .cid = cid, .service = h->service};
	return n;
}

bool candidate_take(struct candidate *c, bool from_high, const struct rx_header *h,
                    const uint8_t *bytes, size_t cap, size_t len)
{
	if (c->accepted)
		return true;
	/* packets outside a connection prove nothing */
	if (!h->epoch || !(h->cid & ~CHANNELS) || !h->serial || !h->service)
		return false;
	bool client = h->flags & RX_CLIENT;
	struct candidate_conn *n = conn_of(c, h);
	unsigned me = from_high, other = !from_high;
	bool answers = n->side[other].serial && n->side[other].client != client;
	uint32_t step = h->serial - n->side[me].serial;
	bool grows = n->side[me].serial && n->side[me].client == client && step > 0 &&
	             step <= SERIAL_STEP;
	n->side[me].serial = h->serial;
	n->side[me].client = client;
	c->accepted = answers || grows || proves(h, bytes, cap, len);
	return c->accepted;
}
