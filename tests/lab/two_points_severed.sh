# Captured at both ends, and nothing at all passes between them: one way, both ways.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
. "$TOP/tests/lab/support/points.sh"
own_lab
lab up --no-shaping

at_host() {
	on "$@"
}

# ask: commands on the client ask the server in vain while both ends are captured.
ask() {
	local asking=() i
	record atm atm0
	record server eth0,atm0
	for i in 1 2 3; do
		on atm timeout 5 vos listvldb -server 10.77.2.1 -noauth >/dev/null 2>&1 &
		asking+=($!)
	done
	wait "${asking[@]}" || :
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
has "where" "between server.pcapng:atm0 and atm.pcapng:atm0 all " "$(told_of 10.77.2.1)"
has "which way" " to 10.77.2.12 are lost" "$(told_of 10.77.2.1)"
has "not the other way" "sends arrives" "$(told_of 10.77.2.1)"
is "and only this way" null "$(told_of 10.77.2.12)"

# The server still answers what it was asked before: both ways.
drop atm-atm0 "ip protocol udp"
ask
is "nothing passes at all: the finding" D34 "$(found '.slug | endswith("between-points")')"
has "where, whichever address of the server is asked" \
	"between atm.pcapng:atm0 and server.pcapng:atm0 nothing passes" "$(told_of 10.77.2.12)"
has "what shows it" "and nothing comes back" "$(told_of 10.77.2.12)"
has "a firewall is looked for" "a firewall or its state" \
	"$(jq -r '[.findings[] | select(.id == "D34")][0].remedy' "$SCRATCH/probe.json")"
