# The server's partition on a file system of choice: tmpfs, or an image on a loop device.
# shellcheck shell=bash

VICEP_KINDS="tmpfs ext4 xfs btrfs"
VICEP_IMAGE=$LAB_STATE/vicepa.img
# xfs makes nothing below 300 MB; the image is sparse.
VICEP_SIZE=1G
declare -A VICEP_MKFS=([ext4]="mkfs.ext4 -q -F" [xfs]="mkfs.xfs -q -f" [btrfs]="mkfs.btrfs -q -f")
declare -A VICEP_PACKAGE=([ext4]=e2fsprogs [xfs]=xfsprogs [btrfs]=btrfs-progs)

# vicep_check KIND
vicep_check() {
	local tool
	[[ " $VICEP_KINDS " == *" $1 "* ]] ||
		usage_error "--vicep-fs takes one of: $VICEP_KINDS; not '$1'"
	[ "$1" != tmpfs ] || return 0
	tool=${VICEP_MKFS[$1]%% *}
	command -v "$tool" >/dev/null ||
		die "the program $tool is missing; install the package ${VICEP_PACKAGE[$1]}"
	grep -qw "$1" /proc/filesystems || modprobe "$1" 2>/dev/null ||
		die "this kernel has no $1"
}

# vicep_make KIND: the image, which the server's host mounts.  It lies in the lab's own
# tmpfs: it goes with the lab, and what is measured is the file system, not a disk.
vicep_make() {
	local kind=$1
	[ "$kind" != tmpfs ] || return 0
	truncate -s "$VICEP_SIZE" "$VICEP_IMAGE"
	# shellcheck disable=SC2086 # words
	${VICEP_MKFS[$kind]} "$VICEP_IMAGE" >"$LAB_STATE/mkfs.log" 2>&1 ||
		die "$kind could not be made: $(tail -n 1 "$LAB_STATE/mkfs.log")"
	echo "$kind" >"$LAB_STATE/vicep-fs"
}

# vicep_detach: the mount's own loop device goes with the mount; this is for one that
# stayed because something failed in between.
vicep_detach() {
	local device
	while IFS=: read -r device _; do
		losetup -d "$device" || :
	done < <(losetup -j "$VICEP_IMAGE" 2>/dev/null || :)
}
