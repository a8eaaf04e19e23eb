# netprobe check over a router of smaller MTU, which says so, or is kept from it.
. "$TESTLIB"
need_lab
. "$TOP/tests/lab/support/own_netns.sh"
ns_switch=$(bash -c '. "$1/src/lab/common.sh"; echo "${LAB_PREFIX}switch"' - "$TOP")
ns_server=${ns_switch%switch}server
restore() {
	ip -n "$ns_server" route del 10.88.0.0/24 2>/dev/null || :
	own_netns_clear
}
trap restore EXIT

# far (9180) -- router -- the lab's ATM link, where the router's interface has 1400.
own_netns far router
own_wire far wan router lan 9180
own_address far wan 10.88.0.2/24
own_address router lan 10.88.0.1/24
ip -n "$ns_switch" link add cbrouter mtu 9180 type veth peer name out mtu 1400 netns "$OWN"router
ip -n "$ns_switch" link set cbrouter master br-atm0 up
ip -n "$OWN"router link set out up
own_address router out 10.77.2.99/24
in_ns router sysctl -q net.ipv4.ip_forward=1
ip -n "$OWN"far route add default via 10.88.0.1
ip -n "$ns_server" route add 10.88.0.0/24 via 10.77.2.99

field() {
	jq -r ".rows[0] | $1" <<<"$said"
}

check_in far --active --peer 10.77.2.1 --format json
is "a router that tells its MTU" "1 1400 1400 10.88.0.1 too-large" \
	"$code $(field '"\(.probe.passes_ip_bytes) \(.probe.icmp_mtu_bytes) \(.probe.told_by) \(.verdict)"')"
is "in a few packets" true "$(field '.probe.probes_sent < 15')"
check_in far --peer 10.77.2.1 --format json
is "the kernel has learned it" "1400 too-large" "$(field '"\(.route.learned_path_mtu_bytes) \(.verdict)"')"
check_in far --peer 10.77.2.1 --rxmaxmtu 1372 --format json
is "-rxmaxmtu 1372 makes it fit" "0 path-smaller" "$code $(field .verdict)"

# All ICMP is dropped: nobody tells any more.
ip -n "$OWN"far route flush cache
in_ns router nft 'table ip t { chain o { type filter hook output priority 0; icmp type destination-unreachable drop; }; chain f { type filter hook forward priority 0; meta l4proto icmp drop; }; }'
check_in far --active --peer 10.77.2.1 --format json
is "with its ICMP dropped" "1 1400 black-hole null" \
	"$code $(field '"\(.probe.passes_ip_bytes) \(.verdict) \(.probe.icmp_mtu_bytes)"')"
ip -n "$OWN"far route replace default via 10.88.0.1 mtu 1400
check_in far --active --peer 10.77.2.1 --format json
is "cured by a route with MTU 1400" "0 ok" "$code $(field .verdict)"
check_in far --active --peer 10.77.2.1 --expect <(printf '10.77.0.0/16 mtu=9180 path=9180\n')
is "but not what was stated" "1 path-differs" "$code $(verdicts)"
