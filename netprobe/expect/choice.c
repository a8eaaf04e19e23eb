#include "netprobe/expect/choice.h"

#include "netprobe/expect/kafs.h"

#define ETHERNET_MTU 1500u

static const struct {
	const char *name, *text;
} programs[EXPECT_PROGRAMS] = {
        [EXPECT_SERVER] = {"server", "OpenAFS server (fileserver, volserver, …)"},
        [EXPECT_CLIENT] = {"client",
                           "OpenAFS client in user space (libuafs, afsd.fuse)"},
        [EXPECT_TOOL] = {"tool", "OpenAFS command (vos, pts, afsio, …)"},
        [EXPECT_KERNEL] = {"kernel-client", "OpenAFS Linux kernel client"},
        [EXPECT_KAFS] = {"kafs", "kAFS of Linux before 6.14"},
        [EXPECT_KAFS_PROBING] = {"kafs-probing", "kAFS of Linux 6.14 or later"},
        [EXPECT_AURISTOR] = {"auristor", "AuriStor"},
};

const char *expect_program_name(enum expect_program p)
{
	return programs[p].name;
}

const char *expect_program_text(enum expect_program p)
{
	return programs[p].text;
}

int expect_program_find(const char *name)
{
	for (int i = 0; i < EXPECT_PROGRAMS; i++)
		if (strcmp(programs[i].name, name) == 0)
			return i;
	return -1;
}

static enum expect_match match_of(const struct expect_own *own, const struct addr *peer)
{
	return own->iface ? expect_class_match(own->iface, peer) : EXPECT_MATCH_NONE;
}

static void choose_openafs(const struct expect_case *c, struct expect_choice *x)
{
	const struct expect_config *config = &c->host->config;
	if (config->program == EXPECT_KERNEL) {
		expect_kernel_own(c->host, &c->peer, &x->own);
		if (c->route_mtu)
			x->own.link_mtu = c->route_mtu;
		x->match = match_of(&x->own, &c->peer);
	} else {
		expect_own(c->host, &c->peer,
		           c->release == EXPECT_16 ? 0 : c->route_mtu, &x->own);
		if (x->own.iface)
			x->match = addr_compare(&x->own.iface->addr, &c->peer) == 0
			                   ? EXPECT_MATCH_SELF
			                   : EXPECT_MATCH_SUBNET;
	}
	x->first = expect_send(&x->own, config, NULL, EXPECT_CLEAR);
	for (int s = EXPECT_CLEAR; s <= EXPECT_RXKAD_CRYPT; s++)
		x->size[s] = expect_send(&x->own, config, c->trailer,
		                         (enum expect_security)s);
	const struct expect_size *clear = &x->size[EXPECT_CLEAR];
	if (clear->packets > 1 && clear->rx_packet > x->own.size)
		x->grown = clear->rx_packet;
	x->df = c->release != EXPECT_16;
}

/* Where the kernel's MTU of the route is not told: the interface that the peer is on,
 * by the longest prefix, as routes go; else the only one.  NULL: told, or not known. */
static const struct expect_iface *way_out(const struct expect_case *c,
                                          enum expect_match *match)
{
	const struct expect_host *h = c->host;
	const struct expect_iface *best = NULL;
	for (size_t i = 0; i < h->ifaces; i++)
		if (expect_on_subnet(&h->iface[i], &c->peer) &&
		    (!best || h->iface[i].prefix > best->prefix))
			best = &h->iface[i];
	if (best)
		*match = EXPECT_MATCH_SUBNET;
	if (c->route_mtu)
		return NULL;
	return best || h->ifaces != 1 ? best : h->iface;
}

static void choose_kafs(const struct expect_case *c, struct expect_choice *x)
{
	bool probing = c->host->config.program == EXPECT_KAFS_PROBING;
	const struct expect_iface *f = way_out(c, &x->match);
	expect_kafs_own(probing, f ? f->mtu : c->route_mtu, c->trailer, &x->own);
	x->own.iface = f;
	x->first = expect_kafs_send(probing, &x->own, NULL);
	for (int s = EXPECT_CLEAR; s <= EXPECT_RXKAD_CRYPT; s++)
		x->size[s] = expect_kafs_send(probing, &x->own, c->trailer);
	x->df = true;
}

static void choose_auristor(const struct expect_case *c, struct expect_choice *x)
{
	const struct expect_iface *f = way_out(c, &x->match);
	uint32_t size = EXPECT_REMOTE, mtu = f ? f->mtu : c->route_mtu;
	if (mtu && expect_size_for_mtu(mtu) < size)
		size = expect_size_for_mtu(mtu);
	x->own = (struct expect_own){.iface = f,
	                             .size = size,
	                             .packets = 1,
	                             .receive = size,
	                             .link_mtu = mtu,
	                             .trailer = {.words = 4,
	                                         .max_receive = size,
	                                         .interface = size,
	                                         .window = 255}};
	x->first = (struct expect_size){.packets = 1,
	                                .rx_packet = size,
	                                .udp_payload = size,
	                                .ip_len = size + EXPECT_IP4_UDP};
	for (int s = EXPECT_CLEAR; s <= EXPECT_RXKAD_CRYPT; s++)
		x->size[s] = x->first;
	x->df = true;
	x->uncertain = true;
}

void expect_choose(const struct expect_case *c, struct expect_choice *out)
{
	*out = (struct expect_choice){.match = EXPECT_MATCH_NONE};
	switch (c->host->config.program) {
	case EXPECT_KAFS:
	case EXPECT_KAFS_PROBING:
		choose_kafs(c, out);
		break;
	case EXPECT_AURISTOR:
		choose_auristor(c, out);
		break;
	default:
		choose_openafs(c, out);
	}
}

struct rx_trailer expect_likely_peer(const struct expect_case *c,
                                     const struct expect_choice *x)
{
	static const uint8_t here[4] = {192, 0, 2, 1}, there[4] = {192, 0, 2, 2};
	bool near = x->match >= EXPECT_MATCH_SUBNET;
	bool server = c->host->config.program == EXPECT_SERVER;
	struct expect_iface f = {addr_from_v4(here), 24, ETHERNET_MTU};
	if (x->own.link_mtu && (near || x->own.link_mtu < f.mtu))
		f.mtu = x->own.link_mtu;
	const struct expect_host host = {
	        {.program = server ? EXPECT_CLIENT : EXPECT_SERVER}, &f, 1};
	struct addr peer = addr_from_v4(there);
	struct expect_own own;
	expect_own(&host, &peer, 0, &own);
	return own.trailer;
}
