#include "netprobe/check/link_cost.h"

#include "netprobe/expect/openafs.h"

#include <stdlib.h>

#define IP4_UDP EXPECT_IP4_UDP

/* expect/openafs.h has the rules that these follow from; rxkad crypt takes 8 bytes of a
 * packet for its own header, and more than that is left free. */
static const struct link_choice choices[] = {
        {1444, 1416, "1444: one packet, clear"},
        {1436, 1400, "1436: one packet, encrypted by rxkad"},
        {2856, 2824, "2856: 2 packets"},
        {4272, 4236, "4272: 3 packets"},
        {5688, 5648, "5688: 4 packets"},
        {8520, 8472, "8520: 6 packets"},
};

const struct link_choice *link_choices(size_t *n)
{
	*n = sizeof choices / sizeof *choices;
	return choices;
}

uint32_t link_cost_data_in(uint32_t udp_payload)
{
	const uint32_t sub = RX_JUMBO_DATA + RX_JUMBO_HEADER;
	if (udp_payload <= RX_HEADER)
		return 0;
	uint32_t rest = udp_payload - RX_HEADER;
	uint32_t more =
	        udp_payload > EXPECT_REMOTE ? (rest + RX_JUMBO_HEADER - 1) / sub : 0;
	return rest - more * RX_JUMBO_HEADER;
}

/* UDP payload of a datagram with so many bytes of data, of those that udp_payload
 * bytes hold `each` of. */
static uint32_t payload_for(uint32_t data, uint32_t each, uint32_t udp_payload)
{
	if (udp_payload > EXPECT_REMOTE)
		return RX_HEADER + data + (data - 1) / RX_JUMBO_DATA * RX_JUMBO_HEADER;
	/* rxkad crypt: a header of 8 in front, then filled up to blocks of 8 */
	if (each < udp_payload - RX_HEADER)
		return RX_HEADER + ((data + 8 + 7) & ~7u);
	return RX_HEADER + data;
}

static void begin(struct link_cost *c, const struct link_kind *kind, uint32_t mtu)
{
	*c = (struct link_cost){.kind = kind, .mtu = mtu ? mtu : kind->usual_mtu};
}

void link_cost_add(struct link_cost *c, uint32_t ip_len, uint64_t n)
{
	c->packets += n * link_fragments(4, ip_len, c->mtu);
	c->wire_bytes += n * link_train_bytes(c->kind, 4, ip_len, c->mtu);
}

static void finish(struct link_cost *c, uint64_t payload)
{
	c->efficiency = c->wire_bytes ? (double)payload / (double)c->wire_bytes : 0;
}

void link_cost_packets(struct link_cost *c, const struct link_kind *kind, uint32_t mtu,
                       uint32_t ip_len, uint64_t n)
{
	begin(c, kind, mtu);
	link_cost_add(c, ip_len, n);
	finish(c, ip_len * n);
}

/* A call of `data` bytes, `each` of them in a whole datagram. */
static uint64_t add_call(struct link_cost *c, uint64_t data, uint32_t each,
                         uint32_t udp_payload)
{
	uint64_t whole = data / each;
	uint32_t rest = (uint32_t)(data % each);
	link_cost_add(c, udp_payload + IP4_UDP, whole);
	if (rest)
		link_cost_add(c, payload_for(rest, each, udp_payload) + IP4_UDP, 1);
	finish(c, data);
	return whole + (rest != 0);
}

uint64_t link_cost_call(struct link_cost *c, const struct link_kind *kind, uint32_t mtu,
                        uint64_t data, uint32_t udp_payload)
{
	uint32_t each = link_cost_data_in(udp_payload);
	begin(c, kind, mtu);
	return each ? add_call(c, data, each, udp_payload) : 0;
}

void link_cost_choice(struct link_cost *c, const struct link_kind *kind, uint32_t mtu,
                      uint64_t data, const struct link_choice *choice)
{
	begin(c, kind, mtu);
	add_call(c, data, choice->data, choice->udp_payload);
}

void link_cost_sizes(struct link_cost *c, const struct link_kind *kind, uint32_t mtu,
                     const struct sizes *ip_lengths, uint64_t data)
{
	size_t n;
	struct size_count *rows = sizes_sorted(ip_lengths, SIZES_BY_SIZE, &n);
	begin(c, kind, mtu);
	for (size_t i = 0; i < n; i++)
		if (rows[i].size < SIZES_OVER)
			link_cost_add(c, rows[i].size, rows[i].n);
	finish(c, data ? data : ip_lengths->sum);
	free(rows);
}
