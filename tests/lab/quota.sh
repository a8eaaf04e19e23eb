# A volume whose quota is too small: told where the client hears of it; where it does not
# (afsd.fuse stores after close), the next phase finds the data missing.
. "$TESTLIB"
need_lab
. "$TOP/tests/lab/support/mounted.sh"
quota() { # KIB, 0: none
	on server vos setfields -id bench -maxquota "$1" -localauth
}
used=$(on server vos examine bench -noauth | awk '$4 ~ /^[0-9]+$/ && $5 == "K" { print $4; exit }')
trap 'quota 0' EXIT
quota $((used + 2000))

run() { # NAME OPTION…
	local name=$1
	shift
	on ether "$CELLBENCH" run --quiet --min-time 0s --cache cold --cache-size 32M \
		--output "$SCRATCH/$name" "$@"
}
of() { # NAME FILTER: of the record
	jq -r "$2" "$SCRATCH/$1/run.json"
}

is "a file within the quota" 0 "$(code run within --volume bench -w bulk --size 1M)"
is "one that is too large" 3 "$(code run large --volume bench -w bulk --size 8M)"
has "is told, with the remedy" "/data: Disk quota exceeded; raise the quota or give a smaller --size" "$(said)"
is "many files that are" 3 "$(code run many --volume bench -w mixed --mixed-files 32 --size 8M)"
has "are told as well" "Disk quota exceeded" "$(said)"
is "the record says it" failed "$(of many .status)"

mount_or_skip "the same on a mounted /afs"
trap 'quota 0; lab umount ether' EXIT
before=$(in_volume)
is "on a mounted /afs" 4 "$(code run_mounted mounted -w bulk --size 8M --cache cold \
	--cold command --cold-command "$restart")"
has "the lost data are found missing" "/data ends at offset " "$(said)"
has "and told" "but 8388608 bytes were written" "$(said)"
is "nothing stays in the volume" "$before" "$(in_volume)"
