#!/bin/bash
# netprobe's reading, side by side with a bare read(2) loop, a bare libpcap loop, zcat
# and tshark, all in this run, on captures that tests/bench/generate makes.
#   TOOLS=build/plain/tools NETPROBE=build/bin/netprobe tests/bench/probe.sh
# BENCH_PACKETS (1440000) and BENCH_RUNS (5, the fastest counts) may be given.
set -euo pipefail
packets=${BENCH_PACKETS:-1440000}
runs=${BENCH_RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

timed() {
	"$TOOLS/timed" "$runs" "$@"
}

# row NAME FIGURES BASE-FIGURES GOAL: what it took, and the ratio to the base
row() {
	awk -v name="$1" -v goal="$4" -v packets="$packets" 'BEGIN {
		split(ARGV[1], f, " "); split(ARGV[2], b, " ")
		printf "%-40s %8.3f s  %6.2f Mpkt/s  %8d KiB  ratio %7.3f  %s\n",
			name, f[1], packets / f[1] / 1e6, f[3], f[1] / b[1], goal
	}' "$2" "$3"
}

"$TOOLS/generate" --packets "$packets" "$work/big.pcap"
cat "$work/big.pcap" >/dev/null
echo "capture of $packets packets, $(stat -c %s "$work/big.pcap") bytes, from the page cache; fastest of $runs"
loop=$(timed "$TOOLS/read_loop" "$work/big.pcap")
row "bare read(2) loop" "$loop" "$loop" ""
row "source alone" "$(timed "$TOOLS/read_source" "$work/big.pcap")" "$loop" ""
read=$(timed "$NETPROBE" read -q "$work/big.pcap")
row "netprobe read" "$read" "$loop" "(goal: at most 2 read loops)"
row "netprobe read --json -i 1" "$(timed "$NETPROBE" read -q --json -i 1 "$work/big.pcap")" \
	"$loop" "(goal: at most 3)"
pcap=$(timed "$TOOLS/pcap_loop" "$work/big.pcap")
row "bare libpcap loop, against netprobe" "$pcap" "$read" "(goal: at least 5)"
if command -v tshark >/dev/null; then
	tshark=$(runs=1 timed tshark -q -z conv,udp -r "$work/big.pcap")
	row "tshark -z conv,udp, against netprobe" "$tshark" "$read" "(goal: at least 40)"
else
	echo "tshark is not installed: not compared"
fi

gzip -1 <"$work/big.pcap" >"$work/big.pcap.gz"
zcat=$(runs=1 timed zcat "$work/big.pcap.gz")
row "zcat" "$zcat" "$zcat" ""
row "netprobe read, gz" "$(runs=1 timed "$NETPROBE" read -q "$work/big.pcap.gz")" "$zcat" \
	"(goal: at most 1.15 zcat)"
rm "$work/big.pcap.gz"

"$TOOLS/generate" --packets "$packets" --acks-only "$work/acks.pcap"
acks=$(timed "$TOOLS/read_loop" "$work/acks.pcap")
row "acks only: bare read(2) loop" "$acks" "$acks" ""
row "acks only: netprobe read" "$(timed "$NETPROBE" read -q "$work/acks.pcap")" "$acks" \
	"(goal: at least 5 Mpkt/s)"

# Memory: the same capture at a tenth of its length, then a million connections.
"$TOOLS/generate" --packets $((packets / 10)) "$work/big.pcap"
short=$("$TOOLS/timed" 1 "$NETPROBE" read -q "$work/big.pcap")
echo "resident: ${short##* } KiB for a tenth of the capture, ${read##* } KiB for all (goal: under 65536)"
for n in 100000 1000000; do
	packets=$((n * 6))
	"$TOOLS/generate" --packets "$packets" --connections "$n" --snaplen 96 "$work/many.pcap"
	many=$("$TOOLS/timed" 1 "$NETPROBE" read -q "$work/many.pcap")
	row "$n connections" "$many" "$many" "(goal: under 1048576 KiB, linear)"
done
