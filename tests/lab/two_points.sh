# Captured at the client and at the server at once: what is lost between them, by size,
# and how far the clocks are apart (not at all: it is one machine).
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
. "$TOP/tests/lab/support/points.sh"
own_lab
lab up --no-shaping

at_host() {
	on "$@"
}

# both_ends CLIENT: a small run, captured at both ends; $SCRATCH/probe.json tells.
both_ends() {
	local words
	mapfile -t words < <(bonnie "$1")
	record "$1" "${1/ether/eth}0"
	record server eth0,atm0
	timeout --kill-after=5 20 "${words[@]}" >"$SCRATCH/command" 2>&1 || :
	finish "$1"
	finish server
	together "$1" server
}

for client in ether atm; do
	both_ends "$client"
	is "$client, both ways" "to_client to_server" "$(points '[.[].way] | unique | join(" ")')"
	is "$client, nothing is lost" 0 "$(points 'map(.lost + .only_at_second) | add')"
	is "$client, much arrives" true "$(points 'map(.arrived) | add > 500')"
	is "$client, no router between" 0 "$(points 'map(.hops_max) | max')"
	is "$client, what the server sends passes it first" true \
		"$(points "all(.[]; (.first_interface | contains(\"server.pcapng\")) ==
			(.source_address | endswith(\".1\")))")"
	check_clock "$client, one clock"
	is "$client, no finding of the points" "" "$(found '.slug | endswith("between-points")')"
done

# Behind the server's capture and before the client's, datagrams over 3000 bytes vanish.
drop server-atm0 "ip length > 3000"
both_ends atm
is "something is lost" true "$(points 'map(select(.way == "to_client").lost) | add > 2')"
is "all of these sizes" true "$(points 'map(select(.lost > 0).lost_udp_payload_min) | min > 2972')"
is "and none of them came" true "$(points 'map(select(.source_address | endswith(".1")).arrived_udp_payload_max)
	| max <= 2972')"
is "not the other way" 0 "$(points 'map(select(.source_address | endswith(".1") | not).lost) | add')"
check_clock "one clock, with loss"
is "the finding" D34 "$(found '.slug | endswith("between-points")')"
has "where" "server.pcapng:atm0 and " "$(told D34 .text)"
has "what to change" "-rxmaxmtu" "$(told D34 .remedy)"
has "the report says it" ", all of UDP payload >= " "$(cat "$SCRATCH/report.txt")"
has "and what it assumes" "assuming that the fastest datagrams" "$(cat "$SCRATCH/report.txt")"
