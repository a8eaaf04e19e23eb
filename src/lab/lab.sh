#!/bin/bash
# cellbench lab: a real OpenAFS cell on this machine, in namespaces.
set -euo pipefail
shopt -s inherit_errexit
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
for part in host link vicep server cell state down up mount; do
	# shellcheck source=/dev/null
	. "$LAB_HERE/$part.sh"
done

usage() {
	cat <<'TEXT'
Usage: cellbench lab COMMAND

A real OpenAFS cell on this machine: a file server on two links, Ethernet (eth0, MTU
1500, 100 Mb/s) and ATM (atm0, MTU 9180, OC-3c by cells), and clients on each. Needs
root; nothing is installed.

  up [OPTION…]         raise the lab
    --clients N                clients on each link (1): ether, ether2…, atm, atm2…
    --fileserver-options "…"   for example "-jumbo"
    --volserver-options "…"
    --vicep-fs KIND            the server's partition: tmpfs, or ext4, xfs, btrfs on a
                               loop device (tmpfs)
    --no-shaping               links as fast as the machine
  restart [OPTION…]    file and volume server again, with other options (the same two)
  exec HOST COMMAND…   run a command on a host: server, ether, atm
  mount HOST [WORD…]   mount /afs there by afsd.fuse (WORDs are more options for it) with
                       an empty cache; if it is mounted, the client is started again
  umount HOST          unmount it
  status [--json]      what runs, with the options that were found to be in force
  down                 take it down; also clears what a killed lab left

The state is kept below /run/cellbench/lab; CELLBENCH_LAB names another folder, so that
two labs can stand side by side. Exit codes: 0 ok, 1 the lab is not whole (status),
2 usage, 3 environment; exec gives the command's own.
TEXT
}

state_name_check
command=${1:-}
[ $# = 0 ] || shift
case $command in
up) lab_up "$@" ;;
down)
	[ $# = 0 ] || usage_error "down takes no argument"
	lab_down
	;;
restart) lab_restart "$@" ;;
exec) host_exec "$@" ;;
mount) lab_mount "$@" ;;
umount) lab_umount "$@" ;;
status) lab_status "$@" ;;
-h | --help | help) usage ;;
'') usage_error "a command is missing: up, down, restart, exec, mount, umount or status" ;;
*) usage_error "there is no command $command" ;;
esac
