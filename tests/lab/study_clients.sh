# Several clients by MPI: a client that dies, a rank that dies; the others' results.
. "$TESTLIB"
if ! command -v mpirun >/dev/null || ! "$CELLBENCH" --version | grep -q MPI$; then
	skip "ranks" "built without MPI, or no mpirun"
	exit
fi
mkdir -p "$SCRATCH/work"

# ranks NAME: three clients that take some seconds, in the background
ranks() {
	mpirun --allow-run-as-root --oversubscribe --enable-recovery -n 3 "$CELLBENCH" clients \
		-o "$SCRATCH/$1" -- --engine null --workload bulk --size 8M --cache cold \
		--null-delay write=20ms "$SCRATCH/work" >"$SCRATCH/$1.log" 2>&1 &
	mpirun=$!
}

# until_runs NAME: all ranks are in their first phase
until_runs() {
	local i
	for ((i = 0; i < 200; i++)); do
		[ "$(find "$SCRATCH/$1" -name run.json 2>/dev/null | wc -l)" -lt 3 ] || break
		sleep 0.05
	done
	sleep 0.7
}

# pid_of PATTERN…: the process whose command line has all of these
pid_of() {
	local pid line pattern
	for pid in $(pgrep -f "$SCRATCH"); do
		line=$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null) || continue
		for pattern; do
			[[ $line == $pattern ]] || continue 2
		done
		echo "$pid"
	done
}

ranks whole
wait $mpirun
is "all are well" true "$(jq '.whole and (.problems | length == 0)' "$SCRATCH/whole/clients.json")"
is "three clients a phase" 3 "$(jq '.phases[0].ranks' "$SCRATCH/whole/clients.json")"
is "fair, as they are alike" true "$(jq '.phases[0].jain > 0.95' "$SCRATCH/whole/clients.json")"
is "latencies are those of all clients" true "$(jq '.phases[0].latency.count
	== ([.ranks[].phases[0].latency.count] | add)' "$SCRATCH/whole/clients.json")"
is "the phases began together" true \
	"$(jq '[.marks[].name] == ["cold/bulk-write", "cold/bulk-read"]' "$SCRATCH/whole/clients.json")"

ranks client
until_runs client
kill -KILL "$(pid_of "$CELLBENCH run *" "*rank1*")"
wait $mpirun || :
has "a client that dies is named" "rank 1" "$(jq -r '.problems[0]' "$SCRATCH/client/clients.json")"
has "with the phase" "killed by signal 9 in cold/bulk-write" \
	"$(jq -r '.problems[0]' "$SCRATCH/client/clients.json")"
is "the others' results are kept" "2 2" \
	"$(jq -r '[.phases[].ranks] | join(" ")' "$SCRATCH/client/clients.json")"

ranks rank
until_runs rank
victim=$(pid_of "$CELLBENCH clients *" | sed -n 2p)
kill -KILL "$victim"
wait $mpirun || :
has "a rank that dies is named" "no sign of life, last in cold/bulk-write" \
	"$(jq -r '.problems[0]' "$SCRATCH/rank/clients.json")"
is "the others end all their phases" "2 2" \
	"$(jq -r '[.phases[].ranks] | join(" ")' "$SCRATCH/rank/clients.json")"
is "nothing is left running" "" "$(pgrep -f "$SCRATCH" || :)"
