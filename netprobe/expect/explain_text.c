/* What explain.h found, in words: a table of reasons, one function a sentence. */
#include "netprobe/expect/explain.h"

#include <stdarg.h>
#include <stdio.h>

struct text {
	char *at;
	size_t left;
};

/* One side of the connection, as a sentence speaks of it. */
struct side {
	const char *name;
	bool server;
	const struct rx_trailer *trailer;
	const struct fingerprint *print;
	uint32_t mtu; /* known, not guessed */
};

struct sides {
	struct side sender, receiver;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *fmt,
                                                      ...)
{
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(t->at, t->left, fmt, args);
	va_end(args);
	size_t used = n < 0 ? 0 : (size_t)n;
	if (used >= t->left)
		used = t->left ? t->left - 1 : 0;
	t->at += used;
	t->left -= used;
}

static struct sides sides_of(const struct explain_input *in,
                             const struct explanation *x)
{
	return (struct sides){
	        .sender = {in->from_server ? "server" : "client", in->from_server,
	                   in->sender, &x->sender, in->sender_mtu},
	        .receiver = {in->from_server ? "client" : "server", !in->from_server,
	                     in->receiver, &x->receiver, in->receiver_mtu},
	};
}

static const struct side *server_of(const struct sides *s)
{
	return s->sender.server ? &s->sender : &s->receiver;
}

static const char *packets_word(uint32_t n)
{
	return n == 1 ? "packet" : "packets";
}

/* " (MTU 9180 - 56, capped at 8588)": where an announced size comes from. */
static void say_origin(struct text *t, const struct side *s)
{
	uint32_t size = s->trailer->interface, natural = s->mtu - EXPECT_IP_UDP;
	if (s->print->sender == SENDER_GROWN)
		say(t, " (changed by its path-MTU probing)");
	else if (s->mtu == 0)
		say(t, " (MTU %u%s)", s->print->mtu,
		    s->print->mtu_at_least ? " or more" : "");
	else if (size == natural)
		say(t, " (MTU %u - 56)", s->mtu);
	else if (size == EXPECT_MAX_SEND && size < natural)
		say(t, " (MTU %u - 56, capped at 8588)", s->mtu);
	else if (s->print->mtu_at_least && size < natural)
		say(t, " (MTU %u - 56, cut to whole packets)", s->mtu);
	else
		say(t,
		    " although its link has MTU %u (peer on another subnet, -rxmaxmtu, "
		    "or an "
		    "interface table older than the MTU)",
		    s->mtu);
}

static bool told(const struct side *s)
{
	return s->trailer && s->trailer->words >= 2;
}

static void say_interface(struct text *t, const struct side *s)
{
	if (!told(s)) {
		say(t, "the %s has told no size", s->name);
		return;
	}
	say(t, "the %s's interface allows %u", s->name, s->trailer->interface);
	say_origin(t, s);
}

static bool plain_ethernet(const struct side *s)
{
	return told(s) && s->trailer->interface == EXPECT_REMOTE &&
	       (s->mtu == 0 || s->mtu == 1500);
}

static void say_interfaces(struct text *t, const struct sides *s)
{
	if (plain_ethernet(&s->sender) && plain_ethernet(&s->receiver)) {
		say(t, "both interfaces are 1500 - 56");
		return;
	}
	say_interface(t, &s->sender);
	say(t, ", ");
	say_interface(t, &s->receiver);
}

static bool limits_to_one(const struct side *s)
{
	return s->trailer && (s->trailer->words < 4 || s->trailer->packets <= 1);
}

static void say_limit(struct text *t, const struct side *s)
{
	if (s->trailer->words < 4)
		say(t, "; the %s tells no packets a jumbogram (AFS 3.4a or older)",
		    s->name);
	else if (s->trailer->packets == 0)
		say(t, "; the %s takes no jumbograms (kAFS or AuriStor)", s->name);
	else
		say(t, "; the %s announces 1 packet a jumbogram (%s)", s->name,
		    s->server ? "default, -nojumbo" : "-rxmaxfrags 1");
}

static void say_limits(struct text *t, const struct sides *s)
{
	const struct side *both[2] = {&s->sender, &s->receiver};
	for (unsigned i = 0; i < 2; i++)
		if (limits_to_one(both[i]))
			say_limit(t, both[i]);
}

static void few_data(struct text *t, const struct explain_input *in,
                     const struct explanation *x, const struct sides *s)
{
	say(t, "at most %u bytes a datagram: too little was sent to tell the size",
	    in->largest);
	if (!x->allowed.packets)
		return;
	if (in->sender)
		say(t, "; both sides allow");
	else
		say(t, "; the %s takes", s->receiver.name);
	say(t, " Rx %u (%u %s a datagram)", x->allowed.udp_payload, x->allowed.packets,
	    packets_word(x->allowed.packets));
}

static void no_trailer(struct text *t, const struct explain_input *in,
                       const struct explanation *x, const struct sides *s)
{
	say(t,
	    "Rx %u (%u %s a datagram): no ack of the %s was seen, so what it takes is "
	    "not known",
	    in->largest, x->size.packets, packets_word(x->size.packets),
	    s->receiver.name);
}

static void absurd(struct text *t, const struct explain_input *in,
                   const struct explanation *x, const struct sides *s)
{
	const struct side *bad =
	        x->receiver.sender == SENDER_ABSURD ? &s->receiver : &s->sender;
	say(t,
	    "Rx %u: the %s's acks announce %u, %u, %u, %u, which is not possible; they "
	    "are "
	    "broken or forged",
	    in->largest, bad->name, bad->trailer->max_receive, bad->trailer->interface,
	    bad->trailer->window, bad->trailer->packets);
}

/* What makes a sender limit itself to one packet, by what is known of the links. */
static const char *why_one(const struct explain_input *in, const struct sides *s)
{
	const uint32_t two = expect_jumbogram(2);
	if (in->largest > EXPECT_REMOTE)
		return "AFS 3.4a or older";
	if (s->sender.mtu >= two + EXPECT_IP_UDP)
		return "-rxmaxmtu, a peer on another subnet, or an old interface table";
	if (told(&s->receiver) && s->receiver.trailer->interface >= two)
		return "its interface is smaller, or -rxmaxmtu";
	return s->sender.server ? "default, -nojumbo" : "-rxmaxfrags 1";
}

/* The sender's acks were not seen, but its packets tell. */
static void packet_by_size(struct text *t, const struct explain_input *in,
                           const struct sides *s)
{
	say(t,
	    "Rx %u: the %s takes %u packets a jumbogram, but the %s fills packets to "
	    "%u "
	    "instead of 1440, so its own limit is 1 (%s)",
	    in->largest, s->receiver.name, in->receiver->packets, s->sender.name,
	    in->largest, why_one(in, s));
}

static void packet(struct text *t, const struct explain_input *in,
                   const struct explanation *x, const struct sides *s)
{
	(void)x;
	if (!in->sender && !limits_to_one(&s->receiver)) {
		packet_by_size(t, in, s);
		return;
	}
	say(t, "Rx %u: ", in->largest);
	say_interfaces(t, s);
	say_limits(t, s);
}

static void small(struct text *t, const struct explain_input *in,
                  const struct explanation *x, const struct sides *s)
{
	uint32_t size = x->allowed.rx_packet;
	const struct side *who =
	        in->sender && in->sender->words >= 2 && in->sender->interface == size
	                ? &s->sender
	                : &s->receiver;
	say(t, "Rx %u: the %s announces %u (an interface MTU of %u, or -rxmaxmtu %u)",
	    in->largest, who->name, size, size + EXPECT_IP_UDP, size);
}

static void large_packet(struct text *t, const struct explain_input *in,
                         const struct explanation *x, const struct sides *s)
{
	say(t,
	    "Rx %u in one packet without jumbograms (AFS 3.4a style): the %s takes up "
	    "to %u",
	    in->largest, s->receiver.name, in->receiver->max_receive);
	if (x->pieces > 1)
		say(t, "; it leaves in %u fragments", x->pieces);
}

static void kafs_packet(struct text *t, const struct explain_input *in,
                        const struct explanation *x, const struct sides *s)
{
	(void)x;
	say(t,
	    "Rx %u: the %s is kAFS, which puts at most 1412 bytes of data in a packet",
	    in->largest, s->sender.name);
	say_limits(t, s);
}

static void jumbo(struct text *t, const struct explain_input *in,
                  const struct explanation *x, const struct sides *s)
{
	say(t, "Rx %u (%u packets a jumbogram): ", in->largest, x->size.packets);
	if (told(&s->sender)) {
		say_interface(t, &s->sender);
		say(t, " and ");
	}
	say(t, "the %s takes up to %u with %u packets", s->receiver.name,
	    in->receiver->max_receive, in->receiver->packets);
	if (!told(&s->sender))
		say(t, "; the %s, which sent no ack to tell its size, sends as many",
		    s->sender.name);
}

static void fragments(struct text *t, const struct explain_input *in,
                      const struct explanation *x, const struct sides *s)
{
	const struct side *server = server_of(s);
	say(t, "%u = %u packets in %u fragments", in->largest, x->size.packets,
	    x->pieces);
	if (x->cut_mtu)
		say(t, " on MTU %u", x->cut_mtu);
	if (x->sender.frags == 1 || x->pieces > EXPECT_FRAGS)
		say(t,
		    ": more than the %s itself cuts, so a smaller route or a router "
		    "did it; "
		    "set that MTU on the route or with -rxmaxmtu",
		    s->sender.name);
	else if (server->print->frags == EXPECT_FRAGS || s->sender.server)
		say(t, ": server runs with -jumbo; set -nojumbo (or client -rxmaxfrags "
		       "1) to "
		       "end it");
	else
		say(t, ": the client cuts datagrams into 4 fragments by default and "
		       "the server, "
		       "its own MTU being larger, takes them; set client -rxmaxfrags 1 "
		       "to end it");
}

static void encrypted(struct text *t, const struct explain_input *in,
                      const struct explanation *x, const struct sides *s)
{
	static const char *const known[RX_LEVELS] = {
	        [RX_LEVEL_AUTH] = "authenticated", [RX_LEVEL_CRYPT] = "encrypted"};
	const char *level = known[in->level];
	if (!level)
		level = x->allowed.packets > 1 ? "encrypted or authenticated"
		                               : "encrypted";
	say(t, "Rx %u: rxkad protects the packets (%s)", in->largest, level);
	if (x->allowed.packets > 1)
		say(t,
		    ", and such packets are never joined into jumbograms, so the %u "
		    "packets "
		    "a datagram (%u) that %s stay unused",
		    x->allowed.packets, x->allowed.udp_payload,
		    in->sender           ? "both sides allow"
		    : s->receiver.server ? "the server allows"
		                         : "the client allows");
	else
		say(t, ", which leaves this of packets of %u", x->allowed.rx_packet);
}

static void not_reached(struct text *t, const struct explain_input *in,
                        const struct explanation *x, const struct sides *s)
{
	say(t,
	    "Rx %u (%u %s a datagram) although %u (%u %s) is allowed: datagrams grow "
	    "only "
	    "while nothing is lost",
	    in->largest, x->size.packets, packets_word(x->size.packets),
	    x->allowed.udp_payload, x->allowed.packets,
	    packets_word(x->allowed.packets));
	if (told(&s->sender) && told(&s->receiver) &&
	    in->sender->interface > in->receiver->interface) {
		say(t, "; ");
		say_interface(t, &s->sender);
		say(t,
		    " but the %s's only %u: on one network of unequal MTUs larger "
		    "datagrams "
		    "vanish without a word",
		    s->receiver.name, in->receiver->interface);
	} else if (told(&s->receiver) && x->pieces == 1 && in->packets > 1 &&
	           in->largest > in->receiver->interface) {
		say(t,
		    "; they leave whole although the %s's interface allows %u: if its "
		    "MTU is "
		    "%u and the network one, larger datagrams vanish without a word",
		    s->receiver.name, in->receiver->interface, x->receiver.mtu);
	}
}

static void refused(struct text *t, const struct explain_input *in,
                    const struct explanation *x, const struct sides *s)
{
	say(t,
	    "Rx %u (%u packets a jumbogram) although the %s takes only %u %s: the %s "
	    "sends "
	    "jumbograms that were refused (OpenAFS before 1.4.8 did)",
	    in->largest, x->size.packets, s->receiver.name, in->receiver->packets,
	    packets_word(in->receiver->packets), s->sender.name);
}

static const struct {
	const char *id;
	void (*write)(struct text *t, const struct explain_input *in,
	              const struct explanation *x, const struct sides *s);
} reasons[EXPLAIN_REASONS] = {
        [EXPLAIN_FEW_DATA] = {"few-data", few_data},
        [EXPLAIN_NO_TRAILER] = {"no-trailer", no_trailer},
        [EXPLAIN_ABSURD] = {"absurd-trailer", absurd},
        [EXPLAIN_PACKET] = {"packet", packet},
        [EXPLAIN_SMALL] = {"small-packet", small},
        [EXPLAIN_LARGE_PACKET] = {"large-packet", large_packet},
        [EXPLAIN_KAFS] = {"kafs-packet", kafs_packet},
        [EXPLAIN_JUMBO] = {"jumbo", jumbo},
        [EXPLAIN_FRAGMENTS] = {"jumbo-fragments", fragments},
        [EXPLAIN_ENCRYPTED] = {"encrypted", encrypted},
        [EXPLAIN_NOT_REACHED] = {"not-reached", not_reached},
        [EXPLAIN_REFUSED] = {"refused-jumbo", refused},
};

const char *explain_reason_id(enum explain_reason reason)
{
	return reasons[reason].id;
}

char *explain_text(const struct explain_input *in, const struct explanation *x,
                   char *buf, size_t size)
{
	struct text t = {buf, size};
	struct sides s = sides_of(in, x);
	if (size > 0)
		buf[0] = 0;
	reasons[x->reason].write(&t, in, x, &s);
	if (in->dominant && in->dominant < in->largest && x->reason != EXPLAIN_FEW_DATA)
		say(&t, "; most data went in datagrams of %u", in->dominant);
	const struct side *ends[2] = {&s.sender, &s.receiver};
	const bool elsewhere[2] = {in->sender_elsewhere, in->receiver_elsewhere};
	for (unsigned i = 0; i < 2; i++)
		if (elsewhere[i] && in->receiver) /* else no sentence uses it */
			say(&t, "; the %s announced its size to another %s", ends[i]->name,
			    ends[!i]->name);
	return buf;
}
