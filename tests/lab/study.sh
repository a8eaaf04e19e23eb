# A shrunken study of each job of doc/studies on the real cell, each in the lab that it
# raises itself.
# alone: compares what is on the machine before and after
. "$TESTLIB"
own_lab
NAME=

# study NAME SETTING…: must end with 0; the result is in $SCRATCH/NAME/result.json
study() {
	local set words=()
	NAME=$1
	shift
	for set; do words+=(--set "$set"); done
	check "$NAME" "$CELLBENCH" study "$TOP/doc/studies/$NAME.ini" -o "$SCRATCH/$NAME" \
		--set repeats=1 "${words[@]}"
}

# result FILTER: of that study
result() {
	jq -r "$1" "$SCRATCH/$NAME/result.json"
}

# of LABEL FILTER: of the cell with this label
of() {
	result ".cells[] | select(.label == \"$1\") | $2"
}

traces >"$SCRATCH/before"

study atm-1995 size=512K chunk-size=64K
is "atm-1995: cells" 4 "$(result '.cells | length')"
is "atm-1995: ATM's datagrams" 8520 \
	"$(of "atm, server default" '.phases[] | select(.name == "block-output" and .cache == "cold") | .datagram')"
is "atm-1995: with the MTU of the Ethernet" 1444 \
	"$(of "atm, server mtu1500" '.phases[] | select(.name == "block-output" and .cache == "cold") | .datagram')"
is "atm-1995: the disk has all phases" 12 "$(of "local, server default" '.phases | length')"
has "atm-1995: the table of 1995 stands beside it" "atm-1995: chunk 1M" \
	"$(cat "$SCRATCH/atm-1995/result.txt")"

study mtu size=256K link=ether server=jumbo fault=none
is "mtu: -jumbo is cut on 1500" 5688 \
	"$(of "client default, bulk" '.phases[] | select(.name == "bulk-read") | .datagram')"
is "mtu: the client's -rxmaxfrags 1 prevents it" 0 \
	"$(of "client rxmaxfrags1, bulk" '.phases[] | select(.name == "bulk-read") | .fragments')"
is "mtu: a dump in clear, by the volume server" 1444 "$(of "client default, vosdump-clear" '.phases[0].datagram')"
is "mtu: an encrypted one has 8 bytes less of data" 1436 \
	"$(of "client default, vosdump-crypt" '.phases[0].datagram')"

study multihomed size=64K link=atm server=default \
	client=default,rxmaxfrags1 fault=mixed-mtu
has "multihomed: mixed MTU is found" D24 "$(of "client default" '.findings | keys[]')"
is "multihomed: and not where it is cured" "" \
	"$(of "client rxmaxfrags1" '.findings | keys[] | select(. == "D24")')"

study localdisk size=1M link=ether,local cache=cold
is "localdisk: calls are counted" true \
	"$(of ether '.phases[] | select(.name == "checkout") | .calls.StoreData64 > 0')"
is "localdisk: the disk costs none" 0 "$(of local '[.phases[].calls // {} | length] | add')"

if command -v mkfs.ext4 >/dev/null; then
	study serverfs size=512K vicep-fs=ext4
	is "serverfs: file phases through AFS" true \
		"$(of "ether" '[.phases[].name] | any(test("create"))')"
	is "serverfs: and on the partition" true \
		"$(of "partition" '[.phases[].name] | any(test("create"))')"
	is "serverfs: it was ext4" ext4 \
		"$(jq -r .lab.vicep_fs "$SCRATCH"/serverfs/runs/001-*/r1/rank0/run.json)"
else
	skip "serverfs" "there is no mkfs.ext4"
fi

if command -v mpirun >/dev/null && "$CELLBENCH" --version | grep -q MPI$; then
	study clients link=atm clients=1,3 size=512K
	is "clients: three ranks in a phase" 3 \
		"$(jq '.phases[0].ranks' "$SCRATCH"/clients/runs/002-*/r1/clients.json)"
	is "clients: each on a host of its own" "atm atm2 atm3" \
		"$(jq -r '[.ranks[].host] | join(" ")' "$SCRATCH"/clients/runs/002-*/r1/clients.json)"
	is "clients: the server's CPU time" true "$(of "clients 3" '.phases[0].server_cpu_ns > 0')"
	is "clients: it is that of all, and in no client's own record" "true null" \
		"$(of "clients 3" '.phases[0].server_cpu_s_per_mib > 0') $(jq '.phases[0].cpu.server_ns' "$SCRATCH"/clients/runs/002-*/r1/rank0/run.json)"
	is "clients: the probe saw all of them" true \
		"$(of "clients 3" '.phases[0].rx_data_bytes >= 3 * 524288')"
else
	skip "clients" "built without MPI, or no mpirun"
fi

is "every study took down all that it made" "" "$(traces | diff "$SCRATCH/before" - || :)"
