#include "netprobe/expect/link.h"

#include <stdlib.h>
#include <string.h>

#define MBIT UINT64_C(1000000)
#define CELL .cell = 53, .cell_payload = 48
#define AAL5_TRAILER 8
#define OC3C UINT64_C(149760000)

static const struct link_kind kinds[] = {
        /* preamble 8, MAC header 14, FCS 4, gap 12; frame without FCS at least 60 */
        {"ethernet", "Ethernet", .added = 38, .min_ip = 46, .usual_mtu = 1500},
        {"ethernet-vlan", "Ethernet with an 802.1Q tag", .added = 42, .min_ip = 42,
         .usual_mtu = 1500},
        {"ethernet-pppoe", "PPPoE on Ethernet", .added = 46, .min_ip = 38,
         .usual_mtu = 1492},
        {"atm-llc", "ATM AAL5, routed IP behind LLC/SNAP", .added = 8 + AAL5_TRAILER,
         CELL, .usual_mtu = 9180, .usual_rate = OC3C},
        {"atm-vcmux", "ATM AAL5, one VC for routed IP", .added = AAL5_TRAILER, CELL,
         .usual_mtu = 9180, .usual_rate = OC3C},
        /* LLC 3, OUI 3, PID 2, pad 2, MAC header 14 */
        {"atm-bridged", "ATM AAL5, bridged Ethernet behind LLC, no FCS",
         .added = 24 + AAL5_TRAILER, CELL, .usual_mtu = 1500, .usual_rate = OC3C},
        {"atm-bridged-fcs", "ATM AAL5, bridged Ethernet behind LLC, with FCS",
         .added = 28 + AAL5_TRAILER, .min_ip = 46, CELL, .usual_mtu = 1500,
         .usual_rate = OC3C},
        /* LE header 2, MAC header 14 */
        {"atm-lane", "ATM LAN emulation of Ethernet", .added = 16 + AAL5_TRAILER,
         .min_ip = 46, CELL, .usual_mtu = 1500, .usual_rate = OC3C},
        /* preamble 8, start 1, FC 1, addresses 12, LLC/SNAP 8, FCS 4, end and status 2
         */
        {"fddi", "FDDI", .added = 36, .usual_mtu = 4352, .usual_rate = 100 * MBIT},
        /* IPoIB 4, LRH 8, BTH 12, DETH 8, ICRC 4, VCRC 2 */
        {"ipoib", "IP over InfiniBand, datagrams", .added = 38, .usual_mtu = 2044,
         .pad = 4},
        {"ipoib-cm", "IP over InfiniBand, connected (IB MTU 2048)", .added = 4,
         .usual_mtu = 65520, .pad = 4, .segment = 2048, .segment_added = 26},
        /* the tunnel's headers, then Ethernet's 38 */
        {"gre", "GRE on Ethernet", .added = 24 + 38, .usual_mtu = 1476},
        {"vxlan", "VXLAN on Ethernet", .added = 50 + 38, .min_ip = 46,
         .usual_mtu = 1450},
        {"wireguard", "WireGuard over IPv4 on Ethernet", .added = 60 + 38,
         .usual_mtu = 1420, .pad = 16, .pad_within_mtu = true},
        /* IP 20, ESP 8, IV 8, ICV 16; the two bytes of padding length and next header
         * end on a multiple of four */
        {"ipsec", "IPsec ESP tunnel, AES-GCM, on Ethernet", .added = 52 + 38,
         .usual_mtu = 1446, .pad = 4, .pad_extra = 2},
};

static const struct link_rate rates[] = {
        {"oc3c", OC3C, "atm-llc"},
        {"oc12c", 599040000, "atm-llc"},
        {"ds3", 104268 * 424, "atm-llc"},
        {"ds3-plcp", 40704000, "atm-llc"},
        {"e3", 33920000, "atm-llc"},
        {"e3-plcp", 30528000, "atm-llc"},
        {"taxi", 100 * MBIT, "atm-llc"},
        {"fddi", 100 * MBIT, "fddi"},
        {"ethernet-10", 10 * MBIT, "ethernet"},
        {"ethernet-100", 100 * MBIT, "ethernet"},
        {"ethernet-1000", 1000 * MBIT, "ethernet"},
        {"ethernet-10000", 10000 * MBIT, "ethernet"},
        {"ib-sdr4x", 8000 * MBIT, "ipoib"},
        {"ib-qdr4x", 32000 * MBIT, "ipoib-cm"},
};

/* Over IPv4 unless the name says otherwise; the likelier one first. */
static const struct link_tunnel tunnels[] = {
        {"802.1Q tag on a link that does not allow for it", 4},
        {"PPPoE", 8},
        {"IPIP", 20},
        {"GRE", 24},
        {"GRE with key", 28},
        {"DS-Lite (IPv4 in IPv6)", 40},
        {"VXLAN or Geneve", 50},
        {"WireGuard over IPv4", 60},
        {"VXLAN over IPv6", 70},
        {"WireGuard over IPv6", 80},
        {"three MPLS labels", 12},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

const struct link_kind *link_kinds(size_t *n)
{
	*n = COUNT(kinds);
	return kinds;
}

const struct link_kind *link_kind_find(const char *name)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

const struct link_rate *link_rates(size_t *n)
{
	*n = COUNT(rates);
	return rates;
}

uint64_t link_rate_find(const char *name)
{
	for (size_t i = 0; i < COUNT(rates); i++)
		if (strcmp(rates[i].name, name) == 0)
			return rates[i].bps;
	return 0;
}

uint64_t link_rate_parse(const char *text)
{
	static const struct {
		char suffix;
		double factor;
	} scales[] = {{'\0', 1}, {'k', 1e3}, {'M', 1e6}, {'G', 1e9}};
	uint64_t named = link_rate_find(text);
	if (named)
		return named;
	char *end;
	double v = strtod(text, &end);
	if (end == text || !(v > 0) || v > 1e15 || (*end && end[1]))
		return 0;
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
		if (scales[i].suffix == *end)
			return (uint64_t)(v * scales[i].factor);
	return 0;
}

uint64_t link_wire_bytes(const struct link_kind *kind, uint32_t ip_len, uint32_t mtu)
{
	if (mtu == 0)
		mtu = kind->usual_mtu;
	uint64_t bytes = ip_len < kind->min_ip ? kind->min_ip : ip_len;
	if (kind->pad)
		bytes = (bytes + kind->pad_extra + kind->pad - 1) / kind->pad *
		        kind->pad;
	/* WireGuard: never beyond its own MTU */
	if (kind->pad_within_mtu && bytes > mtu && ip_len <= mtu)
		bytes = mtu;
	bytes += kind->added;
	if (kind->segment)
		return bytes + (bytes + kind->segment - 1) / kind->segment *
		                       kind->segment_added;
	if (kind->cell == 0)
		return bytes;
	return (bytes + kind->cell_payload - 1) / kind->cell_payload * kind->cell;
}

/* Headers of a whole packet, and of each of its pieces. */
static uint32_t whole_header(unsigned family)
{
	return family == 6 ? 40 : 20;
}

static uint32_t piece_header(unsigned family)
{
	return family == 6 ? 48 : 20;
}

/* Payload of every piece but the last; offsets count in units of 8. */
static uint32_t piece_payload(unsigned family, uint32_t mtu)
{
	uint32_t header = piece_header(family);
	return mtu < header ? 0 : (mtu - header) & ~7u;
}

uint32_t link_fragments(unsigned family, uint32_t ip_len, uint32_t mtu)
{
	if (mtu == 0 || ip_len <= mtu)
		return 1;
	uint32_t step = piece_payload(family, mtu);
	if (step == 0)
		return 0;
	return (ip_len - whole_header(family) + step - 1) / step;
}

uint32_t link_fragment_len(unsigned family, uint32_t ip_len, uint32_t mtu, uint32_t i)
{
	uint32_t n = link_fragments(family, ip_len, mtu);
	if (i >= n)
		return 0;
	if (n == 1)
		return ip_len;
	uint32_t step = piece_payload(family, mtu);
	if (i < n - 1)
		return piece_header(family) + step;
	return piece_header(family) + ip_len - whole_header(family) - i * step;
}

uint64_t link_train_bytes(const struct link_kind *kind, unsigned family,
                          uint32_t ip_len, uint32_t mtu)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < link_fragments(family, ip_len, mtu); i++)
		bytes += link_wire_bytes(
		        kind, link_fragment_len(family, ip_len, mtu, i), mtu);
	return bytes;
}

double link_ceiling_bytes_per_s(const struct link_kind *kind, uint64_t rate_bps,
                                uint32_t data_bytes, uint32_t udp_payload, uint32_t mtu)
{
	uint64_t bytes = link_train_bytes(kind, 4, udp_payload + 28, mtu);
	if (bytes == 0)
		return 0;
	return (double)rate_bps / 8 * data_bytes / (double)bytes;
}

const struct link_tunnel *link_tunnels(size_t *n)
{
	*n = COUNT(tunnels);
	return tunnels;
}

const struct link_tunnel *link_tunnel_between(uint32_t outer, uint32_t inner)
{
	for (size_t i = 0; i < COUNT(tunnels); i++)
		if (inner < outer && outer - inner == tunnels[i].overhead)
			return &tunnels[i];
	return NULL;
}
