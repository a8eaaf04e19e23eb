# The cell: configuration, databases, partition, volumes.
# shellcheck shell=bash

LAB_SERVER_ADDRESS=10.77.1.1

on_server() {
	host_run server "$@"
}

# conf_write HOST ADDRESS: the /etc/openafs of HOST, which finds the databases at
# ADDRESS (the server's address on the host's own link).
conf_write() {
	local dir=$LAB_STATE/conf/$1
	mkdir -p "$dir"
	echo "$LAB_CELL" >"$dir/ThisCell"
	printf '>%s\t#cellbench lab\n%s\t#server\n' "$LAB_CELL" "$2" >"$dir/CellServDB"
}

cell_configure() {
	on_server cp /etc/openafs/ThisCell /etc/openafs/CellServDB /etc/openafs/server/
	# A DES key of no worth is enough for -localauth inside the lab.
	on_server asetkey add 0 0123456789abcdef ||
		die "the cell's key could not be made"
}

database_ready() {
	on_server udebug "$LAB_SERVER_ADDRESS" "$1" | grep -q '^Recovery state 1\?f'
}

partition_ready() {
	on_server vos partinfo server -noauth | grep -q '/vicepa'
}

fileserver_registered() {
	[ "$(on_server vos listaddrs -noauth | grep -c .)" -ge 1 ]
}

# servers_begin "FILESERVER OPTIONS" "VOLSERVER OPTIONS"
servers_begin() {
	# shellcheck disable=SC2086 # options are words
	server_start fileserver $1
	# shellcheck disable=SC2086
	server_start volserver $2
	server_verify fileserver
	server_verify volserver
	wait_until 60 "the partition /vicepa" partition_ready
}

cell_start() {
	cell_configure
	server_start ptserver
	server_start vlserver
	server_verify ptserver
	server_verify vlserver
	wait_until 60 "the protection database" database_ready 7002
	wait_until 60 "the volume location database" database_ready 7003
	servers_begin "$1" "$2"
	wait_until 30 "the file server's entry in the volume location database" \
		fileserver_registered
}

# volume_pattern FILE: writes a volume dump in which anyone has all rights.  A fresh
# volume's root has one entry in its access list, group -204 (administrators), rights
# 7f; there is nobody to log in as, so -204 becomes -101 (anyuser).
volume_pattern() {
	local fresh=$LAB_STATE/fresh.dump
	on_server vos create server a root.afs -maxquota 0 -localauth >/dev/null ||
		die "the volume root.afs could not be made"
	on_server vos dump root.afs -file "$fresh" -localauth >/dev/null 2>&1 ||
		die "the volume root.afs could not be dumped"
	LC_ALL=C sed 's/\xff\xff\xff\x34\x00\x00\x00\x7f/\xff\xff\xff\x9b\x00\x00\x00\x7f/' \
		"$fresh" >"$1"
	[ "$(cmp -l "$fresh" "$1" | wc -l)" = 1 ] ||
		die "the access list in a fresh volume is not where it was in OpenAFS 1.8.9"
}

volume_restore() {
	on_server vos restore server a "$@" -localauth >/dev/null 2>&1 ||
		die "the volume $1 could not be made"
}

volume_online() {
	on_server vos examine "$1" -noauth | grep -q 'On-line'
}

volumes_make() {
	local dump=$LAB_STATE/open.dump volume
	volume_pattern "$dump"
	volume_restore root.afs -file "$dump" -overwrite full
	for volume in root.cell "$LAB_VOLUME"; do
		volume_restore "$volume" -file "$dump"
	done
	for volume in root.afs root.cell "$LAB_VOLUME"; do
		wait_until 10 "volume $volume on line" volume_online "$volume"
	done
}

fileserver_answers() {
	host_run "$1" rxdebug "$2" 7000 -version | grep -q 'version'
}

# clients_wait: every client reaches the file server at the address of its own link.
clients_wait() {
	local host address
	while read -r host _ _ address; do
		wait_until 10 "an answer of the file server to host $host" \
			fileserver_answers "$host" "$address" </dev/null
	done <"$LAB_STATE/clients"
}
