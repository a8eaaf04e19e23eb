# Raising the lab, and restarting its servers with other options.
# shellcheck shell=bash

# options_parse ALLOWED OPTION…: sets LAB_* from the command line.
options_parse() {
	local allowed=$1 option
	shift
	LAB_CLIENTS=1 LAB_SHAPING=yes LAB_FILESERVER_OPTIONS='' LAB_VOLSERVER_OPTIONS=''
	LAB_VICEP_FS=tmpfs
	while [ $# -gt 0 ]; do
		option=$1
		shift
		case $option in
		*=*)
			set -- "${option#*=}" "$@"
			option=${option%%=*}
			;;
		--no-shaping) ;;
		*) [ $# -gt 0 ] || usage_error "$option needs a value, or is no option" ;;
		esac
		[[ " $allowed " == *" $option "* ]] || usage_error "there is no option $option"
		case $option in
		--no-shaping)
			LAB_SHAPING=
			continue
			;;
		--clients)
			[[ $1 =~ ^[1-9][0-9]?$ ]] || usage_error "--clients takes a number from 1 to 99"
			LAB_CLIENTS=$1
			;;
		--vicep-fs)
			vicep_check "$1"
			LAB_VICEP_FS=$1
			;;
		--fileserver-options) LAB_FILESERVER_OPTIONS=$1 ;;
		--volserver-options) LAB_VOLSERVER_OPTIONS=$1 ;;
		esac
		shift
	done
}

# state_claim: the folder, on a tmpfs of its own, is the lab's lock.
state_claim() {
	if [ -e "$LAB_STATE" ] || [ -n "$(our_netns)" ]; then
		if recorded_pid "$LAB_STATE/up.pid" >/dev/null; then
			die "another lab up is at work on $LAB_STATE"
		elif lab_status >/dev/null; then
			die "a lab is up already; cellbench lab down takes it down"
		fi
		say "clearing what an earlier lab left"
		lab_down
	fi
	mkdir -p "$(dirname "$LAB_STATE")"
	mkdir "$LAB_STATE" || die "$LAB_STATE is there already"
	trap 'up_failed $?' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	mount -t tmpfs -o mode=755 cellbench-lab "$LAB_STATE" ||
		die "mounts are refused on this machine, and the lab is made of them"
	record_pid "$LAB_STATE/up.pid" $$
	mountpoint -q "$LAB_NETNS" || : >"$LAB_STATE/made-netns-folder"
}

up_failed() {
	local code=$1
	trap - EXIT
	trap '' INT TERM HUP
	# The signal may have come inside a loop that reads one of the lab's files.
	exec </dev/null >&2
	say "taking down what was made"
	(lab_down) || :
	exit "$code"
}

# clients_plan: the lines "host, link, its address, the server's address" of all clients.
clients_plan() {
	local link number name network
	for link in "${LAB_LINKS[@]}"; do
		network=${LINK_NETWORK[$link]}
		for ((number = 1; number <= LAB_CLIENTS; number++)); do
			name=${LINK_CLIENT[$link]}
			((number == 1)) || name+=$number
			echo "$name $link $network.$((LINK_CLIENT_BYTE[$link] + 2 * number - 2))" \
				"$network.1"
		done
	done
}

etc_hosts_write() {
	local host address
	echo "127.0.0.1 localhost"
	echo "$LAB_SERVER_ADDRESS server"
	while read -r host _ address _; do
		echo "$address $host"
	done <"$LAB_STATE/clients"
}

hosts_make() {
	local host link address server
	clients_plan >"$LAB_STATE/clients"
	etc_hosts_write >"$LAB_STATE/etc-hosts"
	conf_write server "$LAB_SERVER_ADDRESS"
	host_add server
	while read -r host link address server; do
		conf_write "$host" "$server"
		host_add "$host"
	done <"$LAB_STATE/clients"
	while read -r host; do
		host_wait "$host"
	done < <(lab_hosts)
}

links_make() {
	local host link address server
	switch_add
	for link in "${LAB_LINKS[@]}"; do
		interface_add server "$link" "${LINK_NETWORK[$link]}.1"
	done
	# The server is the way between its links, as a multi-homed host may be.
	in_net server sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
	while read -r host link address server; do
		interface_add "$host" "$link" "$address"
		ip -n "$(netns "$host")" route add default via "$server"
	done <"$LAB_STATE/clients"
}

lab_up() {
	options_parse "--clients --vicep-fs --no-shaping --fileserver-options --volserver-options" "$@"
	need_root
	need_tools
	openafs_root >/dev/null
	state_claim
	say "hosts: server and $LAB_CLIENTS on each link"
	vicep_make "$LAB_VICEP_FS"
	hosts_make
	say "links: ${LAB_LINKS[*]}"
	links_make
	say "cell $LAB_CELL: its servers"
	cell_start "$LAB_FILESERVER_OPTIONS" "$LAB_VOLSERVER_OPTIONS"
	say "volumes"
	volumes_make
	clients_wait
	state_write
	rm -f "$LAB_STATE/up.pid"
	trap - EXIT INT TERM HUP
	say "the lab is up: $(<"$LAB_SERVER_DIR/fileserver.found")"
}

lab_restart() {
	options_parse "--fileserver-options --volserver-options" "$@"
	need_root
	lab_status >/dev/null || [ -r "$LAB_STATE/lab.json" ] ||
		die "no lab is up; cellbench lab up raises one"
	trap state_write EXIT
	server_stop volserver
	server_stop fileserver
	servers_begin "$LAB_FILESERVER_OPTIONS" "$LAB_VOLSERVER_OPTIONS"
	wait_until 30 "volume $LAB_VOLUME on line" volume_online "$LAB_VOLUME"
	clients_wait
	say "restarted: $(<"$LAB_SERVER_DIR/fileserver.found")"
}
