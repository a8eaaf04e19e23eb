# A share of all packets is lost, whatever their size.
# long: waits for losses, a minute or more
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping

drop server-eth0 "numgen random mod 100 < 5"
capture_bonnie server eth0 ether --size 4M
trouble "behind the capture" "D14"
has "where" "behind this point" "$(told D14 .remedy)"
capture_bonnie ether eth0 ether --size 4M
trouble "before the capture" "D14"
has "where it was" "before this point" "$(told D14 .remedy)"
has "which way" "from 10.77.1.1 to 10.77.1.11" "$(told D14 .text)"
drop_nothing server-eth0

# Only of the large ones.
drop server-eth0 "ip length > 1460 numgen random mod 100 < 8"
rm -rf "$SCRATCH/run"
capture server eth0 "${LAB[@]}" exec ether "$CELLBENCH" run --volume bench --workload tree \
	--tree-files 100 --cache cold --quiet --output "$SCRATCH/run"
trouble "large ones only" "D32"
has "none of the others" "of the others 0.0 % (0 of " "$(told D32 .text)"
