# Raising and taking down: what is there, and that nothing stays.
# alone: compares what is on the machine before and after
. "$TESTLIB"
own_lab

is "status without a lab" 1 "$(code lab status)"
traces >"$SCRATCH/before"
lab up --clients 2
is "status of a whole lab" 0 "$(code lab status)"
is "a second lab is refused" 3 "$(code lab up)"
has "and told why" "a lab is up already" "$(said)"
is "hosts" "server ether ether2 atm atm2" "$(xargs <"$CELLBENCH_LAB/hosts.list")"
is "addresses of the server" "10.77.1.1/24 10.77.2.1/24" \
	"$(on server ip -br -4 address show scope global | awk '{ print $3 }' | xargs)"
is "MTU of the ATM link" 9180 "$(on atm2 cat /sys/class/net/atm0/mtu)"
lab status --json >"$SCRATCH/lab.json"
has "lab.json tells the link" '"link": "atm-llc", "address": "10.77.2.14", "mtu": 9180, "rate": 149760000' \
	"$(cat "$SCRATCH/lab.json")"
if command -v python3 >/dev/null; then
	check "lab.json is JSON" python3 -m json.tool "$SCRATCH/lab.json"
else
	skip "lab.json is JSON" "python3 is not there"
fi
check "the links are joined by the server" on ether rxdebug 10.77.2.1 7000 -version
mapfile -t pids < <(lab_pids)
on ether sleep 1000 &
lab down
is "processes left" "" "$(alive "${pids[@]}" $!)"
traces >"$SCRATCH/after"
is "traces left" "" "$(diff "$SCRATCH/before" "$SCRATCH/after" || :)"
is "down again" 0 "$(code lab down)"
