# Captures at several hosts at once, and what they tell together.  Source it behind
# case.sh; at_host HOST COMMAND… has to run the command there.
# shellcheck shell=bash

declare -A probe_of pipe_of

# record HOST INTERFACES: into $SCRATCH/HOST.pcapng, until finish HOST.
record() {
	local host=$1 i fd
	rm -f "$SCRATCH/$host.in" "$SCRATCH/$host.pcapng"
	mkfifo "$SCRATCH/$host.in"
	at_host "$host" "$NETPROBE" record --control -i "$2" -w "$SCRATCH/$host.pcapng" \
		"${RECORD_OPTIONS[@]}" \
		<"$SCRATCH/$host.in" >"$SCRATCH/$host.out" 2>"$SCRATCH/$host.said" &
	probe_of[$host]=$!
	exec {fd}>"$SCRATCH/$host.in"
	pipe_of[$host]=$fd
	for ((i = 0; i < 100; i++)); do
		grep -q ^ready "$SCRATCH/$host.out" && break
		sleep 0.1
	done
}
RECORD_OPTIONS=()

finish() {
	local fd=${pipe_of[$1]}
	echo finish >&"$fd"
	exec {fd}>&-
	wait "${probe_of[$1]}" || :
}

# together HOST HOST: both captures read together; $SCRATCH/probe.json, report.txt
together() {
	"$NETPROBE" read -q --no-fail --json "$SCRATCH/$1.pcapng" "$SCRATCH/$2.pcapng" \
		>"$SCRATCH/probe.json" || :
	"$NETPROBE" read -q --no-fail "$SCRATCH/$1.pcapng" "$SCRATCH/$2.pcapng" \
		>"$SCRATCH/report.txt" || :
}

# points FILTER: of the passages between the two captures.
points() {
	jq -r "[.points[] | select(.one_clock | not)] | $1" "$SCRATCH/probe.json"
}

# check_clock NAME: 0 lies within the uncertainty, which is small.
check_clock() {
	is "$1" true "$(points 'length > 0 and all(.[]; .clock_uncertainty_us != null and .clock_uncertainty_us < 5000
		and ((.clock_offset_us | fabs) <= .clock_uncertainty_us) and .clock_drift_us_per_s == null)')"
}
