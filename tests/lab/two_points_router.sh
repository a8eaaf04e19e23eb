# Two captures with a router between them whose next link is smaller: it cuts what may be
# cut; then it drops by size; then it translates addresses.  Rx and NFS over UDP.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
. "$TOP/tests/lab/support/points.sh"
. "$TOP/tests/lab/support/own_netns.sh"

at_host() {
	in_ns "$@"
}

# near (1500) -- router (1000) -- far
own_netns near router far
own_wire near eth0 router lan
own_wire router wan far eth0
own_address near eth0 10.66.1.2/24
own_address router lan 10.66.1.1/24
own_address router wan 10.66.2.1/24
own_address far eth0 10.66.2.2/24
ip -n "$OWN"router link set wan mtu 1000
ip -n "$OWN"near route add default via 10.66.1.1
ip -n "$OWN"far route add default via 10.66.2.1
in_ns router sysctl -q net.ipv4.ip_forward=1
in_ns near sysctl -q net.ipv4.ip_no_pmtu_disc=1 # no DF
# nobody listens: answers of the kernel would stop the sender
for host in near far; do
	in_ns "$host" nft 'table ip quiet { chain o { type filter hook output priority 0; icmp type destination-unreachable drop; }; }'
done

# send HOST ADDRESS FLAGS SERIAL SIZE…: ten datagrams of each size to the NFS port, and ten
# of Rx with these flags, behind this serial.
send() {
	local host=$1
	shift
	# shellcheck disable=SC2016
	in_ns "$host" bash -c '
		exec 3<>"/dev/udp/$1/2049" 4<>"/dev/udp/$1/7000"
		flags=$2 serial=$3
		shift 3
		for size; do
			for ((i = 10; i < 20; i++)); do
				n=$((++serial))
				printf "%08d%*s" "$n" "$((size - 8))" "" >&3
				# no byte is a line end: there a write would end
				at=$(printf "\\%03o\\%03o" "$((64 + n / 32))" "$((64 + n % 32))")
				printf "\\220\\0\\0\\1\\0\\0\\020\\0\\0\\0\\0\\1\\0\\0$at\\0\\0$at\\1$flags\\0\\0\\0\\0\\0\\1%*s" \
					"$((size - 28))" "" >&4
				sleep 0.002
			done
		done' _ "$@"
}

# both_ends: in $SCRATCH/probe.json
both_ends() {
	RECORD_OPTIONS=(-f '')
	record near eth0
	record far eth0
	send near 10.66.2.2 '\1' 0 200 1400 2400
	send far "$back" '\0' 0 100 200
	send near 10.66.2.2 '\1' 30 200
	finish near
	finish far
	together near far
}

# way PROTOCOL FIELD: of what goes from near to far
way() {
	points "map(select(.protocol == \"$1\" and (.source_address | startswith(\"10.66.1.\"))))[0] | $2"
}

back=10.66.1.2
both_ends
for protocol in rx udp; do
	is "$protocol, all arrives" "40 0 0" "$(way $protocol '"\(.arrived) \(.lost) \(.only_at_second)"')"
	is "$protocol, the router cuts, also what was cut before" "10 10 0" \
		"$(way $protocol '"\(.cut_between) \(.cut_again) \(.cut_before)"')"
	is "$protocol, to what" "1500 996" "$(way $protocol '"\(.first_piece_at_first) \(.first_piece_at_second)"')"
	is "$protocol, one router" "1 1 hop limit" "$(way $protocol '"\(.hops_min) \(.hops_max) \(.order_by)"')"
done
check_clock "one clock"
is "the finding, and no other between points" D35 "$(found '.slug | endswith("between-points")')"
has "which hop" "by the one router there" "$(told D35 .text)"
is "of both" 1 "$(told D35 .more_flows)"

in_ns router nft 'table ip bysize { chain f { type filter hook forward priority 0; ip length > 1200 drop; }; }'
both_ends
for protocol in rx udp; do
	is "$protocol, lost by size" "20 20 1400" \
		"$(way $protocol '"\(.arrived) \(.lost) \(.lost_from_udp_payload)"')"
done
is "the finding" D34 "$(found '.slug | endswith("between-points")')"
check_clock "one clock, with loss"
in_ns router nft delete table ip bysize

in_ns router nft 'table ip nat { chain p { type nat hook postrouting priority 100; oifname wan masquerade; }; }'
back=10.66.2.1
both_ends
for protocol in rx udp; do
	is "$protocol, behind a translator" "40 0" "$(way $protocol '"\(.arrived) \(.lost)"')"
done
is "which address" "40 10.66.2.1" "$(way udp '"\(.translated) \(.source_address_at_second)"')"
has "the report says it" "at the second point 10.66.2.1 to 10.66.2.2" "$(cat "$SCRATCH/report.txt")"
