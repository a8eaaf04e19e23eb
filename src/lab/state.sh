# lab.json, and what `lab status` tells.
# shellcheck shell=bash

json_string() {
	local s=${1//\\/\\\\}
	s=${s//\"/\\\"}
	printf '"%s"' "${s//$'\t'/\\t}"
}

# json_list FUNCTION LINE…: a JSON array of what FUNCTION prints for each line.
json_list() {
	local function=$1 comma='' line
	shift
	printf '['
	for line; do
		printf '%s\n    ' "$comma"
		# shellcheck disable=SC2086 # a line is words
		"$function" $line
		comma=,
	done
	printf ']'
}

json_interface() {
	printf '{"name": "%s", "link": "%s", "address": "%s", "mtu": %d, "rate": %d}' \
		"$1" "$2" "$3" "$4" "$5"
}

json_host() {
	local lines
	mapfile -t lines <"$LAB_STATE/hosts/$1/interfaces"
	printf '{"name": "%s", "netns": "%s", "holder": %d, "confdir": %s,\n     "interfaces": ' \
		"$1" "$(netns "$1")" "$(host_pid "$1")" "$(json_string "$LAB_STATE/conf/$1")"
	json_list json_interface "${lines[@]}"
	printf '}'
}

json_server() {
	printf '{"name": "%s", "pid": %d, "command": %s}' "$1" \
		"$(recorded_pid "$LAB_SERVER_DIR/$1.pid" || echo 0)" \
		"$(json_string "$(cat "$LAB_SERVER_DIR/$1.found" 2>/dev/null)")"
}

# state_write: rewrites lab.json; rate is bits a second, 0 where nothing limits it.
state_write() {
	local hosts servers client
	mapfile -t hosts < <(lab_hosts)
	mapfile -t servers < <(server_names)
	read -r client _ <"$LAB_STATE/clients"
	{
		printf '{\n  "schema": "cellbench-lab-1",\n'
		printf '  "cell": "%s",\n  "volume": "%s",\n  "path": "%s",\n' \
			"$LAB_CELL" "$LAB_VOLUME" "$LAB_PATH"
		printf '  "vicep_fs": "%s",\n' "$(cat "$LAB_STATE/vicep-fs" 2>/dev/null || echo tmpfs)"
		printf '  "confdir": %s,\n' "$(json_string "$LAB_STATE/conf/$client")"
		printf '  "hosts": %s,\n' "$(json_list json_host "${hosts[@]}")"
		printf '  "servers": %s\n}\n' "$(json_list json_server "${servers[@]}")"
	} >"$LAB_STATE/lab.json.new"
	mv "$LAB_STATE/lab.json.new" "$LAB_STATE/lab.json"
}

status_host() {
	local pid state=up
	pid=$(host_pid "$1") || { pid=- state=dead; }
	printf '%-10s %-5s pid %-8s' "$1" "$state" "$pid"
	awk '{ printf "  %s %s mtu %d %s%s", $1, $3, $4, $2,
		$5 ? sprintf(" %g Mb/s", $5 / 1e6) : "" }
		END { print "" }' "$LAB_STATE/hosts/$1/interfaces" 2>/dev/null || echo
	[ "$state" = up ]
}

status_server() {
	local pid
	if pid=$(recorded_pid "$LAB_SERVER_DIR/$1.pid"); then
		printf '%-10s %-5s pid %-8s  %s\n' "$1" up "$pid" "$(command_line "$pid")"
	else
		printf '%-10s dead\n' "$1"
		return 1
	fi
}

# lab_status [--json]: exit code 1 where the lab is down, half made or damaged.
lab_status() {
	local name code=0
	if [ "${1:-}" = --json ]; then
		[ -r "$LAB_STATE/lab.json" ] || die "no lab is up; cellbench lab up raises one"
		cat "$LAB_STATE/lab.json"
		return
	fi
	[ $# = 0 ] || usage_error "status knows no option $1"
	if [ ! -e "$LAB_STATE/hosts.list" ]; then
		echo "no lab is up"
		return "$EXIT_FINDINGS"
	fi
	while read -r name; do
		status_host "$name" || code=$EXIT_FINDINGS
	done < <(lab_hosts)
	while read -r name; do
		status_server "$name" || code=$EXIT_FINDINGS
	done < <(server_names)
	if [ ! -r "$LAB_STATE/lab.json" ]; then
		code=$EXIT_FINDINGS
	fi
	if [ "$code" = 0 ]; then
		echo "volume     $LAB_PATH"
	else
		echo "the lab is not whole; cellbench lab down clears it"
	fi
	return "$code"
}
