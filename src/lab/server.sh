# The server's processes: started with options, verified, stopped by their own pid.
# shellcheck shell=bash

# name, UDP port, command and its usual options
LAB_SERVERS="
ptserver 7002 /usr/lib/openafs/ptserver
vlserver 7003 /usr/lib/openafs/vlserver
fileserver 7000 /usr/lib/openafs/fileserver -L -p 23 -b 600 -cb 64000 -udpsize 2097152
volserver 7005 /usr/lib/openafs/volserver
"
LAB_SERVER_DIR=$LAB_STATE/hosts/server/process

server_row() {
	awk -v name="$1" '$1 == name' <<<"$LAB_SERVERS"
}

server_names() {
	awk 'NF { print $1 }' <<<"$LAB_SERVERS"
}

# server_start NAME [OPTION…]: NAME's usual options come first.
server_start() {
	local name=$1 port command
	shift
	# shellcheck disable=SC2034
	read -r _ port command < <(server_row "$name")
	# shellcheck disable=SC2086 # the table's command is words
	set -- $command "$@"
	mkdir -p "$LAB_SERVER_DIR"
	printf '%s\n' "$*" >"$LAB_SERVER_DIR/$name.wanted"
	server_run "$name" "$@"
}

# server_run NAME COMMAND…: begins it in the background and records its pid.
server_run() {
	local name=$1
	shift
	(
		cd /
		exec setsid nsenter --target "$(host_pid server)" --mount --uts --net --wdns=/ "$@"
	) </dev/null >"$LAB_SERVER_DIR/$name.log" 2>&1 &
	record_pid "$LAB_SERVER_DIR/$name.pid" $! ||
		die "$name ended at once: $(tail -n 1 "$LAB_SERVER_DIR/$name.log")"
}

# port_pid PORT: the process that holds the UDP port on the server.
port_pid() {
	in_net server ss -Hlunp "sport = :$1" | grep -o 'pid=[0-9]*' | head -n 1 | cut -d= -f2
}

command_line() {
	tr '\0' ' ' <"/proc/$1/cmdline" | sed 's/ $//'
}

port_held_or_dead() {
	gone "$LAB_SERVER_DIR/$1.pid" || [ -n "$(port_pid "$2")" ]
}

# What it printed last, or wrote to its log.
server_last_words() {
	local words
	words=$(tail -n 1 "$LAB_SERVER_DIR/$1.log")
	[ -n "$words" ] || [ "$1" != fileserver ] ||
		words=$(host_run server tail -n 1 /var/log/openafs/FileLog 2>/dev/null) || :
	printf '%s\n' "${words:-without a word}"
}

# server_verify NAME: the process that holds the port must be the one that was
# started, with the command line that was asked for.  A file server on a used port
# ends with a bind error while the old one goes on answering.
server_verify() {
	local name=$1 port pid found wanted
	read -r _ port _ < <(server_row "$name")
	wanted=$(<"$LAB_SERVER_DIR/$name.wanted")
	wait_until 20 "$name on UDP port $port" port_held_or_dead "$name" "$port"
	pid=$(port_pid "$port") || :
	if [ -z "$pid" ]; then
		# Once in a hundred restarts on a busy machine a file server ends without
		# a word; the second one says whether it was the options.
		# shellcheck disable=SC2086 # the command is words
		server_run "$name" $wanted
		wait_until 20 "$name on UDP port $port" port_held_or_dead "$name" "$port"
		pid=$(port_pid "$port") || :
	fi
	[ -n "$pid" ] ||
		die "$name ended before it had UDP port $port: $(server_last_words "$name") (options: $wanted)"
	found=$(command_line "$pid")
	[ "$pid" = "$(recorded_pid "$LAB_SERVER_DIR/$name.pid")" ] ||
		die "UDP port $port is held by process $pid ($found), not by the $name that was just started ($wanted); stop that process"
	[ "$found" = "$wanted" ] ||
		die "$name runs with other options than asked for: $found instead of $wanted"
	printf '%s\n' "$found" >"$LAB_SERVER_DIR/$name.found"
}

# server_stop NAME: SIGQUIT is the clean stop of the file and volume servers.
server_stop() {
	stop_recorded "$LAB_SERVER_DIR/$1.pid" QUIT 20
	rm -f "$LAB_SERVER_DIR/$1".{pid,found}
}
