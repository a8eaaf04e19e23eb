# What was captured and what the filter left out are together what the kernel counted
# on the same interfaces in the same time, to the byte.
. "$TESTLIB"
need_lab

mkfifo "$SCRATCH/in"
"$CELLBENCH" lab exec server "$NETPROBE" record --control --account -i eth0,atm0 \
	-w "$SCRATCH/capture.pcapng" --json "$SCRATCH/probe.json" \
	<"$SCRATCH/in" >"$SCRATCH/out" 2>"$SCRATCH/said" &
probe=$!
exec 3>"$SCRATCH/in"
for ((i = 0; i < 100; i++)); do
	grep -q ^ready "$SCRATCH/out" && break
	sleep 0.1
done
has "the probe is ready" ready "$(cat "$SCRATCH/out")"

# AFS on one link and on the other; and traffic that the filter leaves out.
for client in ether atm; do
	on "$client" "$CELLBENCH" run --volume bench --size 2M --seeks 50 --cache cold --quiet \
		--output "$SCRATCH/$client" >/dev/null 2>"$SCRATCH/said-$client"
done
on ether bash -c 'for i in 1 2 3 4 5; do echo "not AFS $i" >/dev/udp/10.77.1.1/9; done'
echo finish >&3
exec 3>&-
wait "$probe" || :

for interface in eth0 atm0; do
	read -r kernel_p kernel_b ours_p ours_b left <<<"$(jq -r --arg i "$interface" \
		'.interfaces[] | select(.name == $i)
		| "\(.capture.kernel_packets) \(.capture.kernel_bytes) \(.frames + .capture.left_out_packets) \(.frame_bytes + .capture.left_out_bytes) \(.capture.left_out_packets)"' \
		"$SCRATCH/probe.json")"
	is "$interface, packets" "$kernel_p" "$ours_p"
	is "$interface, bytes" "$kernel_b" "$ours_b"
	[ "$interface" = atm0 ] || check "eth0, something was left out" test "$left" -ge 5
done
is "nothing was dropped" 0 "$(jq '[.interfaces[].capture.dropped] | add' "$SCRATCH/probe.json")"
