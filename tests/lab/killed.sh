# A lab that was interrupted or killed, at whatever moment, can be cleared.
# alone: compares what is on the machine before and after
. "$TESTLIB"
own_lab

# up_signal SIGNAL SECONDS: raises a lab and sends the signal after so long.
up_signal() {
	local pid code=0
	"${LAB[@]}" up &
	pid=$!
	sleep "$2"
	kill "-$1" "$pid"
	wait "$pid" 2>/dev/null || code=$?
	echo "$code"
}

traces >"$SCRATCH/before"
for seconds in 0.05 0.2 1 4; do
	is "TERM after $seconds s: exit code" 143 "$(up_signal TERM "$seconds")"
	is "TERM after $seconds s: traces left" "" "$(traces | diff "$SCRATCH/before" - || :)"
done
for seconds in 0.05 0.2 1 4; do
	up_signal KILL "$seconds" >/dev/null
	lab down
	is "KILL after $seconds s, then down: traces left" "" \
		"$(traces | diff "$SCRATCH/before" - || :)"
done

up_signal KILL 2 >/dev/null
lab up
is "up clears what a killed one left" 0 "$(code lab status)"
kill -KILL "$(cut -d' ' -f1 "$CELLBENCH_LAB/hosts/ether/holder")"
is "a dead host is told" 1 "$(code lab status)"
has "and its name" "ether      dead" "$(said)"
lab down
is "a damaged lab, then down: traces left" "" "$(traces | diff "$SCRATCH/before" - || :)"
