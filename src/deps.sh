#!/bin/bash
# Names the Debian packages that are missing and installs them (root).
# DEPS=skip names them only.  Arguments: groups of the table (by default build, lab
# and report; report-tests brings a browser).
set -euo pipefail

# group, package, what it is for
table="
build gcc                  compiler
build libc6-dev            C library
build make                 make
build pkg-config           finds the libraries
build libjansson-dev       JSON: results and reports
build libpcap-dev          live capture and capture filters
build libnl-3-dev          netlink: interfaces
build libnl-route-3-dev    netlink: addresses and routes
build libarchive-dev       compressed captures
build libcap-ng-dev        the probe gives up its privileges
build libseccomp-dev       a reader of hostile captures has few system calls
build libncurses-dev        netprobe's live screen
build libinih-dev          job files
build libcmocka-dev        unit tests
build mandoc               the tests check the manual pages
mpi   libopenmpi-dev       several clients at once
mpi   openmpi-bin          mpirun
fs    xfsprogs             lab up --vicep-fs xfs
fs    btrfs-progs          lab up --vicep-fs btrfs
lab   iproute2             namespaces, links, shaping
lab   nftables             faults on links
lab   ethtool              offloads off, so that captures are true
lab   util-linux           unshare and nsenter
lab   procps               process tools
lab   jq                   the tests look into JSON reports
lab   libkrb5-3            OpenAFS' asetkey
lab   libcrypt1            OpenAFS' servers
lab   libcom-err2          OpenAFS' servers
report libjs-chart.js      recommended: plots of the HTML report
report-tests chromium      the tests look at the HTML report
report-tests nodejs        they tell chromium what to do
report-tests fonts-dejavu-core  letters in its screenshots
"

missing() {
	local group package use
	while read -r group package use; do
		[[ -n $group && " $groups " == *" $group "* ]] || continue
		case $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null) in
		?i*) ;;
		*) printf '%s\t%s\n' "$package" "$use" ;;
		esac
	done <<<"$table"
}

groups=${*:-build lab report}
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "deps: not a Debian system; the programs need, by their Debian names:" \
		"$(awk 'NF { print $2 }' <<<"$table" | xargs)" >&2
	exit 0
fi
list=$(missing)
[ -n "$list" ] || exit 0
echo "deps: missing packages:"
while IFS=$'\t' read -r package use; do
	printf '  %-20s %s\n' "$package" "$use"
done <<<"$list"
packages=$(cut -f1 <<<"$list" | xargs)
if [ "${DEPS:-}" = skip ]; then
	echo "deps: not installed (DEPS=skip)"
	exit 0
fi
if [ "$(id -u)" != 0 ]; then
	echo "deps: installing needs root; run: sudo apt-get install --no-install-recommends $packages" >&2
	exit 3
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive

install() {
	# shellcheck disable=SC2086 # a list
	apt-get install -q -y --no-install-recommends $packages </dev/null >"$log" 2>&1
}

lists=(/var/lib/apt/lists/*Packages*)
if ! { [ -e "${lists[0]}" ] && install; }; then
	# Lists that are missing or older than the mirror.
	echo "deps: apt-get update"
	apt-get update -q >"$log" 2>&1 && install || {
		grep -E '^(E|Err)' "$log" >&2 || tail -n 5 "$log" >&2
		echo "deps: the packages could not be installed; try: sudo apt-get install $packages" >&2
		exit 3
	}
fi
echo "deps: installed"
