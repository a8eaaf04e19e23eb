#!/bin/bash
# make demo: what is missing, the build, a real cell, Bonnie on each link with the probe
# beside it, the reports.  As root; without it, a committed capture is read instead.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=build/demo
log=$out/log
bin=$PWD/build/bin
export CELLBENCH_LAB=/run/cellbench/demo LAB_QUIET=1
child=
started=$SECONDS

line() {
	printf '[%3d s] %s\n' $((SECONDS - started)) "$*"
}

# step TEXT COMMAND…: runs it with its output in the log, telling the time; its exit code.
# The command runs in the background, so that a signal is answered at once.
step() {
	local text=$1 code=0
	shift
	[ -t 1 ] || line "$text"
	printf '== %s: %s\n' "$text" "$*" >>"$log"
	"$@" </dev/null >>"$log" 2>&1 &
	child=$!
	while [ -t 1 ] && kill -0 "$child" 2>/dev/null; do
		printf '\r%s' "$(line "$text")"
		sleep 0.5
	done
	wait "$child" || code=$?
	child=
	[ ! -t 1 ] || printf '\r%s\n' "$(line "$text")"
	return "$code"
}

failed() {
	printf 'demo: %s; the last lines of %s are:\n' "$1" "$log" >&2
	tail -n 8 "$log" | sed 's/^/    /' >&2
	exit 3
}

finish() {
	local code=$?
	trap - EXIT
	trap '' INT TERM HUP
	[ -z "$child" ] || { kill -TERM "$child" && wait "$child"; } 2>/dev/null || :
	if [ "$(id -u)" = 0 ]; then
		bash src/lab/lab.sh down >>"$log" 2>&1 || tail -n 1 "$log" >&2
		# What sudo made is still the user's.
		[ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" build || :
	elif [ "$code" = 0 ]; then
		rm -f "$log"
	fi
	exit "$code"
}

build() {
	step "building" "${MAKE:-make}" --no-print-directory -j"$(nproc)" all ||
		failed "the build failed"
}

without_root() {
	cat <<'TEXT'
Without root this shows what netprobe finds in a capture that the lab made before.  As
root (sudo make demo) it would install the packages that are missing, raise a real AFS
cell with a file server on an Ethernet and an ATM link in namespaces of this machine,
run Bonnie's phases over both, capture them at the server, and explain the result; then
everything is taken down again.
TEXT
	local capture
	capture=$(find captures -name '*.pcap*' 2>/dev/null | sort | head -n 1)
	build
	[ -n "$capture" ] || failed "there is no capture in captures/"
	line "netprobe read $capture"
	"$bin/netprobe" read "$capture"
}

# run_client NAME: Bonnie on one client, the probe on both interfaces of the server.
run_client() {
	local client=$1 code=0
	rm -rf "${out:?}/$client"
	step "Bonnie's phases, cold and warm, on client $client" \
		"$bin/cellbench" lab exec "$client" "$bin/cellbench" run --engine afs \
		--volume bench --workload bonnie --size 32M --cache cold,warm \
		--probe eth0,atm0 --probe-via "$bin/cellbench lab exec server" \
		--output "$PWD/$out/$client" --quiet || code=$?
	# Findings (1) and partial results (4) have a report too.
	case $code in
	0 | 1 | 4) cat "$out/$client/report.txt" ;;
	*) failed "the run on client $client ended with $code" ;;
	esac
}

trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
if [ "$(id -u)" != 0 ]; then
	# build/ may be root's, of an earlier demo.
	log=$(mktemp)
	without_root
	exit
fi
mkdir -p "$out"
: >"$log"
bash src/deps.sh
step "OpenAFS, unpacked below build/openafs" bash src/openafs.sh ||
	failed "OpenAFS could not be fetched"
build
step "raising the lab: a file server on two links, a client on each" \
	bash src/lab/lab.sh up || failed "the lab did not come up"
run_client ether
run_client atm
step "taking the lab down" bash src/lab/lab.sh down || failed "the lab did not go down"
line "done; records, captures and reports are in $out/ether and $out/atm"
