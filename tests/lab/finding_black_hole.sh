# Datagrams beyond a size vanish without a word, as in a tunnel that sends no ICMP.
# long: waits for several timeouts of Rx, minutes
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping

# IP length over 1400 (14 bytes of MAC header are not counted by nft at ingress).
drop server-eth0 "ip length > 1400"
capture_bonnie server eth0,atm0 ether
trouble "from the server on" "D1"
has "between which sizes" "IP length 1472 from 10.77.1.1 to 10.77.1.11 was sent" "$(told D1 .text)"
has "smaller ones passed" "smaller ones were" "$(told D1 .text)"
has "what to change" "-rxmaxmtu" "$(told D1 .remedy)"
is "frames as evidence" true "$(told D1 '.first_frame > 0 and .last_frame > .first_frame')"
drop_nothing server-eth0

drop ether-eth0 "ip length > 1400"
capture_bonnie server eth0,atm0 ether
# Captured behind the hole, the client's datagrams are not there to be seen.
trouble "before the server" ""
capture_bonnie ether eth0 ether
trouble "seen at the client" "D1"
has "which way" "from 10.77.1.11 to 10.77.1.1" "$(told D1 .text)"
drop_nothing ether-eth0

# The same on the large link: jumbograms vanish, what goes again in single packets passes.
drop server-atm0 "ip length > 3000"
capture_bonnie server eth0,atm0 atm
trouble "jumbograms on 9180" "D1"
has "the size that passes" "black hole between 2884 and 4300" "$(told D1 .text)"
