/* The catalogue of findings: doc/findings.md is printed from it. */
#include "netprobe/diagnose/finding.h"

static const struct finding_about catalogue[FINDING_KINDS] = {
        [FIND_BLACK_HOLE] =
                {"D1", "black-hole", FINDING_ERROR,
                 "Datagrams beyond some size vanish on the way and nobody says so, "
                 "while smaller ones arrive: transfers hang or crawl.",
                 "DATA of one size sent again and again and never acknowledged, "
                 "smaller ones acknowledged, DF set, no ICMP \"fragmentation "
                 "needed\".",
                 "Let ICMP type 3 code 4 through; or start all servers with "
                 "-rxmaxmtu N, N the largest UDP payload that passed; or lower the "
                 "route: ip route replace PEER via GATEWAY mtu N."},
        [FIND_TOO_BIG_OBEYED] =
                {"D2a", "too-big-obeyed", FINDING_INFO,
                 "A router said that datagrams are too big for the next hop, and the "
                 "sender took notice.",
                 "ICMP \"fragmentation needed\" that quotes an Rx flow; no larger "
                 "datagram with DF afterwards.",
                 "Nothing has to be done; -rxmaxmtu N spares every new peer the "
                 "first loss."},
        [FIND_TOO_BIG_IGNORED] =
                {"D2b", "too-big-ignored", FINDING_ERROR,
                 "A router says that datagrams are too big, and the sender goes on "
                 "sending them.",
                 "ICMP \"fragmentation needed\" that quotes an Rx flow; larger "
                 "datagrams with DF afterwards.",
                 "Let ICMP reach the sender; start it with -rxmaxmtu N, or ip route "
                 "replace PEER mtu N."},
        [FIND_TOO_BIG_WITHOUT_MTU] =
                {"D2c", "too-big-without-mtu", FINDING_WARNING,
                 "A router says that datagrams are too big without saying which size "
                 "fits (RFC 1191, section 4), so senders can only guess.",
                 "ICMP \"fragmentation needed\" with a next-hop MTU of 0.",
                 "Mend the router; meanwhile -rxmaxmtu N on the servers."},
        [FIND_LOCAL_FRAGMENTATION] =
                {"D3", "local-fragmentation", FINDING_WARNING,
                 "The sender builds datagrams larger than its link and cuts them "
                 "into IP fragments: one lost fragment costs all of them, and "
                 "firewalls often drop fragments.",
                 "DATA datagrams leave in fragments.",
                 "Server: -nojumbo (take -jumbo away); client: afsd -rxmaxfrags 1; "
                 "where single packets are cut: -rxmaxmtu MTU-28."},
        [FIND_FRAGMENTED_THOUGH_FITS] =
                {"D3b", "fragmented-though-it-fits", FINDING_WARNING,
                 "Datagrams are cut although they fit the interface: the route or "
                 "the path has a smaller MTU.",
                 "Datagrams no longer than the interface's MTU in fragments; the "
                 "first one tells the smaller MTU.",
                 "Look at ip route get PEER; start the server with -rxmaxmtu MTU-28, "
                 "or give the route its proper MTU."},
        [FIND_PATH_FRAGMENTATION] =
                {"D4", "path-fragmentation", FINDING_WARNING,
                 "A router on the way cuts the datagrams.",
                 "Fragments with a hop limit that routers have lowered, from a "
                 "sender that does not set DF.",
                 "-rxmaxmtu MTU-28 on the sender, or the same MTU on all links."},
        [FIND_FRAGMENTS_LOST] =
                {"D5", "fragments-lost", FINDING_WARNING,
                 "Some fragments of datagrams are missing; each costs the whole "
                 "datagram, and all its packets are sent again.",
                 "Fragment trains that stay incomplete beside complete ones.",
                 "Avoid fragments: -nojumbo, -rxmaxfrags 1; then look for the loss."},
        [FIND_FIRST_FRAGMENTS_ONLY] =
                {"D6", "first-fragments-only", FINDING_ERROR,
                 "Only the first fragment of each datagram comes through, as with a "
                 "firewall that knows no state: no large datagram arrives.",
                 "First fragments without any later one, and none of these datagrams "
                 "acknowledged.",
                 "Allow fragments in the firewall, or avoid them: -nojumbo, "
                 "-rxmaxfrags 1."},
        [FIND_FRAGMENTS_BLOCKED] =
                {"D6b", "fragments-blocked", FINDING_ERROR,
                 "Datagrams in fragments go by here complete and are never "
                 "acknowledged, whole ones are: fragments do not get through.",
                 "Complete fragment trains, resent and never acknowledged; whole "
                 "datagrams acknowledged.",
                 "Allow fragments in the firewall, or avoid them: -nojumbo on the "
                 "server, -rxmaxfrags 1 on the client."},
        [FIND_JUMBOGRAMS_REFUSED] =
                {"D7", "jumbograms-refused", FINDING_ERROR,
                 "Datagrams hold more Rx packets than the receiver says it takes: "
                 "versions before 1.4.8 did so in spite of -nojumbo.",
                 "Jumbograms of more packets than the receiver's acks allow.",
                 "Upgrade the sender; -rxmaxfrags 1 or -rxmaxmtu 1444 on it."},
        [FIND_JUMBOGRAMS_ROUTED] =
                {"D8", "jumbograms-routed", FINDING_WARNING,
                 "Jumbograms larger than Ethernet's frames go to a peer behind a "
                 "router, whose next link may not carry them.",
                 "Whole datagrams beyond 1500 bytes to a peer on another subnet.",
                 "-nojumbo on the server or -rxmaxfrags 1 on the client, unless all "
                 "links on the way carry them."},
        [FIND_BIG_LINK_UNUSED] =
                {"D9", "big-link-unused", FINDING_INFO,
                 "The link carries far larger packets than Rx sends, because the "
                 "peer announces a small size.",
                 "Link MTU of 2912 or more, datagrams of at most 1444 bytes, the "
                 "peer's acks announce a small interface.",
                 "Set the peer's MTU to the link's and restart its AFS processes, "
                 "which read it once; look for -rxmaxmtu there."},
        [FIND_OTHER_ADDRESS] =
                {"D10", "other-address", FINDING_WARNING,
                 "The server is asked at one address and answers from another: "
                 "firewalls and NAT drop such replies.",
                 "One Rx connection with two addresses of the server.",
                 "Register the near address (NetInfo, NetRestrict; vos listaddrs "
                 "shows it), or bind to one address: -rxbind."},
        [FIND_ASYMMETRIC_PATH] =
                {"D11", "asymmetric-path", FINDING_WARNING,
                 "Requests come in by one interface and replies leave by another, "
                 "each with its own MTU.",
                 "One Rx connection on two interfaces.",
                 "Let routes and registered addresses agree: NetInfo/NetRestrict, ip "
                 "rule and ip route for replies."},
        [FIND_SIZE_BEYOND_LINK] =
                {"D12", "size-beyond-link", FINDING_WARNING,
                 "A host announces packets larger than its own link carries.",
                 "Size in its acks + 28 over the MTU of the interface.",
                 "Restart the AFS processes on that host, which read MTUs once, at "
                 "start; if "
                 "it stays so, -rxmaxmtu MTU-28 there."},
        [FIND_WINDOW_LIMITED] =
                {"D13", "window-limited", FINDING_INFO,
                 "Neither the link nor loss sets the rate but the window: no more "
                 "than WINDOW packets may be on the way in one round trip.",
                 "Calls that wait most of their time with the window full, while round "
                 "trips do not grow; rate = window x data / round trip.",
                 "Shorten the round trip or run several transfers side by side: "
                 "OpenAFS's window is fixed at 32 packets."},
        [FIND_LOSS] =
                {"D14", "loss", FINDING_WARNING,
                 "Packets of all sizes are lost and have to be sent again.",
                 "DATA packets sent again before they were acknowledged; silences of "
                 "200 ms and more before a resend.",
                 "Look for errors and drops at interfaces and switches, duplex, full "
                 "queues; -udpsize on the file server for its own buffer."},
        [FIND_APPLICATION_LIMITED] =
                {"D15", "application-limited", FINDING_INFO,
                 "The receiver's program does not read what has arrived: disk, cache "
                 "or CPU set the rate, not the network.",
                 "Calls that wait most of their time with the window full of what was "
                 "received and not consumed.",
                 "Look at the receiver: disk, cache size, CPU."},
        [FIND_NAT_REBINDING] =
                {"D16", "nat-rebinding", FINDING_WARNING,
                 "A connection goes on from another port: NAT on the way has "
                 "forgotten it and made it anew, and callbacks to the old port are "
                 "lost.",
                 "One Rx connection with two ports of the client.",
                 "Lengthen the NAT's UDP timeout beyond 20 minutes, or keep it alive "
                 "with fs checkservers -interval."},
        [FIND_RESPONSE_FRAGMENTED] =
                {"D17", "response-fragmented", FINDING_INFO,
                 "A client proves who it is with a ticket larger than a frame: the "
                 "RESPONSE leaves in fragments whatever -nojumbo says.",
                 "RESPONSE packets in fragments; an error where the challenge is "
                 "repeated.",
                 "Get a smaller ticket (no PAC for the afs service in Active "
                 "Directory), or allow fragments."},
        [FIND_ABSURD_TRAILER] =
                {"D18", "absurd-trailer", FINDING_WARNING,
                 "Acks announce sizes that no sane host sends: broken, hostile "
                 "(OPENAFS-SA-2017-001), or on a link or route of MTU under 576.",
                 "A trailer with a size under 520 or over 65535, a window of 0; acks "
                 "and jumbograms that contradict their length.",
                 "Upgrade hosts older than 1.6.23; look at who sends it, and at the "
                 "MTU of its "
                 "routes."},
        [FIND_CAPTURED_TWICE] =
                {"D19", "captured-twice", FINDING_INFO,
                 "The capture holds the same packets twice (mirror port, bridge, "
                 "merged files); they are counted once.",
                 "Rx packets with the same serial on one interface.",
                 "Capture on one interface or one side of the mirror."},
        [FIND_CAPTURE_DROPS] =
                {"D20", "capture-drops", FINDING_WARNING,
                 "The capture is missing packets: counts are lower bounds, and what "
                 "looks like loss may be its own.",
                 "Drops that the capturer or the interface counted (also those that "
                 "pcapng tells with single packets), and Rx packets that were "
                 "acknowledged and never came by.",
                 "Capture less of each packet (-s 192), with a larger buffer, on a "
                 "less busy machine, on every interface that the hosts use."},
        [FIND_OLD_PEER] =
                {"D21", "old-peer", FINDING_INFO,
                 "A peer runs an old AFS: it announces less, or leaks memory in its "
                 "acks (before 1.6.15, OPENAFS-SA-2015-007).",
                 "Acks with fewer than four words, or with rests of memory where "
                 "zeros belong.",
                 "Upgrade it."},
        [FIND_PROBE_UNANSWERED] =
                {"D22", "probe-unanswered", FINDING_INFO,
                 "Path-MTU probes of some size are never answered: the path does not "
                 "carry it.",
                 "Padded pings of a size sent twice or more without an answer.",
                 "Nothing, if nothing else is found: the sender stays below it."},
        [FIND_CHECKSUM] =
                {"D23", "checksum", FINDING_WARNING,
                 "UDP checksums are wrong or switched off: damage goes unnoticed, "
                 "and files may be corrupted.",
                 "Checksums of whole packets that do not fit their content, or 0.",
                 "Switch UDP checksums on; look for a firewall, a NAT or a driver that "
                 "changes packets, and for links with errors."},
        [FIND_MIXED_MTU] =
                {"D24", "mixed-mtu", FINDING_ERROR,
                 "Two hosts on one network have different MTUs: the larger one's "
                 "packets vanish without any ICMP, so transfers one way hang.",
                 "DATA larger than the receiver's interface sent and never "
                 "acknowledged, no router between.",
                 "Give both the same MTU; or on the larger one ip route replace PEER "
                 "dev INTERFACE mtu N; or on the client -rxmaxfrags 1."},
        [FIND_STALE_TABLE] =
                {"D25", "stale-interface-table", FINDING_WARNING,
                 "A host announces the size of another MTU than its interface has: "
                 "AFS reads the interfaces once, at start.",
                 "Size in its acks belongs to another usual MTU than the "
                 "interface's.",
                 "Restart the file server (client: afsd) after changing an MTU; take "
                 "an old -rxmaxmtu away."},
        [FIND_NETINFO_SPLIT] =
                {"D26", "netinfo-split", FINDING_WARNING,
                 "Only one of the server's addresses is registered, so clients near "
                 "the other ask the far one and get replies from the near one.",
                 "The registered addresses lack the one that replies come from.",
                 "Put both addresses into NetInfo, or none, and restart."},
        [FIND_ENCRYPTED_SMALL] =
                {"D27", "encrypted-small", FINDING_INFO,
                 "Encrypted rxkad packets are never joined into jumbograms: a link "
                 "with a large MTU gains nothing from it.",
                 "Datagrams of at most 1440 bytes on an encrypted connection where "
                 "both ends allow more.",
                 "None but rxgk, or clear traffic (fs setcrypt off) where the "
                 "network is trusted."},
        [FIND_OFFLOAD] =
                {"D28", "offload-hides-sizes", FINDING_WARNING,
                 "The host joins packets before the capture sees them: sizes and "
                 "counts are not those of the wire.",
                 "IP packets longer than the link carries.",
                 "ethtool -K INTERFACE gro off lro off gso off tso off while "
                 "capturing, or capture elsewhere."},
        [FIND_LINK_LIMITED] =
                {"D29", "link-limited", FINDING_INFO,
                 "The link is full: this is as fast as it gets with these datagrams.",
                 "Rx data at 90 % or more of what the link carries.",
                 "A faster link; larger datagrams gain a few per cent at most."},
        [FIND_PROBE_GREW] =
                {"D30", "probe-grew-size", FINDING_INFO,
                 "A path-MTU probe that was cut into fragments and answered has "
                 "raised the size that a host announces beyond its link: harmless, "
                 "unless the other end may send as much.",
                 "Interface sizes in its acks that grow and fit no MTU.",
                 "afsd -rxmaxmtu MTU-56 on that host; restart it."},
        [FIND_TUNNEL] =
                {"D31", "tunnel-in-path", FINDING_INFO,
                 "The size that passes is what a tunnel leaves of Ethernet's MTU.",
                 "Path MTU as told by ICMP, by fragments or by the sizes that "
                 "pass.",
                 "-rxmaxmtu N on all servers, N = tunnel MTU - 28."},
        [FIND_LOSS_BY_SIZE] =
                {"D32", "loss-grows-with-size", FINDING_WARNING,
                 "Large datagrams are lost far more often than small ones.",
                 "Lost shares of datagrams by size.",
                 "Avoid fragments (-nojumbo, -rxmaxfrags 1); try a smaller -rxmaxmtu "
                 "and compare the rates."},
        [FIND_FRAGMENTS_HIDDEN] =
                {"D33", "capture-hides-fragments", FINDING_INFO,
                 "The capture has first fragments only, though the datagrams "
                 "arrived: its filter hides the rest, and byte counts are too low.",
                 "First fragments without any later one, datagrams acknowledged.",
                 "Add \"or (ip[6:2] & 0x1fff != 0)\" to the capture filter."},
        [FIND_LOSS_BETWEEN_POINTS] =
                {"D34", "loss-between-points", FINDING_ERROR,
                 "Datagrams from some size on are lost between two capture points, "
                 "smaller ones are not; or nothing at all passes, in one direction or "
                 "both: what drops them is between the two.",
                 "Captures of both points: datagrams (Rx by connection and serial, "
                 "other UDP and TCP by IP id, ports, length or sequence number and "
                 "first bytes) seen at the first and not at the second while it "
                 "captured. Where nothing passes either way, the addresses that the "
                 "captures tell of their interfaces say where the points are.",
                 "Look at the hops between the points; meanwhile -rxmaxmtu N on all "
                 "servers, N the largest UDP payload that arrived, and -nojumbo "
                 "where they run with -jumbo; for TCP a "
                 "route with mtu N, N the largest IP length that arrived. Where "
                 "nothing "
                 "passes: look for a firewall, a route or a VLAN between them."},
        [FIND_CUT_BETWEEN_POINTS] =
                {"D35", "cut-between-points", FINDING_WARNING,
                 "A hop between two capture points cuts datagrams into fragments.",
                 "Captures of both points: the same datagram whole at the first and "
                 "in fragments at the second.",
                 "-nojumbo where a server runs with -jumbo; -rxmaxmtu N on the "
                 "servers, N = longest fragment - 28; or the same "
                 "MTU on all links; for other traffic a route with "
                 "mtu N."},
};

const struct finding_about *finding_about(enum finding_kind k)
{
	return &catalogue[k];
}
