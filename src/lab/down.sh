# Taking the lab down: all that is there, whatever state it was left in.
# shellcheck shell=bash

# our_netns: every namespace of this lab, also those that `up` had no time to note.
our_netns() {
	local path
	for path in "$LAB_NETNS/$LAB_PREFIX"*; do
		[ ! -e "$path" ] || basename "$path"
	done
}

# our_pids: the processes in the lab's network namespaces (nothing else can be there but
# what the lab started or `lab exec` did), and those that write to its logs: one that is
# just being started may not have reached its namespace.
our_pids() {
	local name
	for name in $(our_netns); do
		ip netns pids "$name" 2>/dev/null || :
	done
	find /proc/[0-9]*/fd/1 -maxdepth 0 -lname "$LAB_STATE/*" 2>/dev/null | cut -d/ -f3 || :
}

no_pids() {
	[ -z "$(our_pids)" ]
}

# up_end: an `up` that is at work must not go on making what we take away.
up_end() {
	local pid
	pid=$(recorded_pid "$LAB_STATE/up.pid") || return 0
	[ "$pid" != $$ ] || return 0
	stop_recorded "$LAB_STATE/up.pid" TERM 30
}

processes_end() {
	local pids signal
	for signal in TERM KILL; do
		pids=$(our_pids)
		[ -n "$pids" ] || return 0
		# shellcheck disable=SC2086 # a list
		kill "-$signal" $pids 2>/dev/null || :
		local deadline=$((${EPOCHREALTIME/[.,]/} + 3000000))
		until no_pids || ((${EPOCHREALTIME/[.,]/} > deadline)); do
			sleep 0.02
		done
	done
	no_pids || die "processes that could not be ended are left in the lab: $(our_pids | xargs)"
}

state_remove() {
	local deadline=$((${EPOCHREALTIME/[.,]/} + 5000000))
	while mountpoint -q "$LAB_STATE"; do
		! umount "$LAB_STATE" 2>/dev/null || continue
		((${EPOCHREALTIME/[.,]/} < deadline)) ||
			die "$LAB_STATE is in use, so it stays mounted; end what has a file open there and run lab down again"
		sleep 0.05
	done
	[ ! -d "$LAB_STATE" ] || rmdir "$LAB_STATE" 2>/dev/null ||
		die "$LAB_STATE holds files that are no lab's; name another folder in CELLBENCH_LAB"
	[ "$LAB_STATE" != "$LAB_DEFAULT_STATE" ] || rmdir "$(dirname "$LAB_STATE")" 2>/dev/null || :
}

# netns_folder_remove: ip netns makes its folder a mount; if it was not one before and
# nobody else has a namespace there, it goes too.
netns_folder_remove() {
	[ -n "$1" ] && [ -z "$(ls -A "$LAB_NETNS" 2>/dev/null)" ] || return 0
	umount "$LAB_NETNS" 2>/dev/null && rmdir "$LAB_NETNS" || :
}

lab_down() {
	local name made_netns_folder=''
	need_root
	name=$(ip netns identify $$)
	[[ -z $name || $name != "$LAB_PREFIX"* ]] ||
		die "the lab cannot be taken down from inside its own host ${name#"$LAB_PREFIX"}"
	if [ ! -d "$LAB_STATE" ] && [ -z "$(our_netns)" ]; then
		say "no lab is up"
		return
	fi
	up_end
	[ ! -e "$LAB_STATE/made-netns-folder" ] || made_netns_folder=yes
	# TERM does not end a file server; QUIT does, at once.
	server_stop fileserver
	processes_end
	for name in $(our_netns); do
		ip netns del "$name" 2>/dev/null || [ ! -e "$LAB_NETNS/$name" ] ||
			die "the network namespace $name could not be deleted"
	done
	vicep_detach
	state_remove
	netns_folder_remove "$made_netns_folder"
	say "the lab is down"
}
