# Trouble made for real, and the findings that it must give.  Source it behind case.sh.
# shellcheck shell=bash

# in_net HOST COMMAND…: in the network of a host of this lab, or of the switch.
in_net() {
	local name=$1
	shift
	ip netns exec "$(netns_of "$name")" "$@"
}

# drop PORT RULE…: on the switch, frames that come in at PORT ("server-eth0" is the file
# server's on Ethernet) and match an nft rule each are dropped, behind the sender's
# capture and before the receiver's.
drop() {
	local port=$1 rule
	shift
	in_net switch nft add table netdev "drop-$port"
	in_net switch nft "add chain netdev drop-$port in { type filter hook ingress device $port priority 0; }"
	for rule; do
		in_net switch nft "add rule netdev drop-$port in $rule counter drop"
	done
}

# drop_nothing PORT…
drop_nothing() {
	local port
	for port; do
		in_net switch nft delete table netdev "drop-$port"
	done
}

# on_the_way PORT HOOK RULE: likewise an nft rule of any kind, at ingress or egress of
# the switch's port.
on_the_way() {
	in_net switch nft add table netdev "way-$1"
	in_net switch nft "add chain netdev way-$1 $2 { type filter hook $2 device $1 priority 0; }"
	in_net switch nft "add rule netdev way-$1 $2 $3"
}

# nothing_on_the_way PORT…
nothing_on_the_way() {
	local port
	for port; do
		in_net switch nft delete table netdev "way-$port"
	done
}

# sent HOST INTERFACE: bytes that it has sent.
sent() {
	in_net "$1" cat "/sys/class/net/$2/statistics/tx_bytes"
}

# sent_more HOST INTERFACE BYTES: waits until it has sent so many more, 10 s at most.
sent_more() {
	local i before
	before=$(sent "$1" "$2")
	for ((i = 0; i < 500; i++)); do
		[ "$(sent "$1" "$2")" -lt $((before + $3)) ] || break
		sleep 0.02
	done
}

# probe_on HOST OPTION…: netprobe record there, which may be the switch.
probe_on() {
	local host=$1
	shift
	if [ "$host" = switch ]; then
		in_net switch "$NETPROBE" record "$@"
	else
		on "$host" "$NETPROBE" record "$@"
	fi
}

# capture HOST INTERFACES COMMAND…: runs it while HOST's interfaces are captured, with
# PROBE_OPTIONS; $SCRATCH/probe.json is the result.  The command may fail, or hang for 30 s.
PROBE_OPTIONS=()
capture() {
	local host=$1 interfaces=$2 probe i
	shift 2
	rm -f "$SCRATCH/in" "$SCRATCH/capture.pcapng" "$SCRATCH/probe.json"
	mkfifo "$SCRATCH/in"
	probe_on "$host" --control -i "$interfaces" -w "$SCRATCH/capture.pcapng" \
		--json "$SCRATCH/probe.json" "${PROBE_OPTIONS[@]}" \
		<"$SCRATCH/in" >"$SCRATCH/out" 2>"$SCRATCH/said" &
	probe=$!
	exec 3>"$SCRATCH/in"
	for ((i = 0; i < 100; i++)); do
		grep -q ^ready "$SCRATCH/out" && break
		sleep 0.1
	done
	timeout --kill-after=5 30 "$@" >"$SCRATCH/command" 2>&1 3>&- || :
	echo finish >&3
	exec 3>&-
	wait "$probe" || :
}

# bonnie CLIENT [OPTION…]: the command line of a small cold run, for capture
bonnie() {
	local client=$1
	shift
	rm -rf "$SCRATCH/run"
	printf '%s\n' "${LAB[@]}" exec "$client" "$CELLBENCH" run --volume bench --size 1M \
		--seeks 20 --cache cold --quiet --output "$SCRATCH/run" "$@"
}

# capture_bonnie HOST INTERFACES CLIENT [OPTION…]
capture_bonnie() {
	local host=$1 interfaces=$2 words
	shift 2
	mapfile -t words < <(bonnie "$@")
	capture "$host" "$interfaces" "${words[@]}"
}

# found [FILTER]: the ids of the findings that match, each once.
found() {
	jq -r "[.findings[] | select(${1:-true}) | .id] | unique | join(\" \")" \
		"$SCRATCH/probe.json"
}

# trouble NAME IDS: exactly these findings of severity warning and worse.
trouble() {
	local got
	got=$(found '.severity != "info"')
	if [ "$got" = "$2" ]; then
		ok "$1"
	else
		not_ok "$1" "$(printf 'wanted "%s", found "%s": %s' "$2" "$got" \
			"$(jq -r '[.findings[] | .text] | join(" | ")' "$SCRATCH/probe.json")")"
	fi
}

# told ID FIELD: that field of the first finding of this id.
told() {
	jq -r --arg id "$1" "[.findings[] | select(.id == \$id)][0] | $2" "$SCRATCH/probe.json"
}

# netns_of HOST: the name of its network namespace.
netns_of() {
	bash -c '. "$1/src/lab/common.sh"; echo "$LAB_PREFIX$2"' - "$TOP" "$1"
}

# route_client CLIENT MTU: takes "ether" or "atm" off its bridge and puts it behind a router,
# the switch, which takes only MTU for what goes to the client.
route_client() {
	local client=$1 mtu=$2 link net near far
	case $client in
	ether) link=eth0 net=10.77.1 near=10.77.9.1 far=10.77.9.11 ;;
	atm) link=atm0 net=10.77.2 near=10.77.8.1 far=10.77.8.12 ;;
	esac
	in_net switch ip link set "$client-$link" nomaster
	in_net switch ip address add "$net.254/24" dev "br-$link"
	in_net switch ip address add "$near/24" dev "$client-$link"
	in_net switch ip route add "$far/32" dev "$client-$link" mtu "$mtu"
	in_net switch sysctl -qw net.ipv4.ip_forward=1 net.ipv4.icmp_ratelimit=0
	in_net "$client" ip route flush dev "$link"
	in_net "$client" ip address flush dev "$link"
	in_net "$client" ip address add "$far/24" dev "$link"
	in_net "$client" ip route add default via "$near"
	in_net server ip route add "${near%.1}.0/24" via "$net.254" dev "$link"
	# A client on neither link takes either address of the server.
	on server sh -c 'echo "$1" >/var/lib/openafs/local/NetInfo' - "$net.1"
	lab restart
}

# long_wire MS: the client "ether" is that far from the switch, each way.
long_wire() {
	in_net switch ip link add wire0 type veth peer name wire1
	in_net switch ip link set wire0 master br-eth0 up
	in_net switch ip link set wire1 up
	in_net switch ip link set ether-eth0 nomaster
	in_net switch "$LAB_TOOLS/wire" wire1 ether-eth0 "$1" >"$SCRATCH/wire" &
	for ((i = 0; i < 100; i++)); do
		grep -q ready "$SCRATCH/wire" && break
		sleep 0.05
	done
}

# keep_busy CLIENT PHASE HOST INTERFACE [OPTION…]: CLIENT goes on with one phase, and
# has begun when HOST has sent a megabyte there; until let_go.
keep_busy() {
	local client=$1 phase=$2 host=$3 interface=$4 words
	shift 4
	mapfile -t words < <(bonnie "$client" --size 2M --phases "$phase" --passes 1000 \
		--min-time 60s "$@")
	"${words[@]}" >/dev/null 2>&1 &
	BUSY=$!
	sent_more "$host" "$interface" 1000000
}

let_go() {
	kill -KILL "$BUSY"
	wait "$BUSY" 2>/dev/null || :
}

# volume_filled CLIENT KIB: CLIENT leaves a file of that size in the volume: what a killed
# run leaves that was reading it.
volume_filled() {
	local i
	keep_busy "$1" block-input "$1" "${1/ether/eth}0" --size "$2K"
	for ((i = 0; i < 100; i++)); do
		[ "$(on server vos dump bench -localauth 2>/dev/null | wc -c)" -lt $(($2 * 1024)) ] || break
		sleep 0.2
	done
	let_go
}

# cell_key HOST: HOST has the cell's key, so that -localauth works there.
cell_key() {
	on server cat /etc/openafs/server/KeyFile >"$SCRATCH/key"
	on "$1" sh -c 'mkdir -p /etc/openafs/server &&
		cp /etc/openafs/ThisCell /etc/openafs/CellServDB /etc/openafs/server/ &&
		cat >/etc/openafs/server/KeyFile' <"$SCRATCH/key"
}
