# Runs on a mounted /afs.  Source it behind case.sh; the lab must be up.
# shellcheck shell=bash
there="/afs/.:mount/cellbench.test:bench"
# shellcheck disable=SC2034 # for the cases
restart="$CELLBENCH lab mount ether"

# mount_or_skip WHAT: ends the case where there can be no such mount.
mount_or_skip() {
	[ "$(code lab mount ether)" != 0 ] || return 0
	if grep -q -e /dev/fuse -e 'afsd.fuse is missing' -e 'fuse: mount failed' "$SCRATCH/said"; then
		skip "$1" "$(said)"
	else
		not_ok "$1" "$(said)"
	fi
	exit
}

# in_volume: what is there, also of cases before this one.
in_volume() {
	on ether ls "$there"
}

# run_mounted NAME OPTION…: Once in a hundred starts Debian's afsd.fuse dies at work (1.8.9:
# its threads count the references of credentials without a lock); then the run is made again.
run_mounted() {
	local name=$1 try code
	shift
	for try in 1 2 3; do
		code=0
		on ether "$CELLBENCH" run -e posix "$there" --quiet --min-time 0s \
			--output "$SCRATCH/$name" "$@" || code=$?
		! in_volume >/dev/null || break
		echo "afsd.fuse died in try $try of $name" >&2
		lab mount ether
		on ether "$CELLBENCH" clean "$SCRATCH/$name" >&2
		rm -r "${SCRATCH:?}/$name"
	done
	return "$code"
}
