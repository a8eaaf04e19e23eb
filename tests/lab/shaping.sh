# A packet is charged what its link adds to it: the shaper counts charged bytes.
. "$TESTLIB"
need_lab

# sent HOST LINK: bytes that the host's shaper has charged.
sent() {
	on "$1" tc -s qdisc show dev "$2" | sed -n 's/^ Sent \([0-9]*\) bytes.*/\1/p'
}

# charge HOST LINK ADDRESS SIZE: what one datagram of SIZE bytes of UDP payload costs:
# the least of three tries, as a stray frame (ARP) can only add to one.
charge() {
	local before after least=
	on "$1" bash -c "echo >/dev/udp/$3/9"
	for _ in 1 2 3; do
		before=$(sent "$1" "$2")
		on "$1" bash -c "for i in 1 2 3 4; do dd if=/dev/zero bs=$4 count=1 status=none >/dev/udp/$3/9; done"
		after=$(sent "$1" "$2")
		[ -n "$least" ] && [ $(((after - before) / 4)) -ge "$least" ] || least=$(((after - before) / 4))
	done
	echo "$least"
}

# IP adds 28 bytes; Ethernet 38; AAL5 16, and then whole cells of 53 with 48 in each.
is "1472 bytes on Ethernet" $((1472 + 28 + 38)) "$(charge ether eth0 10.77.1.1 1472)"
is "1444 bytes on ATM: 31 full cells" $((31 * 53)) "$(charge atm atm0 10.77.2.1 1444)"
is "one more byte: 32 cells" $((32 * 53)) "$(charge atm atm0 10.77.2.1 1445)"
is "8520 bytes on ATM: 179 cells" $((179 * 53)) "$(charge atm atm0 10.77.2.1 8520)"
is "9152 bytes on ATM: 192 cells" $((192 * 53)) "$(charge atm atm0 10.77.2.1 9152)"
has "the server shapes its Ethernet too" "rate 100Mbit" "$(on server tc qdisc show dev eth0)"
has "and its ATM link" "rate 149760Kbit" "$(on server tc qdisc show dev atm0)"
ns=$(lab status --json | jq -r '.hosts[] | select(.name == "server") | .netns')
has "and the switch its port to the server, which clients share" "rate 100Mbit" \
	"$(tc -n "${ns%server}switch" qdisc show dev server-eth0)"
