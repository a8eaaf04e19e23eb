# Of the job mtu: gives the client the cell's key, and the volume a file to dump, of
# the size of the cell; "clean" takes both away again.
set -e
kept=${RUN_DIR%/*}/kept
on() {
	host=$1
	shift
	"$CELLBENCH" lab exec "$host" "$@"
}
if [ "${1:-}" = clean ]; then
	on "$CLIENT" rm -rf /etc/openafs/server/KeyFile
	[ ! -d "$kept" ] || on "$CLIENT" "$CELLBENCH" clean "$kept"
	rm -rf "$kept"
	exit
fi
on server cat /etc/openafs/server/KeyFile |
	on "$CLIENT" sh -c 'cat >/etc/openafs/server/KeyFile
		cp /etc/openafs/ThisCell /etc/openafs/CellServDB /etc/openafs/server/'
rm -rf "$kept"
# Reading as slowly as this, it is killed in its second phase, and its file stays.
# Not by on(): what is killed must be the run, not a shell around it.
"$CELLBENCH" lab exec "$CLIENT" "$CELLBENCH" run --volume bench --workload bulk --size "$SIZE" \
	--cache cold --cache-size 64M --rate 100 --min-time 1s --quiet --output "$kept" &
run=$!
tries=0
until grep -q bulk-write "$kept/run.json" 2>/dev/null; do
	sleep 0.2
	tries=$((tries + 1))
	[ $tries -lt 300 ]
done
kill -KILL $run
wait $run || :
