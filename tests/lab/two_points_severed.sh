# Captured at both ends, and nothing at all passes between them: one way, both ways.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
. "$TOP/tests/lab/support/points.sh"
own_lab
lab up --no-shaping

at_host() {
	on "$@"
}

# ask: the client on ATM begins a run, which hangs, while both ends are captured.
ask() {
	local words
	mapfile -t words < <(bonnie atm)
	record atm atm0
	record server eth0,atm0
	timeout --kill-after=5 8 "${words[@]}" >"$SCRATCH/command" 2>&1 || :
	finish atm
	finish server
	together atm server
}

# told_of ADDRESS: the text of D34 of what it sends.
told_of() {
	jq -r --arg from "$1" '[.findings[] | select(.id == "D34" and .from == $from)][0].text' \
		"$SCRATCH/probe.json"
}

drop server-atm0 "ip protocol udp"
ask
is "nothing reaches the client: the finding" D34 "$(found '.slug | endswith("between-points")')"
has "where" "between server.pcapng:atm0 and atm.pcapng:atm0 all " "$(told D34 .text)"
has "which way" "from 10.77.2.1 to 10.77.2.12 are lost" "$(told D34 .text)"
has "not the other way" "what 10.77.2.12 sends arrives" "$(told D34 .text)"
drop_nothing server-atm0

drop server-atm0 "ip protocol udp" # the server still answers what it was asked before
drop atm-atm0 "ip protocol udp"
ask
is "nothing passes at all: the finding" D34 "$(found '.slug | endswith("between-points")')"
has "where, by the addresses, and from whom" \
	"between atm.pcapng:atm0 and server.pcapng:atm0 nothing passes" "$(told_of 10.77.2.12)"
has "what shows it" "from 10.77.2.12 to 10.77.2.1 are lost" "$(told_of 10.77.2.12)"
