# What netprobe expect tells is what the file server and libuafs do, for MTUs of Ethernet,
# FDDI and ATM, without and with -jumbo.
. "$TESTLIB"
own_lab
lab up
ns_switch=$(bash -c '. "$1/src/lab/common.sh"; echo "${LAB_PREFIX}switch"' - "$TOP")

# mtu_set N: the whole ATM link.
mtu_set() {
	ip -n "$ns_switch" link set server-atm0 mtu "$1"
	ip -n "$ns_switch" link set atm-atm0 mtu "$1"
	on server ip link set atm0 mtu "$1"
	on atm ip link set atm0 mtu "$1"
}

# expected PROGRAM MTU OWN PEER TRAILER OPTION…: trailer and largest datagram.
expected() {
	local program=$1 mtu=$2 own=$3 peer=$4 trailer=$5
	shift 5
	"$NETPROBE" expect --program "$program" --interface "$own/24=$mtu" --peer "$peer" \
		${trailer:+--peer-trailer "$trailer"} "$@" --json |
		jq -r '.announces as $a |
			"\($a.max_receive),\(.interface_once_acked // $a.interface),\($a.window),\($a.packets) \(.in_force.clear.udp_payload_bytes)"'
}

# found WAY: the trailer and the largest DATA datagram of one side in the last run, as most
# acks have it: the window is 16 at first, then 32.
found() {
	jq -r --arg way "$1" '[.flows[] | select(.server.port == 7000) | .[$way]] |
		([.[].sender_announces[]] | max_by(.acks) |
			"\(.max_receive),\(.interface),\(.window_packets),\(.packets_per_jumbogram) ") +
		([.[].datagram_sizes[][0]] | max | tostring)' "$SCRATCH/run/probe.json"
}

for jumbo in "" -jumbo; do
	for mtu in 1280 1492 4352 9000; do
		mtu_set "$mtu"
		lab restart ${jumbo:+--fileserver-options "$jumbo"}
		rm -rf "$SCRATCH/run"
		on atm "$CELLBENCH" run --volume bench --size 512K --chunk-size 256K --seeks 20 --seed 1 \
			--cache cold --quiet --probe atm0 --probe-via "$CELLBENCH lab exec server" \
			--output "$SCRATCH/run" >"$SCRATCH/out" || cat "$SCRATCH/out" >&2
		server=$(expected server "$mtu" 10.77.2.1 10.77.2.12 "" ${jumbo:+--jumbo})
		client=$(expected client "$mtu" 10.77.2.12 10.77.2.1 "${server% *}")
		server=$(expected server "$mtu" 10.77.2.1 10.77.2.12 "${client% *}" ${jumbo:+--jumbo})
		is "MTU $mtu, server ${jumbo:-default}" "$server" "$(found to_client)"
		is "MTU $mtu, client of it" "$client" "$(found to_server)"
	done
done
mtu_set 9180
