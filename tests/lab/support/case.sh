# Shared by the lab tests.  A case begins with
#     . "$TESTLIB"
#     need_lab
# and then says `check NAME COMMAND…` or `is NAME WANTED FOUND`, or, after its own
# looking, ok, not_ok or skip.  SCRATCH is a folder of its own.
# shellcheck shell=bash
set -euo pipefail
shopt -s inherit_errexit

ok() {
	printf 'ok %s: %s\n' "$CASE" "$1"
}

# not_ok NAME WHY
not_ok() {
	printf 'not ok %s: %s: %s\n' "$CASE" "$1" "$2"
}

skip() {
	printf 'skip %s: %s: %s\n' "$CASE" "$1" "$2"
}

# check NAME COMMAND…: ok if the command succeeds.
check() {
	local name=$1 last
	shift
	if last=$("$@" 2>&1); then
		ok "$name"
	else
		not_ok "$name" "failed: $*: $(tail -n 1 <<<"$last")"
	fi
}

# is NAME WANTED FOUND
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "$(printf 'wanted %q, found %q' "$2" "$3")"
	fi
}

# has NAME TEXT FOUND: FOUND must contain TEXT.
has() {
	case $3 in
	*"$2"*) ok "$1" ;;
	*) not_ok "$1" "$(printf 'wanted %q in %q' "$2" "$3")" ;;
	esac
}

# code COMMAND…: prints its exit code; what it says is kept in $SCRATCH/said.
code() {
	local code=0
	"$@" >"$SCRATCH/said" 2>&1 || code=$?
	echo "$code"
}

said() {
	cat "$SCRATCH/said"
}

LAB=("$CELLBENCH" lab)
[ -x "$CELLBENCH" ] || LAB=(bash "$TOP/src/lab/lab.sh")

lab() {
	"${LAB[@]}" "$@"
}

on() {
	lab exec "$@"
}

# need_lab: the lab that the tests share, with the servers' usual options.
need_lab() {
	if lab status >/dev/null 2>&1; then
		lab restart
	else
		lab up
	fi
}

# own_lab: from here on this case has a lab of its own, to be broken at will.
own_lab() {
	export CELLBENCH_LAB=$CELLBENCH_LAB-own
	trap 'lab down' EXIT
}

# lab_netns: the namespaces of this case's lab, by the prefix that it would give them.
lab_netns() {
	bash -c '. "$1/src/lab/common.sh"; ip netns | grep -o "^$LAB_PREFIX[^ ]*"' - "$TOP" || :
}

# traces: what is on the machine that a lab could have left.  Other labs and namespaces
# may come and go meanwhile, so of those only this lab's are listed.
traces() {
	grep -v -e ' /run/netns' -e '^cellbench-lab' /proc/self/mounts
	grep -F " $CELLBENCH_LAB" /proc/self/mounts || :
	lab_netns
	losetup -a
	ip -o link | cut -d: -f2
	ls -d "$CELLBENCH_LAB" 2>/dev/null || :
}

# lab_pids: every process in the lab's namespaces.
lab_pids() {
	local name
	for name in $(lab_netns); do
		ip netns pids "$name"
	done
}

# alive PID…: prints those that still run.
alive() {
	local pid
	for pid; do
		[ ! -e "/proc/$pid/exe" ] || echo "$pid"
	done
}
