# CPU time of the driver, the machine and the file server, as the record of a run tells it.
. "$TESTLIB"
need_lab

run() { # NAME HOST OPTION…
	local name=$1 host=$2
	shift 2
	on "$host" "$CELLBENCH" run -w bulk --size 2M --min-time 200ms --quiet --output "$SCRATCH/$name" "$@"
}
of() { # NAME FILTER: of the record
	jq -r "$2" "$SCRATCH/$1/run.json"
}

# server_ticks: what the kernel says of the file server's process, user and system
server_ticks() {
	awk '{ print $14 + $15 }' "/proc/$(lab status --json | jq '.servers[] | select(.name == "fileserver") | .pid')/stat"
}

before=$(server_ticks)
is "cold and warm" 0 "$(code run afs ether --volume bench --cache cold,warm)"
after=$(server_ticks)
is "each phase knows all of it" true \
	"$(of afs '[.phases[].cpu | .driver_user_ns, .driver_system_ns, .machine_busy_ns, .machine_time_ns, .server_ns] | all(type == "number")')"
is "user and system are the driver's time" true \
	"$(of afs '[.phases[] | .cpu.driver_user_ns + .cpu.driver_system_ns == .cpu_ns] | all')"
is "passes add up to the phase" true \
	"$(of afs '[.phases[] | ([.passes[].cpu.server_ns] | add) == .cpu.server_ns] | all')"
is "the server worked for what came from it" true \
	"$(of afs '[.phases[] | select(.cache == "cold" or .name == "bulk-write") | .cpu.server_ns > 0] | all')"
is "and hardly for what did not" true \
	"$(of afs '[.phases[] | {(.cache + .name): .cpu.server_s_per_mib}] | add | .["warmbulk-read"] < .["coldbulk-read"] / 5')"
total=$(of afs '[.phases[].cpu.server_ns] | add / 1e7 | floor')
if [ "$total" -le $((after - before + 2)) ]; then
	ok "no more than the kernel counts for the whole run"
else
	not_ok "no more than the kernel counts for the whole run" "$total of $((after - before)) ticks"
fi
is "the machine's share is one" true \
	"$(of afs '[.phases[].cpu | .machine_busy_ns <= .machine_time_ns and .machine_busy_share >= 0 and .machine_busy_share <= 1] | all')"
has "the report has the server's column" "server s" "$(cat "$SCRATCH/afs/report.txt")"

mkdir "$SCRATCH/here"
is "a folder of the server's machine" 0 "$(code run posix server "$SCRATCH/here")"
is "has no server: null, not 0" "null null" \
	"$(of posix '[.phases[].cpu | .server_ns, .server_s_per_mib] | unique | map(tostring) | "\(.[0]) \(.[-1])"')"
has "null engine: the same" null "$(code run null ether --engine null /x >/dev/null; of null '.phases[0].cpu.server_ns')"

is "repeated" 0 "$(code run series ether --volume bench --cache cold --min-time 0s --repeat 3)"
is "a median of the server's cost, from three runs" "3 s/MiB true" \
	"$(jq -r '.phases[] | select(.name == "bulk-read") | .cpu | "\(.server.values | length) \(.unit) \(.server.median > 0 and .server.interval[0] <= .server.median)"' "$SCRATCH/series/summary.json")"
is "its ratio to one run" 0 "$(code "$CELLBENCH" compare --json "$SCRATCH/series" "$SCRATCH/afs")"
is "is told with an interval" "true true" \
	"$(jq -r '.comparisons[0].phases[] | select(.a.phase == "bulk-read" and .b.cache == "cold") | .cpu.server | "\(.ratio > 0) \(.ratio_interval | length == 2)"' "$SCRATCH/said")"
