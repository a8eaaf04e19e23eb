# netprobe check on hosts of several interfaces: what is public trouble elsewhere.
. "$TESTLIB"
. "$TOP/tests/lab/support/own_netns.sh"

own_netns host far
own_wire host nic1 far far1 1500
own_wire host nic2 far far2 9000
own_address host nic1 10.1.0.1/24
own_address host nic2 10.2.0.1/24
own_address far far1 10.1.0.2/24
own_address far far2 10.2.0.2/24
ip -n "$OWN"host route add default via 10.1.0.2
ip -n "$OWN"host route add 10.3.0.0/16 via 10.2.0.2
ip -n "$OWN"far address add 10.3.0.7/32 dev lo

# The interface of the default route is not everybody's (cilium 10309).
check_in host --peer 10.3.0.7 --peer 192.0.2.9 --method icmp --active --peer 10.2.0.2
is "each peer has its own route's interface" "nic1 nic2 nic2" \
	"$(grep -E '^(10|192)' <<<"$said" | awk '{print $2}' | sort | xargs)"
has "9000 gets through where the route goes" "9000 in" "$(grep '^10.3.0.7' <<<"$said")"
check_in host --peer 10.3.0.7 --peer 10.2.0.2 --method icmp --active
is "nothing is wrong" 0 "$code"

# An interface of small MTU that no peer uses changes nothing (cilium 14339, 14829).
own_wire host tun0 far far3 1280
own_address host tun0 10.4.0.1/24
check_in host --peer 10.2.0.2 --method icmp --active
is "an unused 1280 interface: still nothing" "0 ok" "$code $(verdicts)"
has "it is listed" "up, no peer  1280" "$said"

# An interface that is down is listed, and that is all (ceph 43019).
ip -n "$OWN"host link set tun0 down
check_in host --peer 10.2.0.2 --method icmp --active
is "an interface that is down" "0 ok" "$code $(verdicts)"
has "it is listed as ignored" "tun0" "$(grep 'down, ignored  1280' <<<"$said")"

# A route's own MTU counts before the link's.
ip -n "$OWN"host route replace 10.3.0.0/16 via 10.2.0.2 mtu 1400
check_in host --peer 10.3.0.7 --format json
is "the route's MTU is shown" "9000 1400" \
	"$(jq -r '.rows[0] | "\(.link_mtu_bytes) \(.route.mtu_bytes)"' <<<"$said")"

# Bytes leave by the other of two links in one subnet (iperf 2036).
own_wire host nic3 far far4 1500
own_address host nic3 10.1.0.3/24
ip netns exec "$OWN"host sysctl -q net.ipv4.conf.all.rp_filter=0
check_in host --peer 10.1.0.2 --from 10.1.0.3
is "an address whose packets leave by another interface" "1 other-interface" \
	"$code $(verdicts)"
has "which one" "leave by nic1, not by nic3" "$said"
ip -n "$OWN"host rule add from 10.1.0.3 lookup 33
ip -n "$OWN"host route add 10.1.0.0/24 dev nic3 table 33
check_in host --peer 10.1.0.2 --from 10.1.0.3
is "a rule for it mends that" "0 ok" "$code $(verdicts)"
has "and is shown" "10.1.0.3" "$(grep '^rule' <<<"$said")"

# Offloads of all members, not only of the interface named (sqm-scripts 11).
ip -n "$OWN"host link add name br0 type bridge
ip -n "$OWN"host link set nic3 master br0
in_ns host ethtool -K nic3 gro on gso off tso off >/dev/null
in_ns host ethtool -K br0 gro off gso off tso off >/dev/null 2>&1 || :
check_in host --peer 10.2.0.2
has "the bridge's line tells of its port" "nic3: gro" "$(grep '^br0' <<<"$said")"

# No way there at all.
ip -n "$OWN"host route add unreachable 10.9.0.0/16
check_in host --peer 10.9.0.1
is "an unreachable route" "1 no-route" "$code $(verdicts)"
ip -n "$OWN"host route del default
check_in host --peer 198.51.100.1
is "no route" "1 no-route" "$code $(verdicts)"

# As an ordinary user, too.
check_in host --peer 10.2.0.2 --format json
without=$(in_ns host setpriv --reuid 65534 --regid 65534 --clear-groups \
	"$NETPROBE" check --peer 10.2.0.2 --format json 2>&1 || :)
is "root is not needed" "$(jq -c '.rows[0].route' <<<"$said")" \
	"$(jq -c '.rows[0].route' <<<"$without" 2>/dev/null || echo "$without")"
