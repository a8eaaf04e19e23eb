# Repeated runs with the cache manager in the real cell: until an interval is narrow, or
# as often as it may be; two configurations in turn.
. "$TESTLIB"
need_lab
used() { # what the volume holds, as the volume server tells it
	on server vos examine bench -noauth | awk 'NR == 1 { print $4, $5 }'
}
run() { # OPTION…
	on ether "$CELLBENCH" run --volume bench -w bulk --min-time 0s --cache-size 8M --quiet "$@"
}
of() { # FOLDER FILTER: of the summary
	jq -r "$2" "$SCRATCH/$1/summary.json"
}
each() { # FOLDER FILTER: of every record, in the order of the runs
	jq -r "$2" "$SCRATCH/$1"/rep-*/run.json | xargs
}

before=$(used)
is "until 60 % wide, or 6 times" 0 \
	"$(code run --size 512K --cache cold,warm --confidence 60 --max-repeat 6 --output "$SCRATCH/a")"
n=$(of a '.runs | length')
is "at least five, at most six" true "$([ "$n" -ge 5 ] && [ "$n" -le 6 ] && echo true)"
is "it ended for the reason that it tells" true \
	"$(of a '.ended == (if .widest_interval <= 0.6 then "the intervals are as narrow as asked" else "the limit of repeats is reached" end)')"
is "the record counts them all" "$n $n true" \
	"$(of a '"\(.phases[0].values | length) \([.runs[] | select(.counted)] | length) \([.phases[] | .values | length] | unique | length == 1)"')"
is "the first is marked, and no other" 1 "$(of a '[.runs[] | select(.first) | .run] | join(" ")')"
is "every phase has an interval about its median" true \
	"$(of a '[.phases[] | .interval[0] <= .median and .median <= .interval[1] and .interval[0] > 0] | all')"
is "each is complete" complete "$(each a .status | tr ' ' '\n' | uniq)"
is "cold in each: all bytes came from the server" true \
	"$(each a '.phases[] | select(.cache == "cold" and .name == "bulk-read") | .cold.proven and .received_bytes >= 524288' | tr ' ' '\n' | uniq)"
is "warm in each: hardly any did" true \
	"$(each a '.phases[] | select(.cache == "warm" and .name == "bulk-read") | .warm.proven and .received_bytes < 10486' | tr ' ' '\n' | uniq)"
is "the server worked in each" true \
	"$(of a '.phases[] | select(.cache == "cold" and .name == "bulk-read") | .cpu.server.values | all(. != null and . > 0)')"
has "the table has the intervals" "95 % from" "$("$CELLBENCH" show "$SCRATCH/a")"

cat >"$SCRATCH/two.ini" <<'END'
[global]
volume = bench
workload = bulk
size = 256K
min-time = 0s
cache = cold
cache-size = 8M
[run A]
chunk-size = 64K
[run B]
chunk-size = 1M
END
is "two configurations in turn" 0 \
	"$(code on ether "$CELLBENCH" run --job "$SCRATCH/two.ini" --quiet --repeat 1 --warm-up 1 --order interleave --output "$SCRATCH/two")"
is "A B A B" "A B A B" "$(jq -r '"\(.phases[0].begin_ns) \(input_filename)"' "$SCRATCH"/two/*/rep-*/run.json |
	sort -n | sed 's,.*/two/\([AB]\)/.*,\1,' | xargs)"
is "first runs are kept and not counted" "2 1 false" \
	"$(of two/B '"\(.runs | length) \(.phases[0].values | length) \(.runs[0].counted)"')"
is "compared" 0 "$(code "$CELLBENCH" compare "$SCRATCH/two/A" "$SCRATCH/two/B")"

is "nothing stays in the volume" "$before" "$(used)"
