#!/bin/bash
# cellbench's phases against bare loops of the same system calls, and against bonnie++
# and fio where they are installed: on the same file system, in turn, in this run.
#   TOOLS=build/plain/tools CELLBENCH=build/bin/cellbench tests/bench/driver.sh
# BENCH_DIR (/dev/shm: the fastest file system shows the driver's own cost best),
# BENCH_SIZE (128 MiB) and BENCH_RUNS (9, the fastest counts) may be given.
set -euo pipefail
export LC_ALL=C
size=${BENCH_SIZE:-134217728}
runs=${BENCH_RUNS:-9}
request=65536 seeks=40000 files=8192
work=$(mktemp -d -p "${BENCH_DIR:-/dev/shm}")
trap 'rm -rf "$work"' EXIT

# What a process leaves to be done (its memory is freed) is not to be the next one's.
pause() {
	sleep 0.3
}

cellbench() { # OPTION…: one pass of each phase, in the page cache
	rm -rf "$work/run"
	pause
	"$CELLBENCH" run "$work" -o "$work/run" --quiet --json --cache warm --min-time 0s \
		--seed 1 --request-size $request "$@" 2>/dev/null
}

# "PHASE CPU-SECONDS KIB/S OPS/S" of each phase
figures() {
	jq -r '.phases[] | "\(.name) \(.cpu_ns / 1e9) \(.kib_per_s) \(.operations_per_s)"'
}

# The fastest of the lines for a phase in a file; column, and +1 if more is better.
best() { # FILE PHASE COLUMN more|less
	awk -v phase="$2" -v c="$3" -v more="$4" '$1 == phase {
		if (best == "" || (more == "more" ? $c > best : $c < best)) best = $c + 0
	} END { print best }' "$1"
}

echo "$((size >> 20)) MiB in requests of $request bytes on $(stat -f -c %T "$work"), fastest of $runs"
for ((i = 0; i < runs; i++)); do
	"$TOOLS/driver_loop" "$work" "$size" $request $seeks $files >>"$work/loop"
	phases=per-char-output,block-output,rewrite,per-char-input,block-input,random-seeks
	cellbench --size "$size" --seeks $seeks -n $((files / 1024)) \
		--phases $phases,seq-create,seq-stat,seq-delete | figures >>"$work/ours"
	cellbench --size $((size / 64)) --per-char write \
		--phases per-byte-output,per-byte-input | figures >>"$work/ours"
done
# Processor time: on a file system in memory that is all, and others do not add to it.
printf '%-18s %12s %12s %8s\n' "phase, CPU time" "bare s" "cellbench s" ratio
while read -r phase; do
	bare=$(best "$work/loop" "$phase" 2 less) ours=$(best "$work/ours" "$phase" 2 less)
	awk -v p="$phase" -v b="$bare" -v o="$ours" 'BEGIN {
		printf "%-18s %12.6f %12.6f %8.3f  (goal: at least 0.98)\n", p, b, o, b / o }'
done < <(awk '!seen[$1]++ { print $1 }' "$work/loop")

compare() { # NAME TOOL OURS: rates, more is better
	awk -v n="$1" -v t="$2" -v o="$3" 'BEGIN {
		printf "%-34s %14.0f %14.0f %8.3f  (goal: at least 1)\n", n, t, o, o / t }'
}

# Requests of 4 KiB show what a request costs.  fast_clock.so: bonnie++ prints +++++ for
# what takes less than half a second; with it, a hundredth of the rate.
bonnie() { # FILE OPTION…
	local to=$1
	shift
	pause
	LD_PRELOAD=$TOOLS/fast_clock.so bonnie++ -q -d "$work" -u "$(id -un)" "$@" \
		2>"$work/why" >>"$work/$to" || { cat "$work/why" >&2; return 1; }
}

if command -v bonnie++ >/dev/null; then
	chunk=4096 n=16
	for ((i = 0; i < runs; i++)); do
		bonnie bonnie -f -r 8 -s "$((size >> 20))m:$chunk" -n $n
		# its seekers are five and seek 8192 times
		cellbench --size "$size" --request-size $chunk --per-char none --seekers 5 \
			--seeks 8192 -n $n | figures >>"$work/versus"
	done
	for ((i = 0; i < runs / 2; i++)); do # a call a byte is slow
		bonnie bytes -r 1 -s "$((size >> 25))m:$chunk" -n 0
		cellbench --size $((size / 32)) --request-size $chunk --per-char write \
			--phases per-byte-output,per-byte-input | figures >>"$work/versus"
	done
	printf '%-34s %14s %14s %8s\n' "against bonnie++, $chunk bytes" bonnie++ cellbench ratio
	while read -r name unit file column phase; do
		theirs=$(cut -d, -f"$column" "$work/$file" | sort -g | tail -n 1)
		compare "$name, $unit" "$(awk "BEGIN { print 100 * $theirs }")" \
			"$(best "$work/versus" "$phase" $([[ $unit == KiB/s ]] && echo 3 || echo 4) more)"
	done <<-'END' # columns of the CSV of 2.00
		byte-write KiB/s bytes 10 per-byte-output
		block-write KiB/s bonnie 12 block-output
		rewrite KiB/s bonnie 14 rewrite
		byte-read KiB/s bytes 16 per-byte-input
		block-read KiB/s bonnie 18 block-input
		random-seeks 1/s bonnie 20 random-seeks
		sequential-create 1/s bonnie 27 seq-create
		sequential-stat 1/s bonnie 29 seq-stat
		sequential-delete 1/s bonnie 31 seq-delete
		random-create 1/s bonnie 33 random-create
		random-stat 1/s bonnie 35 random-stat
		random-delete 1/s bonnie 37 random-delete
	END
else
	echo "bonnie++ is not installed: not compared"
fi

if command -v fio >/dev/null; then
	fio_rate() { # MODE
		pause
		fio --name=x --directory="$work" --filename=fio --rw="$1" --bs=$request \
			--size="$size" --ioengine=sync --invalidate=0 --fallocate=none \
			--end_fsync=1 --output-format=json 2>/dev/null |
			jq --arg m "$1" '.jobs[0][if $m == "write" then "write" else "read" end].bw'
	}
	for ((i = 0; i < runs; i++)); do
		for mode in write read; do echo "$mode $(fio_rate $mode)" >>"$work/fio.txt"; done
		rm "$work/fio"
		cellbench --size "$size" --phases block-output,block-input | figures >>"$work/ours"
	done
	printf '%-34s %14s %14s %8s\n' "against fio" fio cellbench ratio
	compare "write, KiB/s" "$(best "$work/fio.txt" write 2 more)" \
		"$(best "$work/ours" block-output 3 more)"
	compare "read, KiB/s" "$(best "$work/fio.txt" read 2 more)" \
		"$(best "$work/ours" block-input 3 more)"
else
	echo "fio is not installed: not compared"
fi

# Memory does not grow with the file.
for s in $((size / 16)) "$size"; do
	rm -rf "$work/run"
	rss=$("$TOOLS/timed" 1 "$CELLBENCH" run "$work" -o "$work/run" --quiet --cache cold \
		--min-time 0s --per-char none --size "$s" --seeks 100)
	echo "resident: ${rss##* } KiB for a file of $((s >> 20)) MiB"
done
