#!/bin/bash
# Unpacks OpenAFS below build/openafs/root (or the folder named), never installs it: the
# servers and tools are for the lab, libuafs.a is for the afs engine.
set -euo pipefail

packages=(
	# servers, clients and tools
	openafs-fuse openafs-fileserver openafs-dbserver openafs-client openafs-krb5
	# the cache manager as a library
	libopenafs-dev libkopenafs2
	# what they are linked with
	libroken19-heimdal libasn1-8-heimdal libheimbase1-heimdal libhcrypto5-heimdal
	libwind0-heimdal libhx509-5-heimdal libkrb5-26-heimdal libfuse2
)

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=${1:-build/openafs/root}
stamp=$root.stamp

die() {
	printf 'openafs: %s\n' "$*" >&2
	exit 3
}

# complete: the stamp, one "package version" a line, names all packages.
complete() {
	[ -r "$stamp" ] && [ -x "$root/usr/lib/openafs/fileserver" ] &&
		[ "$(cut -d' ' -f1 "$stamp")" = "$(printf '%s\n' "${packages[@]}")" ]
}

download() {
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
		die "apt-get and dpkg are needed to fetch ${packages[*]}; on another system name a folder with OpenAFS in CELLBENCH_OPENAFS"
	(cd "$1" && apt-get download -q -o APT::Sandbox::User=root "${packages[@]}") >"$1/log" 2>&1
}

fetch() {
	local lists=(/var/lib/apt/lists/*Packages*)
	if [ -e "${lists[0]}" ] && download "$1"; then
		return
	fi
	# Lists that are missing or older than the mirror.
	[ "$(id -u)" = 0 ] || die "the package lists are missing or old; run: sudo apt-get update"
	apt-get update -q >"$1/log" 2>&1 || die "apt-get update failed: $(tail -n 1 "$1/log")"
	download "$1" || die "the packages could not be fetched: $(grep '^E:' "$1/log" | head -n 1)"
}

# fold FOLDER: the machine's /bin, /sbin and /lib are links into /usr, which the lab
# overlays with this tree; so what is unpacked there must be below /usr too.
fold() {
	local dir
	# The packages' own configuration is no part of the lab.
	rm -rf "${1:?}/etc" "${1:?}/var"
	for dir in bin sbin lib; do
		[ -d "$1/$dir" ] || continue
		mkdir -p "$1/usr/$dir"
		cp -a "$1/$dir/." "$1/usr/$dir/"
		rm -r "${1:?}/$dir"
	done
}

if complete; then
	exit 0
fi
work=$root.new
rm -rf "$work"
mkdir -p "$work/deb" "$work/root"
fetch "$work/deb"
for package in "${packages[@]}"; do
	deb=$(echo "$work/deb/${package}_"*.deb)
	dpkg-deb -x "$deb" "$work/root"
	printf '%s %s\n' "$package" "$(dpkg-deb -f "$deb" Version)"
done >"$work/stamp"
fold "$work/root"
rm -rf "$root" "$stamp"
mv "$work/root" "$root"
mv "$work/stamp" "$stamp"
rm -r "$work"
echo "openafs: $(awk '$1 == "openafs-fileserver" { print $2 }' "$stamp") is unpacked in $root"
