# Links: one bridge each in the switch namespace, a veth pair to every host on it.
# shellcheck shell=bash

LAB_LINKS=(eth0 atm0)
# A link's kind as netprobe names it, network, MTU and bits a second.
declare -A LINK_KIND=([eth0]=ethernet [atm0]=atm-llc)
declare -A LINK_NETWORK=([eth0]=10.77.1 [atm0]=10.77.2)
declare -A LINK_MTU=([eth0]=1500 [atm0]=9180)
declare -A LINK_RATE=([eth0]=100000000 [atm0]=149760000)
# The size table makes tbf charge a packet what the link adds to it.  tbf counts the 14
# bytes of the MAC header already, so Ethernet's 38 bytes beyond the IP packet are 24
# more; AAL5's 8 of LLC/SNAP and 8 of trailer are 2 more, all rounded up to cells of 53.
# The table has an entry for every size: a coarser one rounds up and so charges a cell
# too much where the last cell is nearly full (1472 bytes of IP: 31 cells, not 32).
declare -A LINK_STAB=([eth0]="linklayer ethernet overhead 24"
	[atm0]="linklayer atm overhead 2 mtu 10240 tsize 16384")
# The name of its first client and the last byte of its address; the next ones follow
# by two, so that the byte tells the host.
declare -A LINK_CLIENT=([eth0]=ether [atm0]=atm)
declare -A LINK_CLIENT_BYTE=([eth0]=11 [atm0]=12)

switch_add() {
	local link ns
	netns_add switch
	ns=$(netns switch)
	for link in "${LAB_LINKS[@]}"; do
		# Without snooping and spanning tree the bridge sends nothing of its own.
		ip -n "$ns" link add "br-$link" type bridge mcast_snooping 0 stp_state 0
		ip -n "$ns" link set "br-$link" mtu "${LINK_MTU[$link]}" up
	done
}

# link_shape NAMESPACE INTERFACE LINK: its egress has the link's rate.
link_shape() {
	local ns=$1 interface=$2 link=$3 rate=${LINK_RATE[$3]} burst
	# Credit for 6 ms: less, and a busy machine that wakes the shaper late
	# loses link time for good; more, and short transfers beat the link.
	burst=$((rate / 8 * 6 / 1000))
	# shellcheck disable=SC2086 # the size table is words
	tc -n "$ns" qdisc add dev "$interface" root handle 1: stab ${LINK_STAB[$link]} \
		tbf rate "${rate}bit" burst "$burst" latency 50ms ||
		die "the link $link cannot be shaped on this kernel (tbf is missing); --no-shaping goes without"
}

# interface_add HOST LINK ADDRESS: joins HOST to the link.
interface_add() {
	local host=$1 link=$2 address=$3 mtu=${LINK_MTU[$2]} rate=${LINK_RATE[$2]}
	local ns switch
	ns=$(netns "$host") switch=$(netns switch)
	ip -n "$switch" link add "$host-$link" mtu "$mtu" type veth \
		peer name "$link" mtu "$mtu" netns "$ns"
	ip -n "$switch" link set "$host-$link" master "br-$link" up
	# Captures must show what is on the wire: true checksums, no super-packets,
	# which tbf would also charge as one.
	in_net "$host" ethtool -K "$link" tx off gso off tso off gro off >/dev/null
	ip -n "$ns" address add "$address/24" dev "$link"
	ip -n "$ns" link set "$link" up
	if [ -n "$LAB_SHAPING" ]; then
		link_shape "$ns" "$link" "$link"
		# Several clients share the switch's port to the server.
		[ "$host" != server ] || link_shape "$switch" "$host-$link" "$link"
	else
		rate=0
	fi
	echo "$link ${LINK_KIND[$link]} $address $mtu $rate" >>"$LAB_STATE/hosts/$host/interfaces"
}
