# netprobe check --live: what AFS sends meanwhile, on which interface, both directions.
. "$TESTLIB"
need_lab
. "$TOP/tests/lab/support/own_netns.sh"
loads=()

# load CLIENT: a workload there, again and again until stop_load.
load() {
	(while [ ! -e "$SCRATCH/enough" ]; do
		rm -rf "$SCRATCH/run-$1"
		on "$1" "$CELLBENCH" run --volume bench --size 4M --seeks 20 --cache cold --quiet \
			--output "$SCRATCH/run-$1" || break
	done) >"$SCRATCH/load-$1" 2>&1 &
	loads+=($!)
}
stop_load() {
	touch "$SCRATCH/enough"
	wait "${loads[@]}" || :
	loads=()
}
trap 'stop_load; own_netns_clear' EXIT

# flows CLIENT INTERFACE: waits until a megabyte has gone out there.
flows() {
	local counter=/sys/class/net/$2/statistics/tx_bytes i before
	before=$(on "$1" cat "$counter")
	for ((i = 0; i < 300; i++)); do
		[ $(($(on "$1" cat "$counter") - before)) -lt 1000000 ] || break
		sleep 0.1
	done
}
# live HOST SECONDS OPTION…: JSON in $said, exit code in $code.
live() {
	local host=$1 seconds=$2
	shift 2
	code=0
	said=$(on "$host" "$NETPROBE" check --live "$seconds" --format json "$@" 2>&1) || code=$?
}
# row PEER FILTER: of the row of this peer's first port.
row() {
	jq -r --arg peer "$1" "[.rows[] | select(.peer == \$peer)][0] | $2" <<<"$said"
}
sizes='"\(.interface) \(.observed.sent.largest_udp_payload_bytes) \(.observed.received.largest_udp_payload_bytes) \(.expected.clear_udp_payload_bytes) \(.verdict)"'

# The probe's own packets fill the link and are no data of AFS's.
live atm 1 --active --peer 10.77.2.1 -i atm0
is "only probes: they got through" "0 9180 ok" \
	"$code $(row 10.77.2.1 '"\(.probe.passes_ip_bytes) \(.verdict)"')"
is "and were captured" true "$(jq '.capture.live and .capture.frames >= 2' <<<"$said")"
is "but are nothing that AFS sent" null "$(row 10.77.2.1 .observed.sent.largest_udp_payload_bytes)"

load atm
load ether
flows atm atm0
flows ether eth0
live server 4 --program server
is "from the server, without a peer named" 0 "$code"
is "one client on ATM" "atm0 8520 8520 8520 ok" "$(row 10.77.2.12 "$sizes")"
# four fragments are the client's default, and the server takes no more than one
is "one on Ethernet" "eth0 1444 1444 1444 ok" "$(row 10.77.1.11 "$sizes")"
live atm 4 --active --peer 10.77.2.1
is "from the client, while it probes" "0 atm0 8520 8520 8520 ok" "$code $(row 10.77.2.1 "$sizes")"
is "what gets through, in the same run" 9180 "$(row 10.77.2.1 .probe.passes_ip_bytes)"
stop_load

# A signal: what was seen until then, and that it is a part.
code=0
said=$(on atm timeout --preserve-status -s INT 1 "$NETPROBE" check --live 60 --peer 10.77.2.1) || code=$?
is "a signal ends it" "4 ok" "$code $(verdicts)"
has "what there is is told" "what the live capture has" "$said"

# Trouble with the machine: one sentence, and the documented code.
own_netns host far
own_wire host nic1 far far1 9000
own_wire host nic2 far far2 1500
own_address host nic1 10.1.0.1/24
own_address host nic2 10.2.0.1/24
own_address far far1 10.1.0.2/24
said=$(in_ns host setpriv --reuid 65534 --regid 65534 --clear-groups \
	"$NETPROBE" check --live 1 --peer 10.1.0.2 2>&1) && code=0 || code=$?
is "no privilege" "3 1" "$code $(wc -l <<<"$said")"
has "the way out is named" "CAP_NET_RAW" "$said"
check_in host --live 1 --peer 10.1.0.2 -i nic7
is "an interface that is not there" 3 "$code"
has "tells which are" "nic1, nic2" "$said"
check_in host --live 1
is "no peer, and none seen" 2 "$code"
has "says so" "no AFS peer was seen in 1 s" "$said"
check_in host --live 0
is "no time" 2 "$code"
check_in host --capture /dev/null --live 1
is "a capture and a live one" 2 "$code"
check_in host --interface nic1 --peer 10.1.0.2
is "an interface to capture on without --live" 2 "$code"
(sleep 1 && ip -n "$OWN"host link delete nic2) &
check_in host --live 2 --peer 10.1.0.2
wait
is "an interface of no peer vanishes: a part" "4 ok" "$code $(verdicts)"
has "it is named" "Gone while it was captured on: nic2" "$said"
(sleep 1 && ip -n "$OWN"host link delete nic1) &
check_in host --live 60 --peer 10.1.0.2
wait
is "the peer's interface vanishes" "3 interface-gone" "$code $(verdicts)"
has "the finding names it" "nic1 went away or down while it was captured on" "$said"
