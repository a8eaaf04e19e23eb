#include "netprobe/expect/explain.h"

#include "netprobe/expect/link.h"

#define JUMBO_PACKET (RX_HEADER + RX_JUMBO_DATA)
#define LARGEST_ON_1500 (1500 - EXPECT_IP4_UDP)
#define SECURITY_RXKAD 2u

/* Under this no path of our days makes full packets. */
#define FULL_LEAST 1200u

/* Rx adds a packet to its datagrams after more than four new acks; what ended before
 * this many datagrams says nothing about how far they would have grown. */
#define ENOUGH_DATAGRAMS 16u

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static struct expect_size size_of(uint32_t packets, uint32_t rx_packet, uint32_t udp)
{
	return (struct expect_size){.packets = packets,
	                            .rx_packet = rx_packet,
	                            .udp_payload = udp,
	                            .ip_len = udp + EXPECT_IP4_UDP};
}

static bool kafs(const struct explanation *x)
{
	return x->sender.sender == SENDER_KAFS ||
	       x->sender.sender == SENDER_KAFS_PROBING;
}

/* A sender that may join packets makes them 1440 long.  One that fills them to 1444
 * (AFS 3.4a: 1472) has a limit of one packet, also where it announced nothing. */
static bool joins_none(const struct explain_input *in)
{
	return !in->sender && in->packets <= 1 && in->largest > JUMBO_PACKET &&
	       in->largest <= LARGEST_ON_1500;
}

/* What the receiver lets the sender send, as far as both told. */
static struct expect_size allowed(const struct explain_input *in,
                                  const struct explanation *x)
{
	const struct rx_trailer *to = in->receiver, *from = in->sender;
	uint32_t size = to->words >= 2 ? to->interface : EXPECT_REMOTE;
	uint32_t packets = to->words >= 4 ? min_u32(to->packets, EXPECT_PACKETS) : 1;
	if (from && from->words >= 2)
		size = min_u32(size, from->interface);
	/* kAFS announces what it takes, not what it sends: before 6.14 it never sent
	 * jumbograms, since then as many packets as the path is probed to carry */
	if (x->sender.sender == SENDER_KAFS)
		packets = 1;
	else if (from && x->sender.sender != SENDER_KAFS_PROBING)
		packets = min_u32(packets, from->words >= 4 ? from->packets : 1);
	if (joins_none(in))
		return size_of(1, in->largest, in->largest);
	if (packets > 1)
		return size_of(packets, JUMBO_PACKET, expect_jumbogram(packets));
	if (kafs(x))
		size = min_u32(size, JUMBO_PACKET);
	return size_of(1, size, size);
}

static bool encrypted(const struct explain_input *in, const struct explanation *x)
{
	enum expect_security s =
	        in->level == RX_LEVEL_AUTH ? EXPECT_RXKAD_AUTH : EXPECT_RXKAD_CRYPT;
	uint32_t full = expect_full_packet(x->allowed.rx_packet, s);
	return in->security == SECURITY_RXKAD && in->level != RX_LEVEL_CLEAR &&
	       in->packets <= 1 && in->largest == full && !kafs(x);
}

static enum explain_reason reason_of_single(const struct explain_input *in,
                                            const struct explanation *x)
{
	uint32_t least = expect_full_packet(x->allowed.rx_packet, EXPECT_RXKAD_CRYPT);
	if (in->largest > LARGEST_ON_1500)
		return EXPLAIN_LARGE_PACKET;
	if (in->largest < least)
		return EXPLAIN_FEW_DATA;
	if (encrypted(in, x))
		return EXPLAIN_ENCRYPTED;
	bool more = x->allowed.rx_packet > EXPECT_REMOTE &&
	            x->allowed.rx_packet > in->largest;
	if (x->allowed.packets > 1 || more)
		return in->datagrams < ENOUGH_DATAGRAMS ? EXPLAIN_FEW_DATA
		                                        : EXPLAIN_NOT_REACHED;
	if (kafs(x))
		return EXPLAIN_KAFS;
	return x->allowed.rx_packet < EXPECT_REMOTE ? EXPLAIN_SMALL : EXPLAIN_PACKET;
}

static enum explain_reason reason_of(const struct explain_input *in,
                                     const struct explanation *x)
{
	if (x->sender.sender == SENDER_ABSURD || x->receiver.sender == SENDER_ABSURD)
		return EXPLAIN_ABSURD;
	if (in->largest == 0)
		return EXPLAIN_FEW_DATA;
	if (!in->receiver)
		return in->largest < FULL_LEAST ? EXPLAIN_FEW_DATA : EXPLAIN_NO_TRAILER;
	if (in->packets <= 1)
		return reason_of_single(in, x);
	if (in->receiver->words >= 4 && in->packets > in->receiver->packets)
		return EXPLAIN_REFUSED;
	if (x->pieces > 1)
		return EXPLAIN_FRAGMENTS;
	if (in->packets >= x->allowed.packets)
		return EXPLAIN_JUMBO;
	return in->datagrams < ENOUGH_DATAGRAMS ? EXPLAIN_FEW_DATA
	                                        : EXPLAIN_NOT_REACHED;
}

/* Fragments as seen; else as the sender's own link must have cut. */
static void find_pieces(const struct explain_input *in, struct explanation *x)
{
	uint32_t ip_len = in->largest + EXPECT_IP4_UDP;
	x->pieces = in->pieces;
	if (x->pieces == 0 && in->sender_mtu)
		x->pieces = link_fragments(4, ip_len, in->sender_mtu);
	if (x->pieces <= 1)
		return;
	if (in->sender_mtu && in->sender_mtu < ip_len &&
	    in->piece_len <= in->sender_mtu)
		x->cut_mtu = in->sender_mtu;
	else
		x->cut_mtu = in->piece_len;
}

void expect_explain(const struct explain_input *in, struct explanation *x)
{
	const struct fingerprint none = {.text = ""};
	*x = (struct explanation){
	        .sender = in->sender ? trailer_fingerprint(in->sender) : none,
	        .receiver = in->receiver ? trailer_fingerprint(in->receiver) : none,
	};
	bool sane = x->sender.sender != SENDER_ABSURD &&
	            x->receiver.sender != SENDER_ABSURD;
	if (in->receiver && sane)
		x->allowed = allowed(in, x);
	find_pieces(in, x);
	x->reason = reason_of(in, x);
	if (x->reason == EXPLAIN_FEW_DATA && x->allowed.packets)
		x->size = x->allowed;
	else
		x->size = size_of(in->packets > 1 ? in->packets : 1,
		                  in->packets > 1 ? JUMBO_PACKET : in->largest,
		                  in->largest);
}
