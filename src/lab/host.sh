# A host: a network namespace, and a process that holds its mount and UTS namespaces.
# shellcheck shell=bash

# openafs_root: prints the folder of the unpacked OpenAFS, nothing where the
# packages themselves are installed.
openafs_root() {
	local dir
	for dir in "${CELLBENCH_OPENAFS:-}" "$LAB_HERE/../../build/openafs/root"; do
		if [ -n "$dir" ] && [ -x "$dir/usr/lib/openafs/fileserver" ]; then
			dir=$(cd "$dir" && pwd)
			[[ $dir != *[,:\\]* ]] || die "the path $dir has a comma, colon or backslash, which an overlay mount cannot take"
			printf '%s\n' "$dir"
			return
		fi
	done
	[ -x /usr/lib/openafs/fileserver ] ||
		die "OpenAFS is not there; run make openafs (it unpacks it below build/, nothing is installed), or name such a folder in CELLBENCH_OPENAFS"
}

netns() {
	printf '%s%s\n' "$LAB_PREFIX" "$1"
}

# in_net NAME COMMAND…: only the network of NAME, all else is the machine's.
in_net() {
	local name=$1
	shift
	nsenter --net="$LAB_NETNS/$(netns "$name")" "$@"
}

# netns_add NAME
netns_add() {
	local name
	name=$(netns "$1")
	ip netns add "$name" ||
		die "the network namespace $name could not be made; the machine refuses namespaces, or an old lab is left: cellbench lab down"
	in_net "$1" sh -c 'cd /proc/sys/net/ipv6/conf 2>/dev/null || exit 0
		echo 1 >all/disable_ipv6; echo 1 >default/disable_ipv6'
	ip -n "$name" link set lo up
}

# host_add NAME: starts it; host_wait waits until it is there.
host_add() {
	local name=$1 dir=$LAB_STATE/hosts/$1
	mkdir -p "$dir"
	echo "$name" >>"$LAB_STATE/hosts.list"
	netns_add "$name"
	setsid nsenter --net="$LAB_NETNS/$(netns "$name")" \
		unshare --mount --uts --propagation slave \
		bash "$LAB_HERE/root.sh" "$name" "$dir" "$LAB_STATE/conf/$name" "$LAB_STATE/etc-hosts" \
		"$(openafs_root)" "$(cd "$LAB_HERE/../.." && pwd)" \
		</dev/null >"$dir/log" 2>&1 &
	record_pid "$dir/holder" $! || :
}

host_ready() {
	[ -e "$LAB_STATE/hosts/$1/ready" ] || ! recorded_pid "$LAB_STATE/hosts/$1/holder"
}

host_wait() {
	wait_until 10 "host $1" host_ready "$1"
	recorded_pid "$LAB_STATE/hosts/$1/holder" >/dev/null ||
		die "host $1 could not be made; mounts may be refused here: $(tail -n 1 "$LAB_STATE/hosts/$1/log")"
}

# host_pid NAME: the process that holds the host's namespaces.
host_pid() {
	recorded_pid "$LAB_STATE/hosts/$1/holder"
}

# host_run NAME COMMAND…: runs it on the host, in the same working directory.
host_run() {
	local name=$1 pid
	shift
	pid=$(host_pid "$name") || die "host $name is not up"
	nsenter --target "$pid" --mount --uts --net --wdns="$PWD" "$@"
}

# host_exec: as host_run, but replaces this shell, so that standard input and output,
# signals and the exit code are the command's own.
host_exec() {
	local name=${1:-} pid
	[ $# -ge 2 ] || usage_error "exec needs a host and a command"
	shift
	[ -e "$LAB_STATE/hosts.list" ] || die "no lab is up; cellbench lab up raises one"
	pid=$(host_pid "$name") ||
		die "there is no host $name in the lab; it has: $(lab_hosts | xargs)"
	export CELLBENCH_LAB=$LAB_STATE CELLBENCH_HOST=$name
	export PATH="$PATH:/usr/sbin:/sbin"
	exec nsenter --target "$pid" --mount --uts --net --wdns="$PWD" -- "$@"
}
