# The server's partition on a file system of a loop device, which goes with the lab.
# alone: compares what is on the machine before and after
. "$TESTLIB"
own_lab

is "an unknown file system" 2 "$(code lab up --vicep-fs reiserfs)"
has "is named" reiserfs "$(said)"
traces >"$SCRATCH/before"
for fs in ext4 xfs btrfs; do
	if ! command -v "mkfs.$fs" >/dev/null; then
		skip "$fs" "there is no mkfs.$fs"
		continue
	fi
	lab up --vicep-fs "$fs"
	is "$fs: is mounted" "$fs" "$(on server sed -n 's/^[^ ]* .vicepa \([^ ]*\) .*/\1/p' /proc/self/mounts)"
	is "$fs: the record tells it" "$fs" "$(lab status --json | jq -r .vicep_fs)"
	is "$fs: clients have none of it" tmpfs "$(on ether sed -n 's/^[^ ]* .vicepa \([^ ]*\) .*/\1/p' /proc/self/mounts)"
	lab restart
	is "$fs: stays over a restart of the servers" "$fs" \
		"$(on server sed -n 's/^[^ ]* .vicepa \([^ ]*\) .*/\1/p' /proc/self/mounts)"
	lab down
	is "$fs: nothing is left" "" "$(traces | diff "$SCRATCH/before" - || :)"
done
