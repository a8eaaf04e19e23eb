#!/bin/bash
# Makes the captures of this folder anew in the lab: Bonnie's phases on a small
# file, cold, captured on both interfaces of the file server.
#   sudo captures/make.sh [NAME…]      all, or just these
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=${BIN:-$here/../build/bin}
export CELLBENCH_LAB=/run/cellbench/captures
work=$(mktemp -d)

finish() {
	"$bin/cellbench" lab down || :
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

# capture NAME CLIENT: one run, its capture kept as NAME.pcapng
capture() {
	local name=$1 client=$2
	"$bin/cellbench" lab exec "$client" "$bin/cellbench" run --volume bench \
		--size 256K --chunk-size 64K --seeks 20 --seed 1 --cache cold --quiet \
		--probe eth0,atm0 --probe-via "$bin/cellbench lab exec server" \
		--probe-options '-s 192' --output "$work/$name" >"$work/$name.log"
	cp "$work/$name/capture.pcapng" "$here/$name.pcapng"
	echo "captures/$name.pcapng: $(wc -c <"$here/$name.pcapng") bytes"
}

# netinfo ADDRESS…: the server registers only these addresses; none: all
netinfo() {
	"$bin/cellbench" lab exec server bash -c \
		'printf "%s\n" "$@" >/var/lib/openafs/local/NetInfo' - "$@"
	"$bin/cellbench" lab restart
}

wanted() {
	local name
	[ ${#names[@]} -gt 0 ] || return 0
	for name in "${names[@]}"; do [ "$name" != "$1" ] || return 0; done
	return 1
}

names=("$@")
"$bin/cellbench" lab up
! wanted default-ether || capture default-ether ether
! wanted default-atm || capture default-atm atm
"$bin/cellbench" lab restart --fileserver-options -jumbo
! wanted jumbo-ether || capture jumbo-ether ether
"$bin/cellbench" lab restart
netinfo 10.77.1.1
! wanted other-address-atm || capture other-address-atm atm
