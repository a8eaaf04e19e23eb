#!/bin/bash
# Runs inside a host's new namespaces: builds its root, then holds it as a process.
# Arguments: name, state folder, its /etc/openafs, its /etc/hosts, the unpacked OpenAFS
# (empty where it is installed), and the folder that this tree is in.
set -euo pipefail
name=$1 state=$2 conf=$3 hosts=$4 openafs=$5 top=$6
root=$state/root
overlaid=(/usr /etc /var/lib /var/log /var/cache)

# overlay FOLDER [LOWER]: FOLDER of the machine, with LOWER above it and a private
# folder for what is written.
overlay() {
	local private=$state/overlay${1//\//-}
	mkdir -p "$private/upper" "$private/work"
	mount -t overlay overlay "$root$1" \
		-o "lowerdir=${2:+$2:}$1,upperdir=$private/upper,workdir=$private/work"
}

bind_top_level() {
	local path entry
	for path in /*; do
		entry=${path#/}
		if [ -L "$path" ]; then
			cp -P "$path" "$root/$entry"
		elif [ -d "$path" ]; then
			mkdir "$root/$entry"
			case $entry in
			usr | etc | sys | afs | vicep* | lost+found) ;;
			*) mount --rbind "$path" "$root/$entry" ;;
			esac
		fi
	done
	# /run was bound with all that is mounted below it, this new root too.
	! mountpoint -q "$root$root" || umount -l "$root$root"
}

private_folders() {
	local folder
	# A cell that the machine itself belongs to must not shine through.
	rm -rf "$root"/{etc,var/lib,var/log,var/cache}/openafs "$root/etc/resolv.conf"
	mkdir -p "$root"/{etc/openafs/server,var/lib/openafs/{db,local},var/log/openafs} \
		"$root"/{var/cache/openafs,afs,vicepa}
	cp "$conf"/* "$root/etc/openafs/"
	cp "$hosts" "$root/etc/hosts"
	echo "# no name service in the lab" >"$root/etc/resolv.conf"
	echo "$name" >"$root/etc/hostname"
	if [ "$name" = server ] && [ -e "$state/../../vicep-fs" ]; then
		# Its loop device is freed by the kernel when the mount is gone.
		mount -o loop,noatime "$state/../../vicepa.img" "$root/vicepa"
	else
		mount -t tmpfs -o mode=755 cellbench-vicepa "$root/vicepa"
	fi
	for folder in "${overlaid[@]}"; do
		case $top/ in
		# What the tree's programs write must be seen outside too.
		"$folder"/*) mount --rbind "$top" "$root$top" ;;
		esac
	done
}

umask 022
mkdir -p "$root"
mount -t tmpfs -o size=1m,mode=755 cellbench-root "$root"
bind_top_level
mount -t sysfs sysfs "$root/sys"
overlay /usr "${openafs:+$openafs/usr}"
for folder in /etc /var/lib /var/log /var/cache; do
	overlay "$folder"
done
private_folders
hostname "$name"

mkdir "$root/.machine"
cd "$root"
pivot_root . .machine
umount -l /.machine
rmdir /.machine
mount -o remount,ro /
: >"$state/ready"
exec -a "cellbench-lab-$name" sleep infinity
