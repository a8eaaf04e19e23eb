# A study that is killed or interrupted goes on where it stopped; mistakes in jobs; the
# limit of time.  Where no network is needed, on a folder instead of the lab.
# alone: compares what is on the machine before and after
. "$TESTLIB"
own_lab

mkdir -p "$SCRATCH/work"
cat >"$SCRATCH/quick.ini" <<TEXT
[study]
lab = no
repeats = 2
[matrix]
link = here
size = 64K, 128K, 256K
workload = slow
[link here]
engine = null
dir = $SCRATCH/work
[workload slow]
workload = bulk
options = --null-delay write=300ms --request-size 64K
TEXT

study() {
	"$CELLBENCH" study "$SCRATCH/quick.ini" -o "$SCRATCH/s" "$@"
}

# begin: the same in the background; its process is $victim
begin() {
	"$CELLBENCH" study "$SCRATCH/quick.ini" -o "$SCRATCH/s" >/dev/null 2>&1 &
	victim=$!
}

finished() {
	jq '[.cells[].runs[] | select(.status == "done")] | length' "$SCRATCH/s/study.json" \
		2>/dev/null || echo 0
}

ids() {
	jq -r .id "$SCRATCH"/s/runs/*/r*/rank0/run.json | sort
}

# Killed in the middle of a run.
begin
for ((i = 0; i < 300; i++)); do
	[ "$(finished)" -lt 2 ] || break
	sleep 0.1
done
sleep 0.2
kill -KILL "$victim"
wait "$victim" 2>/dev/null || :
check "killed: study.json is whole" jq -e . "$SCRATCH/s/study.json"
cp "$SCRATCH/s/study.json" "$SCRATCH/before.json"
is "killed: some are left" true "$([ "$(finished)" -lt 6 ] && echo true)"
before=$(jq -r '.cells[] as $c | $c.runs | to_entries[] | select(.value.status == "done")
	| "\($c.dir)/r\(.key + 1)"' "$SCRATCH/before.json" |
	while read -r dir; do jq -r .id "$SCRATCH/s/$dir/rank0/run.json"; done | sort)
is "goes on" 0 "$(code study)"
is "then all six are there" 6 "$(finished)"
is "what was finished was not run again" "" "$(comm -23 <(echo "$before") <(ids))"
is "a finished study runs nothing" "$(ids)" "$(study >/dev/null 2>&1; ids)"
is "the result has all cells twice" "2 2 2" \
	"$(jq -r '[.cells[].phases[0].values | length] | join(" ")' "$SCRATCH/s/result.json")"
is "of another job it knows nothing" 2 "$(code study --set repeats=3)"
has "and says so" "another job" "$(said)"

rm -rf "$SCRATCH/s"
begin
sleep 1.5
kill -TERM "$victim"
stopped=0
wait "$victim" || stopped=$?
is "TERM: exit code" 4 "$stopped"
is "TERM: nothing runs any more" "" "$(pgrep -f "$SCRATCH/s/runs" || :)"
is "TERM: goes on" 0 "$(code study)"

rm -rf "$SCRATCH/s"
is "a limit leaves runs out" 4 "$(code study --limit 3s)"
has "and tells so" "left out" "$(said)"
has "by name" "run 2: beyond the limit" "$(cat "$SCRATCH/s/result.txt")"
is "without the limit it ends" 0 "$(code study)"

has "the plan" "6 runs to make" "$(study --dry-run -o "$SCRATCH/none" 2>&1)"
is "a mistake in a job" 2 "$(code "$CELLBENCH" study --dry-run <(printf '[matrix]\nsize = big\n'))"
printf '[study]\n\n[matrix]\nsizes = 1M\n' >"$SCRATCH/bad.ini"
is "an unknown axis" 2 "$(code "$CELLBENCH" study "$SCRATCH/bad.ini")"
has "names file, line and key" "$SCRATCH/bad.ini:4: sizes:" "$(said)"

# Interrupted in the lab, it takes the lab down.
traces >"$SCRATCH/before"
"$CELLBENCH" study "$TOP/doc/studies/clients.ini" -o "$SCRATCH/lab" --set clients=1 \
	--set link=ether --set size=1M >/dev/null 2>&1 &
victim=$!
for ((i = 0; i < 300; i++)); do
	[ ! -d "$SCRATCH/lab/runs" ] || break
	sleep 0.1
done
kill -TERM "$victim"
wait "$victim" || :
is "interrupted in the lab: nothing is left" "" "$(traces | diff "$SCRATCH/before" - || :)"

# Another's lab is left alone.
mkdir -p "$CELLBENCH_LAB"
is "a lab that is not its own" 3 "$(code "$CELLBENCH" study "$TOP/doc/studies/clients.ini" \
	-o "$SCRATCH/lab3" --set clients=1 --set link=ether --set size=256K)"
has "is left alone" "not this study's" "$(said)"
rmdir "$CELLBENCH_LAB"

# Killed there, it clears its own lab when it goes on.
"$CELLBENCH" study "$TOP/doc/studies/clients.ini" -o "$SCRATCH/lab2" --set clients=1 \
	--set link=ether --set size=256K --set repeats=2 >/dev/null 2>&1 &
victim=$!
for ((i = 0; i < 600; i++)); do
	[ ! -e "$SCRATCH/lab2/runs/001-ether/r2" ] || break
	sleep 0.1
done
kill -KILL "$victim"
wait "$victim" 2>/dev/null || :
is "killed in the lab: goes on" 0 "$(code "$CELLBENCH" study "$TOP/doc/studies/clients.ini" \
	-o "$SCRATCH/lab2" --set clients=1 --set link=ether --set size=256K --set repeats=2)"
is "and leaves nothing" "" "$(traces | diff "$SCRATCH/before" - || :)"
