# Fragments that do not get through: none of them, later ones only, some of them.
# long: waits for several timeouts of Rx
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping --fileserver-options -jumbo

# A firewall without state: what has no ports is dropped.
drop server-eth0 "ip frag-off & 0x1fff != 0"
capture_bonnie server eth0 ether --phases block-output,block-input
# The client cuts as well, and its fragments do get through.
trouble "seen at the sender" "D3 D6b"
has "which way" "from 10.77.1.1 to 10.77.1.11" "$(told D6b .text)"
has "what passes" "whole ones were" "$(told D6b .text)"
capture_bonnie ether eth0 ether --phases block-output,block-input
trouble "seen behind the firewall" "D3 D6"
has "which way, behind" "from 10.77.1.1 to 10.77.1.11" "$(told D6 .text)"
drop_nothing server-eth0

# Every twentieth fragment.
drop server-eth0 "ip frag-off & 0x3fff != 0 numgen random mod 100 < 5"
capture_bonnie ether eth0 ether --phases block-output,block-input --size 4M
trouble "some fragments lost" "D3 D5"
has "how many" "datagrams in fragments lack pieces" "$(told D5 .text)"
