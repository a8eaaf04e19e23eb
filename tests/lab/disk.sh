# On a real file system of its own (ext4 on a loop device): cold by a remount, and what
# goes wrong with disks.  In a private mount namespace, so nothing stays mounted.
[ -n "${OWN_MOUNTS:-}" ] ||
	OWN_MOUNTS=yes exec unshare --mount --propagation private bash "$0"
. "$TESTLIB"
disk=$SCRATCH/disk image=$SCRATCH/image

mkdir -p "$disk"
truncate -s 32M "$image"
if ! command -v mkfs.ext4 >/dev/null; then
	skip "a disk" "mkfs.ext4 is not installed"
	exit
elif ! { mkfs.ext4 -q -m 0 -O ^has_journal "$image" && mount -o loop "$image" "$disk"; } 2>"$SCRATCH/said"; then
	skip "a disk" "no loop device: $(tail -n 1 "$SCRATCH/said")"
	exit
fi

run() { # NAME OPTION…
	local name=$1
	shift
	"$CELLBENCH" run "$disk" --quiet --min-time 0s --output "$SCRATCH/$name" "$@"
}
of() { # NAME FILTER: of the record
	jq -r "$2" "$SCRATCH/$1/run.json"
}
remount="umount '$disk' && mount -o loop '$image' '$disk'"

is "cold by a remount, and warm" 0 "$(code run remount --size 2M --seeks 50 --per-char none -n 0.02 \
	--cold command --cold-command "$remount" --cache cold,warm)"
is "all phases are proven cold, those about names too" 10 "$(of remount '[.phases[] | select(.cold.proven)] | length')"
has "by residency" "0 of 512 pages resident after" \
	"$(of remount '.phases[] | select(.cache == "cold" and .name == "block-input") | .cold.proof')"
is "and warm" "512 of 512 pages resident" \
	"$(of remount '.phases[] | select(.cache == "warm" and .name == "block-input") | .warm.proof')"
is "a command that does not remount" 0 "$(code run not -w bulk --size 2M --cold command --cold-command sync --cache cold)"
is "is found out" false "$(of not '.phases[] | select(.name == "bulk-read") | .cold.proven')"

is "full: too large a file" 3 "$(code run full -w bulk --size 64M)"
has "is told" "No space left on device; free some space or give a smaller --size" "$(said)"
is "and nothing is left" lost+found "$(ls "$disk")"

# The disk loses its end while the run is under way: what was written cannot be read.
cat >"$SCRATCH/shorten" <<'SH'
data=$CELLBENCH_DIR/data
[ -e "$data" ] || exit 0
sync -f "$data" && dd if="$data" iflag=nocache count=0 2>/dev/null && truncate -s 6M "$1"
SH
is "a disk that fails in mid-phase" 4 "$(code run failing -w bulk --size 12M --cold command \
	--cold-command "sh '$SCRATCH/shorten' '$image'" --cache cold)"
has "is told, with the offset" "cold/bulk-read: reading at offset " "$(said)"
has "as what it is" "/data: Input/output error" "$(said)"
is "the phase before it is whole" "bulk-write 12582912" "$(of failing '.phases[] | "\(.name) \(.bytes)"')"
truncate -s 32M "$image"
check "what it left can be removed" "$CELLBENCH" clean "$SCRATCH/failing"
is "and nothing is left then" lost+found "$(ls "$disk")"

# The whole file system goes away.
is "a file system that vanishes" 4 "$(code run gone -w bulk --size 1M --cold command \
	--cold-command "test ! -e \"\$CELLBENCH_DIR/data\" || umount -l '$disk'" --cache cold)"
has "is told" "No such file or directory; the folder vanished while the workload ran" "$(said)"
is "as the only problem" 1 "$(of gone '.problems | length')"
