# netprobe check --active against the file server: whole links, a hole, a mixed subnet.
. "$TESTLIB"
need_lab
ns_switch=$(bash -c '. "$1/src/lab/common.sh"; echo "${LAB_PREFIX}switch"' - "$TOP")
ns_server=${ns_switch%switch}server
restore() {
	ip -n "$ns_switch" link set server-atm0 mtu 9180
	ip -n "$ns_server" route del 10.77.2.12/32 2>/dev/null || :
	ip netns exec "$ns_server" nft delete table netdev cbcheck 2>/dev/null || :
}
trap restore EXIT

# run HOST OPTION…: exit code in $code, what was printed in $said.
run() {
	local host=$1
	shift
	code=0
	said=$(on "$host" "$NETPROBE" check "$@" 2>&1) || code=$?
}
# field JQ: of the first row.
field() {
	jq -r ".rows[0] | $1" <<<"$said"
}

run ether --active --peer 10.77.1.1 --format json
is "1500: what gets through, and the verdict" "0 1500 ok" "$code $(field '"\(.probe.passes_ip_bytes) \(.verdict)"')"
has "the server tells its version" "OpenAFS" "$(field .probe.peer_version)"
run atm --active --peer 10.77.2.1 --format json
is "9180" "0 9180 ok" "$code $(field '"\(.probe.passes_ip_bytes) \(.verdict)"')"
is "with few packets" 1 "$(field 'if .probe.probes_sent < 5 then 1 else .probe.probes_sent end')"
is "six packets a jumbogram are expected" 8520 "$(field .expected.clear_udp_payload_bytes)"
run server --active --method icmp --peer 10.77.1.11:7001 --peer 10.77.2.12:7001
is "the server towards both links, different MTUs by design" 0 "$code"
is "every address of the host" 2 \
	"$(on server "$NETPROBE" check --peer 10.77.2.12:7001 --from all --format json | jq '.rows | length')"

# The far link's port carries less, and says nothing.
ip -n "$ns_switch" link set server-atm0 mtu 4000
run atm --active --peer 10.77.2.1 --format json
is "a silent hole: its size and the verdict" "1 4000 4001 black-hole" \
	"$code $(field '"\(.probe.passes_ip_bytes) \(.probe.fails_ip_bytes) \(.verdict)"')"
has "the remedy has the number" "mtu 4000" "$(field '.findings[0].text')"
is "found within six seconds" true "$(field '.probe.took_ms < 6000')"
run atm --active --peer 10.77.2.1 --format nagios
is "Nagios: critical" "2 NETPROBE CRITICAL - black-hole:" "$code $(cut -d' ' -f1-4 <<<"$said")"
is "on one line" 1 "$(wc -l <<<"$said")"
run atm --active --peer 10.77.2.1 --format prometheus
has "Prometheus" 'netprobe_path_mtu_bytes{peer="10.77.2.1:7000",interface="atm0",source="10.77.2.12"} 4000' "$said"
ip -n "$ns_switch" link set server-atm0 mtu 9180

# One subnet, two MTUs (reads then take half a minute): seen from the server.  A veth
# takes 4 bytes more than its MTU, for a VLAN tag.
on atm ip link set atm0 mtu 1500
run server --active --method icmp --peer 10.77.2.12:7001 --format json
is "a client of smaller MTU in the server's subnet" "1 1504 black-hole" \
	"$code $(field '"\(.probe.passes_ip_bytes) \(.verdict)"')"
ip -n "$ns_server" route add 10.77.2.12/32 dev atm0 mtu 1500
run server --active --method icmp --peer 10.77.2.12:7001 --format json
is "cured by a route with MTU 1500" "0 ok" "$code $(field .verdict)"
ip -n "$ns_server" route del 10.77.2.12/32
on atm ip link set atm0 mtu 9180

# Loss by chance is not taken for a size.
ip netns exec "$ns_server" nft 'table netdev cbcheck { chain c { type filter hook ingress device atm0 priority 0; numgen random mod 100 < 30 drop; }; }'
run atm --active --peer 10.77.2.1 --format json
is "with 30 % of loss" 9180 "$(field .probe.passes_ip_bytes)"
ip netns exec "$ns_server" nft delete table netdev cbcheck

# What a capture shows beside what is expected.
run server --capture "$TOP/captures/default-atm.pcapng" --program server --format json
is "observed and expected agree" "0 8520 8520" \
	"$code $(field '"\(.observed_udp_payload_bytes) \(.expected.clear_udp_payload_bytes)"')"
run ether --capture "$TOP/captures/default-atm.pcapng"
is "a capture of another host" 2 "$code"
has "is called so" "where it was taken" "$said"
