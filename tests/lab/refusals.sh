# What the lab cannot do it says in one sentence, with a documented exit code.
. "$TESTLIB"
own_lab

# one_line NAME TEXT: what was said is one line with TEXT in it.
one_line() {
	has "$1" "$2" "$(said)"
	is "$1: one line" 1 "$(said | wc -l)"
}

# as_nobody: from a copy, as the tree may be where only root can read.
as_nobody() {
	cp -r "$TOP/src/lab" "$SCRATCH/"
	setpriv --reuid=65534 --regid=65534 --clear-groups bash "$SCRATCH/lab/lab.sh" "$@"
}

# full WORDS…: the code with a standard output that takes nothing
full() {
	local code=0
	"$CELLBENCH" "$@" >/dev/full 2>"$SCRATCH/said" || code=$?
	printf '%s: %s\n' "$code" "$(cat "$SCRATCH/said")"
}

for words in --version "list published" "run --dry-run ." "show published:atm-1995" schema; do
	# shellcheck disable=SC2086 # words
	is "no room for what $words prints" "3: cellbench: cannot write to standard output" "$(full $words)"
done

is "no command" 2 "$(code lab)"
is "a wrong command" 2 "$(code lab raise)"
is "a wrong option" 2 "$(code lab up --size 3)"
is "a wrong number" 2 "$(code lab up --clients many)"
is "exec without a lab" 3 "$(code lab exec server true)"
one_line "exec without a lab" "no lab is up"
is "restart without a lab" 3 "$(code lab restart)"
is "without root" 3 "$(code as_nobody up)"
one_line "without root" "sudo"
# a namespace of users without any: no root, and still the owner of the files
if unshare --user true 2>/dev/null; then
	is "a study without root" 3 "$(code unshare --user "$CELLBENCH" study "$TOP/doc/studies/mtu.ini" -o "$SCRATCH/study")"
	has "a study without root: says so" "needs root; run it with sudo" "$(said)"
	is "a study without root: no lab is blamed" "" "$(said | grep "the lab did not")"
else
	skip "a study without root" "this machine makes no namespaces of users"
fi
mkdir "$SCRATCH/mine"
touch "$SCRATCH/mine/file"
is "a folder that is no lab's" 3 "$(code env CELLBENCH_LAB="$SCRATCH/mine" bash "$TOP/src/lab/lab.sh" up)"
check "and it stays as it is" test -e "$SCRATCH/mine/file"
is "a strange folder name" 2 "$(code env CELLBENCH_LAB='a b' bash "$TOP/src/lab/lab.sh" up)"
