# A mounted /afs (afsd.fuse): cold by a restart of the client with an emptied cache, warm,
# both proven by what came; what does not reach such a client's cache is not called cold;
# and real programs at work there.
. "$TESTLIB"
need_lab
. "$TOP/tests/lab/support/mounted.sh"
mount_or_skip "a mounted /afs"
trap 'lab umount ether' EXIT
before=$(in_volume)

of() { # NAME FILTER: of the record
	jq -r "$2" "$SCRATCH/$1/run.json"
}

is "bonnie, cold by a restart, and warm" 0 "$(code run_mounted bonnie --size 2M --seeks 50 --per-char none \
	--cold command --cold-command "$restart" --cache cold,warm --probe eth0)"
is "what it was mounted as" "fuse AFS" "$(of bonnie '.engine.mount | "\(.type) \(.source)"')"
is "cold is proven" "block-input block-output random-seeks rewrite" \
	"$(of bonnie '[.phases[] | select(.cold.proven) | .name] | sort | join(" ")')"
is "by the bytes on the wire" "true true" "$(of bonnie '[.phases[] | select(.cache == "cold" and .reads_all)
	| (.cold.proof | capture("(?<n>[0-9]+) bytes of Rx data").n | tonumber) >= 2097152] | join(" ")')"
is "and by the host's counters" "true true" "$(of bonnie '[.phases[]
	| select(.cache == "cold" and .reads_all) | .received_bytes >= 2097152] | join(" ")')"
is "warm is proven" "block-input block-output random-seeks rewrite" \
	"$(of bonnie '[.phases[] | select(.warm.proven) | .name] | sort | join(" ")')"

is "a command that does nothing" 0 \
	"$(code run_mounted nothing -w bulk --size 2M --cold command --cold-command true --cache cold)"
is "is found out" false "$(of nothing '.phases[] | select(.name == "bulk-read") | .cold.proven')"
is "dropping pages" 0 "$(code run_mounted pages --size 1M --seeks 20 --per-char none --cache cold)"
is "is not called cold" "" "$(of pages '.phases[] | select(.cold.proven and .name != "block-output") | .name')"
has "for the client keeps data itself" "own cache is not reached" \
	"$(of pages '.phases[] | select(.name == "random-seeks") | .cold.proof')"
is "fs flushvolume" 0 "$(code run_mounted fs -w bulk --size 1M --cold fs --cache cold)"
has "which this client does not know" "it failed: exit code 1: Error flushing volume .: Function not implemented" \
	"$(of fs '.phases[] | select(.name == "bulk-read") | .cold.proof')"

"${LAB[@]}" exec ether sh -c "cd '$there' && exec sleep 60" &
sleeper=$!
for ((i = 0; i < 200; i++)); do
	[ "$(cat "/proc/$sleeper/comm" 2>/dev/null)" != sleep ] || break
	sleep 0.05
done
is "a mount in use" 3 "$(code lab mount ether)"
has "is left alone" "stays mounted" "$(said)"
kill "$sleeper"
wait "$sleeper" || :

example() { # NAME PROGRAM: doc/examples/NAME.ini, every step from an empty cache
	if ! command -v "$2" >/dev/null; then
		skip "$1.ini with real $2" "$2 is not installed"
		return
	fi
	is "$1.ini with real $2" 0 "$(code run_mounted "$1" --job "$TOP/doc/examples/$1.ini" --repeat 1 \
		--cache cold --cold command --cold-command "$restart")"
	is "$1.ini: no step failed" "" "$(of "$1" '.phases[] | select(.failure) | .name + ": " + .failure')"
	is "$1.ini: what it reads came over the network" true \
		"$(of "$1" '.phases[0] | .cold.proven and .received_bytes > 10000')"
}
example cvs cvs
example command git

is "nothing stays in the volume" "$before" "$(in_volume)"
