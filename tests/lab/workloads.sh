# The workloads in the real cell, and what a killed run leaves there.
. "$TESTLIB"
need_lab

run() { # NAME OPTION…
	local name=$1
	shift
	on ether "$CELLBENCH" run --volume bench --quiet --min-time 0s --output "$SCRATCH/$name" "$@"
}
of() { # NAME FILTER: of the record
	jq -r "$2" "$SCRATCH/$1/run.json"
}

is "file phases and four seekers" 0 \
	"$(code run files --size 512K --seeks 40 --seekers 4 -n 0.05:2000:10:2 --cache cold)"
is "their phases" 12 "$(of files '.phases | length')"
is "all files were seen" "51 51" \
	"$(of files '[.phases[] | select(.name | endswith("stat")) | .operations] | map(tostring) | join(" ")')"
is "latencies are there" 12 "$(of files '[.phases[] | select(.latency.p99_ns >= .latency.p50_ns)] | length')"
is "a cold phase is proven so" true "$(of files '.phases[] | select(.name == "block-input") | .cold.proven')"

is "a tree" 0 "$(code run tree -w tree --tree-files 30)"
is "its steps, cold and warm" 8 "$(of tree '[.phases[] | select(.operations == 30)] | length')"
is "mixed" 0 "$(code run mixed -w mixed --size 1M --mixed-files 8 --request-size 16K --operations 40 --rate 100)"
is "from intended starts" "intended start" "$(of mixed '.phases[] | select(.name == "mixed") | .latency.from' | uniq)"
is "bulk, flushed file by file" 0 "$(code run bulk -w bulk --size 1M --cold flush --cache cold,warm)"
is "cold by flush" "flush true" \
	"$(of bulk '.phases[] | select(.cache == "cold" and .name == "bulk-read") | "\(.cold.means) \(.cold.proven)"')"
is "warm: all was read once before" "1048576 true" \
	"$(of bulk '.phases[] | select(.cache == "warm" and .name == "bulk-read") | "\(.warm.bytes) \(.warm.proven)"')"
is "commands need a mount" 2 "$(code run no -w command --step 'a=true')"
has "and are told so" "needs a mounted folder" "$(said)"

run killed -w tree --tree-files 300 >/dev/null 2>&1 &
starter=$!
for ((i = 0; i < 300; i++)); do
	[ "$(of killed '.phases | length' 2>/dev/null || echo 0)" -lt 1 ] || break
	sleep 0.1
done
is "a live run is not cleaned" 2 "$(code on ether "$CELLBENCH" clean "$SCRATCH/killed")"
mapfile -t victims < <(pgrep -f -- "--output $SCRATCH/killed ")
kill -KILL "${victims[@]}"
wait "$starter" 2>/dev/null || :
is "it was under way" running "$(of killed .status)"
is "what a killed run left can be removed" 0 "$(code on ether "$CELLBENCH" clean "$SCRATCH/killed")"
has "and then nothing is left" "left nothing" "$(on ether "$CELLBENCH" clean "$SCRATCH/killed")"
check "its finished phases stay" jq -e '.phases | length >= 1' "$SCRATCH/killed/run.json"
is "its cache is gone" "" "$(ls "$SCRATCH/killed" | grep afs- || :)"
