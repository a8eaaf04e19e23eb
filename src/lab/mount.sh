# A mounted /afs on a client, for programs that need one: Debian's afsd.fuse.
# shellcheck shell=bash

MOUNT_CACHE=/var/cache/openafs

# mount_need HOST: dies where FUSE or the client is not there.
mount_need() {
	host_pid "$1" >/dev/null || die "host $1 is not up; the lab has: $(lab_hosts | xargs)"
	host_run "$1" sh -c '[ -c /dev/fuse ] && : <>/dev/fuse' 2>/dev/null ||
		die "/dev/fuse cannot be opened, and a mounted /afs needs it"
	host_run "$1" sh -c 'command -v afsd.fuse' >/dev/null ||
		die "afsd.fuse is missing; make openafs unpacks it"
}

# mount_pids HOST: the client's processes there.
mount_pids() {
	local pid
	for pid in $(ip netns pids "$(netns "$1")"); do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" != afsd.fuse ] || echo "$pid"
	done
}

mount_gone() {
	[ -z "$(mount_pids "$1")" ]
}

# mount_end HOST: unmounts /afs; the client then ends by itself.
mount_end() {
	local last
	# mountpoint(1) would not see the mount of a client that died.
	if host_run "$1" grep -q ' /afs fuse ' /proc/mounts; then
		last=$(host_run "$1" umount /afs 2>&1) ||
			die "/afs on $1 stays mounted: ${last##*: }"
	fi
	wait_until 20 "the end of afsd.fuse on $1" mount_gone "$1"
}

# The volume answers through the mount; whether the mount is there at all it says last.
mount_ready() {
	host_run "$1" timeout 10 ls "/afs/.:mount/$LAB_CELL:$LAB_VOLUME/"
}

# lab_mount HOST [OPTION…]: with an emptied cache, also where it is mounted already.
lab_mount() {
	local host=${1:-}
	[ $# -ge 1 ] || usage_error "mount needs a host"
	shift
	need_root
	mount_need "$host"
	mount_end "$host"
	# afsd wants the file although the options tell all that is in it.
	host_run "$host" sh -c "rm -rf $MOUNT_CACHE/* && mkdir -p $MOUNT_CACHE &&
		echo /afs:$MOUNT_CACHE:200000 >/etc/openafs/cacheinfo" ||
		die "the cache of $host could not be emptied"
	(cd / && host_run "$host" afsd.fuse -dynroot -fakestat -confdir /etc/openafs \
		-cachedir "$MOUNT_CACHE" -mountdir /afs -blocks 200000 "$@") \
		</dev/null >"$LAB_STATE/hosts/$host/afsd.log" 2>&1 ||
		die "afsd.fuse did not start: $(tail -n 1 "$LAB_STATE/hosts/$host/afsd.log")"
	wait_until 20 "/afs on $host" mount_ready "$host"
	say "/afs is mounted on $host, its cache is empty"
}

lab_umount() {
	[ $# = 1 ] || usage_error "umount needs a host"
	need_root
	host_pid "$1" >/dev/null || die "host $1 is not up; the lab has: $(lab_hosts | xargs)"
	mount_end "$1"
}
