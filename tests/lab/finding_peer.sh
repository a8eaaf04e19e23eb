# What single packets of a peer show: damage, absurd sizes, probes that come to nothing,
# a ticket that goes in fragments.
# long: waits for timeouts of Rx and for probes, which come once a second
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping
cell_key ether

# A middlebox that changes a byte now and then and forgets the checksum.
on_the_way server-eth0 ingress "udp sport 7000 numgen random mod 100 < 5 @th,256,16 set 0x1234"
PROBE_OPTIONS=(--snaplen 2000)
capture_bonnie ether eth0 ether --size 2M --phases block-output,block-input
trouble "damaged on the way" "D23"
has "and so lost" "DATA datagrams had to be sent again" "$(told D23 .text)"
is "whose they are" "10.77.1.1" "$(told D23 .from)"
nothing_on_the_way server-eth0
PROBE_OPTIONS=()

# hostile: three acks that name sizes of 32 bytes and a window of 0.
hostile() {
	# shellcheck disable=SC2016
	on ether bash -c 'exec 4<>/dev/udp/10.77.1.1/7000
	for i in 1 2 3; do
		printf "\x9a\xbc\xde\xf0\x12\x34\x56\x78\0\0\0\1\0\0\0\0\0\0\0\x0$i\x02\x21\0\0\0\0\0\1" >"$1"
		printf "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\x09\0\0\0\0" >>"$1"
		printf "\0\0\0\x20\0\0\0\x20\0\0\0\0\0\0\0\1" >>"$1"
		cat "$1" >&4
	done' - "$SCRATCH/ack"
}

{
	sent_more ether eth0 500000
	hostile
} &
capture_bonnie server eth0 ether --size 2M --phases block-output,block-input
wait %1 2>/dev/null || :
trouble "a hostile ack" "D18"
has "what it says" "3 acks from 10.77.1.11 announce sizes that no sane host sends: (32, 32, 0, 1)" "$(told D18 .text)"
is "the server is not harmed" "" "$(lab status >/dev/null 2>&1 || echo harmed)"

# Calls of more than a second, in which the client pings with ever larger packets; those
# that it has to cut do not arrive.
in_net switch tc qdisc add dev ether-eth0 root tbf rate 6mbit burst 20000 latency 500ms
drop ether-eth0 "ip frag-off & 0x3fff != 0"
capture_bonnie ether eth0 ether --size 4M --phases block-input
is "probes" "D22" "$(found)"
has "of which size" "pings of IP length 1596 got no answer" "$(told D22 .text)"
drop_nothing ether-eth0
in_net switch tc qdisc del dev ether-eth0 root

# The ticket of -localauth is small, so the router's next link is smaller still; DF is
# taken off, as some routers do.
route_client ether 1500
in_net switch ip route replace 10.77.1.1/32 dev br-eth0 mtu 120
in_net switch nft "add table ip df"
in_net switch nft "add chain ip df in { type filter hook prerouting priority 0; }"
in_net switch nft "add rule ip df in iifname ether-eth0 ip frag-off set 0"
list() {
	capture server eth0 "${LAB[@]}" exec ether timeout 12 vos listvldb -server server -localauth
}
list
is "a RESPONSE in fragments" "D17" "$(found)"
is "of no consequence" info "$(told D17 .severity)"
has "how large" "RESPONSE packets of up to 116 bytes, 1 of 1 in fragments (ticket of 32 bytes)" "$(told D17 .text)"
on_the_way server-eth0 egress "ip frag-off & 0x1fff != 0 drop"
list
is "fragments that do not arrive" "D17" "$(found)"
is "now an error" error "$(told D17 .severity)"
has "why" "the server repeated its challenge" "$(told D17 .text)"
