# cellbench run in the real cell: what the record says, and what goes wrong well.
. "$TESTLIB"
need_lab

run() {
	on ether "$CELLBENCH" run --volume bench --size 512K --seeks 20 --quiet "$@"
}

is "cold and warm" 0 "$(code run --cache cold,warm --output "$SCRATCH/a")"
is "twelve phases" 12 "$(jq '.phases | length' "$SCRATCH/a/run.json")"
is "all are proven cold and warm, those that write too" 12 \
	"$(jq '[.phases[] | select(.cold.proven or .warm.proven)] | length' "$SCRATCH/a/run.json")"
is "complete" complete "$(jq -r .status "$SCRATCH/a/run.json")"
has "Bonnie's table" "Cache MB K/sec %CPU" "$(cat "$SCRATCH/a/report.txt")"
has "the server's options are in the record" "-udpsize 2097152" "$(cat "$SCRATCH/a/run.json")"
is "nothing stays in the volume" "" "$(on ether "$CELLBENCH" run --volume bench --size 64K --seeks 1 --cache cold --output "$SCRATCH/b" 2>/dev/null >/dev/null; on server ls /vicepa | grep -v -e '^AFSIDat$' -e '^V0' -e '^Lock' -e '^lost' -e '^\.' || :)"

is "an unknown volume" 3 "$(code on ether "$CELLBENCH" run --volume nosuchvolume --size 64K --output "$SCRATCH/c")"
has "is named" nosuchvolume "$(said)"
is "an unknown interface for the probe" 3 \
	"$(code run --cache cold --probe nosuch0 --probe-via "$CELLBENCH lab exec server" --output "$SCRATCH/d")"
has "is named, too" nosuch0 "$(said)"

# Killed in the middle: the finished phases stay readable.  (Not through a function: its
# subshell would be what the signal hits, and the run would go on into the next test.)
"${LAB[@]}" exec ether "$CELLBENCH" run --volume bench --size 16M --cache cold --quiet --output "$SCRATCH/k" \
	>/dev/null 2>&1 &
victim=$!
for ((i = 0; i < 300; i++)); do
	[ "$(jq '.phases | length' "$SCRATCH/k/run.json" 2>/dev/null || echo 0)" -lt 2 ] || break
	sleep 0.1
done
kill -KILL "$victim"
wait "$victim" 2>/dev/null || :
is "killed: it is gone" "" "$(pgrep -f -- "--output $SCRATCH/k" || :)"
check "killed: run.json is whole" jq -e '.phases | length >= 2' "$SCRATCH/k/run.json"
has "killed: show tells the finished phases" cold/block-output \
	"$("$CELLBENCH" show "$SCRATCH/k" 2>/dev/null || :)"
