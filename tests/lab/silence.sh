# A cell that does not answer, and one whose large datagrams vanish: the user is told, a
# call that never comes back is given up, and what there is stays readable.
# long: waits for an answer that does not come, five times
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping

run() { # NAME OPTION…: for at most 100 s
	local name=$1
	shift
	timeout -k 5 100 "${LAB[@]}" exec ether "$CELLBENCH" run -w bulk --volume bench --size 256K \
		--min-time 0s --cache cold --output "$SCRATCH/$name" "$@"
}
of() { # NAME FILTER: of the record
	jq -r "$2" "$SCRATCH/$1/run.json"
}

# Nothing comes through: after five seconds it is said, unless asked to be quiet.
drop ether-eth0 "meta length > 0"
is "a dead cell: given up" 3 "$(code run dead --give-up 12s)"
has "after five seconds it is told" "waiting for cell cellbench.test (10.77.1.1): a call has not come back for " "$(said)"
has "and how long it will wait" "this run ends after 12 s (--give-up)" "$(said)"
has "why it ended" "gave up waiting for cell cellbench.test (10.77.1.1): a call has not come back for 1" "$(said)"
is "the record tells it" "failed 1" "$(of dead '"\(.status) \(.problems | length)"')"
is "quiet" 3 "$(code run quiet --quiet --give-up 8s)"
is "says only why it ended" 0 "$(grep -c 'cellbench: waiting' "$SCRATCH/said" || :)"

# The user wants to stop meanwhile.
run stopped --give-up 0s >"$SCRATCH/stopped.said" 2>&1 &
starter=$!
for ((i = 0; i < 300; i++)); do
	grep -q 'cellbench: waiting' "$SCRATCH/stopped.said" && break
	sleep 0.1
done
hung=$(pgrep -f -- "^$CELLBENCH run .*--output $SCRATCH/stopped " | head -n 1)
kill -TERM "$hung"
stopped=0
wait "$starter" || stopped=$?
is "a run that hangs can be interrupted" "3 interrupted" "$stopped $(of stopped .status)"
drop_nothing ether-eth0

# Small datagrams pass: the call stays alive and never ends.
drop ether-eth0 "ip length > 1000"
is "large ones vanish: given up" 3 "$(code run hole --quiet --give-up 10s)"
drop_nothing ether-eth0
has "in which phase, after how many bytes" "cold/bulk-write: 262144 bytes went through calls in 1" "$(said)"
has "that there was life" "a call has not come back for 1" "$(said)"
is "the record tells it too" "failed true" \
	"$(of hole '"\(.status) \(.problems[0] | startswith("cold/bulk-write: "))"')"
is "what was left can be removed" 0 "$(code on ether "$CELLBENCH" clean "$SCRATCH/hole")"
has "and then nothing is left" "left nothing" "$(on ether "$CELLBENCH" clean "$SCRATCH/hole")"
is "the cell works again, and is quiet about it" 0 "$(code run after)"
is "no notice" 0 "$(grep -c 'waiting for' "$SCRATCH/said" || :)"
drop ether-eth0 "meta length > 0"
timeout -k 1 12 "${LAB[@]}" exec ether "$CELLBENCH" clean "$SCRATCH/hole" >"$SCRATCH/said" 2>&1 || :
has "clean tells it as well" "waiting for cell cellbench.test" "$(said)"
drop_nothing ether-eth0
