# What is wrong with the capture and not with the network: packets captured twice, lost,
# joined by an offload, their checksums left to the card.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping
small=(ether --size 2M --phases block-output,block-input --min-time 0s)

# A mirror port that is given the frames of both ports that they pass.
in_net switch ip link add mirror type veth peer name monitor
in_net switch ip link set mirror up
in_net switch ip link set monitor up
on_the_way server-eth0 ingress "dup to mirror"
on_the_way server-eth0 egress "dup to mirror"
on_the_way ether-eth0 ingress "dup to mirror"
on_the_way ether-eth0 egress "dup to mirror"
capture_bonnie switch monitor "${small[@]}"
is "a mirror of two ports" "D19" "$(found)"
has "all of it" "were captured twice (50.0 %); they are counted once" "$(told D19 .text)"
is "no data twice" true "$(jq '[.flows[].to_server.rx_data_bytes] | add < 2200000' "$SCRATCH/probe.json")"
nothing_on_the_way server-eth0 ether-eth0

# The same packets on several interfaces of one capture are no copies.
capture_bonnie switch server-eth0,ether-eth0,br-eth0 "${small[@]}"
is "several interfaces" "" "$(found)"

# The kernel leaves checksums of what it sends to the card.
in_net server ethtool -K eth0 tx on >/dev/null
in_net ether ethtool -K eth0 tx on >/dev/null
PROBE_OPTIONS=(--snaplen 2000)
capture_bonnie server eth0 "${small[@]}"
is "checksums left to the card" "" "$(found)"
in_net server ethtool -K eth0 tx off >/dev/null
in_net ether ethtool -K eth0 tx off >/dev/null

# stop_probe: netprobe stands still for a moment of the transfer.
stop_probe() {
	local pid
	sent_more ether eth0 2000000
	for pid in $(ip netns pids "$(netns_of server)"); do
		grep -aq "$SCRATCH/capture.pcapng" "/proc/$pid/cmdline" || continue
		kill -STOP "$pid"
		sleep 0.5
		kill -CONT "$pid"
	done
}

PROBE_OPTIONS=(--buffer 1)
stop_probe &
capture_bonnie server eth0 ether --size 32M --phases block-output,block-input --min-time 0s
wait %1 2>/dev/null || :
is "a probe that does not keep up" "D20" "$(found '.id != "D30"')"
has "how much" "eth0: the capture lost" "$(told D20 .text)"
is "as many as it says" true "$(jq '([.interfaces[].capture.dropped] | add) ==
	([.findings[] | select(.id == "D20").evidence.dropped] | add)' "$SCRATCH/probe.json")"
has "and so does record" "frames lost for lack of buffer" "$(cat "$SCRATCH/said")"
PROBE_OPTIONS=()

# Receive offload at a bridge's port joins what goes on to another host.
in_net switch ethtool -K server-eth0 gro on rx-udp-gro-forwarding on
in_net switch sh -c 'echo 100 >/sys/class/net/server-eth0/napi_defer_hard_irqs
	echo 500000 >/sys/class/net/server-eth0/gro_flush_timeout'
capture_bonnie switch server-eth0 "${small[@]}"
is "joined packets" "D28" "$(found)"
has "where" "server-eth0: " "$(told D28 .text)"
has "the remedy" "ethtool -K server-eth0 gro off" "$(told D28 .remedy)"
in_net switch ethtool -K server-eth0 gro off rx-udp-gro-forwarding off
capture_bonnie switch server-eth0 "${small[@]}"
is "with the remedy" "" "$(found)"
