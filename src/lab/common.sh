# Shared by all lab scripts: where things are, messages, waiting, process identity.
# shellcheck shell=bash

LAB_HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
LAB_DEFAULT_STATE=/run/cellbench/lab
LAB_STATE=${CELLBENCH_LAB:-$LAB_DEFAULT_STATE}
LAB_NETNS=/run/netns
LAB_CELL=cellbench.test
LAB_VOLUME=bench
LAB_PATH="/afs/.:mount/$LAB_CELL:$LAB_VOLUME"
LAB_T0=${EPOCHREALTIME/[.,]/}

# A second lab under another state folder must not meet the first one's
# namespaces, so their prefix carries a sum of the folder's name.
if [ "$LAB_STATE" = "$LAB_DEFAULT_STATE" ]; then
	LAB_PREFIX=cellbench-
else
	LAB_PREFIX=cellbench.$(cksum <<<"$LAB_STATE" | cut -d' ' -f1)-
fi

EXIT_FINDINGS=1
EXIT_USAGE=2
EXIT_ENVIRONMENT=3

die() {
	printf 'cellbench lab: %s\n' "$*" >&2
	exit "$EXIT_ENVIRONMENT"
}

usage_error() {
	printf 'cellbench lab: %s (see cellbench lab --help)\n' "$*" >&2
	exit "$EXIT_USAGE"
}

# say TEXT: one progress line with the elapsed time, on standard error.
say() {
	local us=$((${EPOCHREALTIME/[.,]/} - LAB_T0))
	[ -n "${LAB_QUIET:-}" ] || printf 'lab %4d.%d s  %s\n' $((us / 1000000)) \
		$((us / 100000 % 10)) "$*" >&2
}

# wait_until SECONDS WHAT COMMAND…: polls COMMAND; dies naming WHAT and COMMAND's
# last words when it has not succeeded in time.
wait_until() {
	local deadline=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000)) seconds=$1 what=$2 last
	shift 2
	until last=$("$@" 2>&1); do
		if ((${EPOCHREALTIME/[.,]/} > deadline)); then
			last=$(tail -n 1 <<<"$last")
			die "$what did not come within $seconds s${last:+ (last answer: $last)}; logs are below $LAB_STATE/hosts"
		fi
		sleep 0.05
	done
}

# Process identity is pid and start time together: pids are used again.
start_time() {
	local stat
	{ stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 1
	stat=${stat##*) }
	# shellcheck disable=SC2086 # fields
	set -- $stat
	# Field 22 of proc(5); the two fields before the ")" are cut off.
	[ "$1" != Z ] && printf '%s\n' "${20}"
}

# record_pid FILE PID
record_pid() {
	local started
	started=$(start_time "$2") || return 1
	printf '%s %s\n' "$2" "$started" >"$1"
}

# recorded_pid FILE: prints the pid if that very process still runs.
recorded_pid() {
	local pid started
	[ -r "$1" ] && read -r pid started <"$1" || return 1
	[ "$(start_time "$pid")" = "$started" ] && printf '%s\n' "$pid"
}

gone() {
	! recorded_pid "$1" >/dev/null
}

# stop_recorded FILE SIGNAL SECONDS: ends a recorded process, by force if it must be.
stop_recorded() {
	local pid started deadline=$((${EPOCHREALTIME/[.,]/} + $3 * 1000000))
	recorded_pid "$1" >/dev/null && read -r pid started <"$1" || return 0
	kill "-$2" "$pid" 2>/dev/null || :
	while [ "$(start_time "$pid")" = "$started" ]; do
		((${EPOCHREALTIME/[.,]/} <= deadline)) || kill -KILL "$pid" 2>/dev/null || :
		sleep 0.02
	done
}

state_name_check() {
	[[ $LAB_STATE =~ ^/[A-Za-z0-9._/-]+$ ]] ||
		usage_error "CELLBENCH_LAB must be a full path of letters, digits, '.', '_' and '-', not $LAB_STATE"
}

need_root() {
	[ "$(id -u)" = 0 ] || die "namespaces and mounts need root; run it with sudo"
}

need_tools() {
	local tool
	for tool in ip tc bridge ss ethtool unshare nsenter setsid; do
		command -v "$tool" >/dev/null ||
			die "the program $tool is missing; sudo make deps installs it"
	done
}

# The host's names, in the order in which they were made.
lab_hosts() {
	[ -r "$LAB_STATE/hosts.list" ] && cat "$LAB_STATE/hosts.list" || :
}
