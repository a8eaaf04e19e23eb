# What sets the rate: the link, the program that reads, the window on a long way; and a
# slow link further on, where the window is full as well but only of what queues there.
# long: transfers of seconds, so that there is a rate
# alone: what limits a rate is another thing on a busy machine
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up

# The shaped link, seen at either end, whatever else the capture holds.
capture_bonnie ether eth0 ether --size 14M --phases block-output,block-input
# A client's path-MTU probe may have been answered, which is another remark.
is "the link" "D29" "$(found '.id != "D30"')"
is "both ways" "10.77.1.1 10.77.1.11" "$(jq -r '[.findings[] | select(.id == "D29").from] | sort | join(" ")' "$SCRATCH/probe.json")"
is "how full" true "$(told D29 '.evidence | .bytes_per_s >= 0.9 * .bytes_per_s_at_most
	and .bytes_per_s <= 1.02 * .bytes_per_s_at_most')"

volume_filled ether 2000
cell_key ether
capture server eth0 "${LAB[@]}" exec ether sh -c \
	'vos dump bench -localauth | while [ "$(head -c 65536 | wc -c)" -gt 0 ]; do sleep 0.05; done'
is "a slow reader" "D15" "$(found)"
has "who" "the program on the client is slower than the network" "$(told D15 .text)"
has "what to look at" "disk, cache and CPU of the client" "$(told D15 .remedy)"

# 20 Mb/s behind the switch, which nobody told the probe.
in_net switch tc qdisc add dev ether-eth0 root tbf rate 20mbit burst 10000 latency 500ms
capture_bonnie server eth0 ether --size 4M --phases block-input
is "a slow link further on is no fault of the window" "" "$(found '.id != "D30"')"
# Of 32 packets the two that an ack is on the way for may be missing: 31 and 32 were seen.
is "though it is full most of the time" true \
	"$(jq '[.flows[] | select(.service == "fs") | .to_client | .most_packets_in_flight] | max >= 30' "$SCRATCH/probe.json")"
in_net switch tc qdisc del dev ether-eth0 root

if [ ! -x "${LAB_TOOLS:-}/wire" ]; then
	skip "a long way" "LAB_TOOLS names no folder with wire in it, as make check-lab does"
	exit
fi
long_wire 10
capture_bonnie server eth0 ether --size 4M --phases block-input
is "a long way, in calls of 1 MiB" "D13" "$(found '.id != "D30"')"
capture_bonnie server eth0 ether --size 8M --chunk-size 8M --phases block-input
is "a long way" "D13" "$(found '.id != "D30"')"
# 32 x 1416 / 20 ms = 2212 KiB/s, and what the machine adds to the round trip.
has "the arithmetic" "with the window full: 32 packets x 14" "$(told D13 .text)"
is "its result" true "$(told D13 '.evidence.bytes_per_s_at_most | . > 1800000 and . < 2300000')"
is "the round trip" true "$(told D13 '.evidence.rtt_us | . >= 20000 and . < 24000')"
