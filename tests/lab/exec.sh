# lab exec: the command's own input, output, exit code and working directory.
. "$TESTLIB"
need_lab

is "exit code" 7 "$(code on ether sh -c 'exit 7')"
is "a signal's exit code" 143 "$(code on ether sh -c 'kill $$')"
head -c 300000 /dev/urandom >"$SCRATCH/bytes"
on atm cat <"$SCRATCH/bytes" >"$SCRATCH/copy"
check "bytes pass through" cmp "$SCRATCH/bytes" "$SCRATCH/copy"
is "an argument with blanks stays one" "a  b" "$(on ether printf '%s' 'a  b')"
is "host name" atm "$(on atm hostname)"
cd "$SCRATCH"
is "working directory" "$PWD" "$(on ether pwd)"
on ether sh -c 'echo seen >inside'
is "files written inside are seen outside" seen "$(cat inside)"
on ether sh -c 'echo private >/etc/cellbench-private'
check "but not what is below /etc" test ! -e /etc/cellbench-private
is "from one host to another" server "$(on ether bash "$TOP/src/lab/lab.sh" exec server hostname)"
is "no such host" 3 "$(code on nowhere true)"
has "the hosts are named" "server ether atm" "$(said)"
is "not down from inside" 3 "$(code on ether bash "$TOP/src/lab/lab.sh" down)"
