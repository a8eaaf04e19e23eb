# What the file server's and the client's options put on the wire, each checked in
# netprobe's report of a small Bonnie run: the rows of doc/lab.md, "Seen on the wire".
. "$TESTLIB"
need_lab

# bonnie CLIENT OPTION…: a small cold run, captured at the server; probe.json is its result
bonnie() {
	local client=$1
	shift
	rm -rf "$SCRATCH/run"
	on "$client" "$CELLBENCH" run --volume bench --size 1M --seeks 50 --cache cold --quiet \
		--probe eth0,atm0 --probe-via "$CELLBENCH lab exec server" \
		--output "$SCRATCH/run" "$@" >"$SCRATCH/report" 2>"$SCRATCH/said" ||
		not_ok "run on $client" "$(tail -n 1 "$SCRATCH/said")"
}

# of FILTER: from the flow with the file server that carried most
of() {
	jq -r "[.flows[] | select(.service == \"fs\")]
		| max_by(.to_client.ip_bytes + .to_server.ip_bytes) | $1" "$SCRATCH/run/probe.json"
}

# row NAME CLIENT SIZE PIECES TRAILER [OPTION…]: sizes in both ways, most fragments of a
# datagram (0 = none), what the server announces
row() {
	local name=$1 client=$2 size=$3 pieces=$4 trailer=$5
	shift 5
	bonnie "$client" "$@"
	is "$name, to client" "$size" "$(of .to_client.dominant_datagram)"
	is "$name, to server" "$size" "$(of .to_server.dominant_datagram)"
	is "$name, fragments of a datagram" "$pieces" \
		"$(of '[.to_client.train_fragments[][0]] | max // 0')"
	is "$name, server announces" "$trailer" "$(of '.to_client.sender_announces
		| max_by(.acks) | "\(.max_receive),\(.interface),\(.window_packets),\(.packets_per_jumbogram)"')"
}

row "default on 1500" ether 1444 0 1444,1444,32,1
is "default on 1500, DF on all but probes" true \
	"$(of '.to_client.ip_packets_with_df >= .to_client.ip_packets - .to_client.fragments')"
row "default on 9180" atm 8520 0 8588,8588,32,6

lab restart --fileserver-options -jumbo
row "-jumbo on 1500" ether 5688 4 5692,1444,32,4
has "the report says who cuts and what to set" "set -nojumbo" "$(of .to_client.chosen)"
row "-jumbo on 9180" atm 8520 0 15604,8524,32,6
row "-jumbo on 1500, client -rxmaxfrags 1" ether 1444 0 5692,1444,32,4 \
	--client-options "-rxmaxfrags 1"

lab restart --fileserver-options "-rxmaxmtu 1444"
row "-rxmaxmtu 1444 on 9180" atm 1444 0 1444,1444,32,1
lab restart --fileserver-options "-rxmaxmtu 9000"
row "-rxmaxmtu 9000 on 9180" atm 8520 0 9000,9000,32,6

# One address registered: requests go there, replies come from the near one.
lab restart
on server sh -c 'echo 10.77.1.1 >/var/lib/openafs/local/NetInfo'
lab restart
bonnie atm
is "NetInfo, asked at the other address" 10.77.1.1 \
	"$(jq -r '[.flows[] | select(.service == "fs")] | max_by(.to_server.ip_bytes) | .server.address' "$SCRATCH/run/probe.json")"
is "NetInfo, answered from the near one" 10.77.2.1 \
	"$(jq -r '[.flows[] | select(.service == "fs")] | max_by(.to_client.ip_bytes) | .server.address' "$SCRATCH/run/probe.json")"
on server rm /var/lib/openafs/local/NetInfo
