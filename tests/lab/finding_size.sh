# Sizes that do not fit the link: held down by the client, beyond a route that became
# smaller, beyond a link that did.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping

capture_bonnie server atm0 atm --phases block-output,block-input \
	--client-options "-rxmaxmtu 1444 -rxmaxfrags 1"
is "a client that takes little" "D9" "$(found)"
has "and says so" "on a link of MTU 9180: 10.77.2.12 announces 1444 and 1 packets a datagram" "$(told D9 .text)"
has "what to look for" "look for -rxmaxmtu and -rxmaxfrags there" "$(told D9 .remedy)"

# New peers get what the route carries; this one was known before.
keep_busy ether block-input server eth0
in_net server ip route add 10.77.1.11/32 dev eth0 mtu 1400
capture server eth0 sleep 2
let_go
in_net server ip route del 10.77.1.11/32 dev eth0 mtu 1400
trouble "a route that became smaller" "D3b"
# 1380 bytes of payload, but fragments are multiples of 8: 1376, 1396 with the header
has "its size, as far as fragments tell" "the route's or the path's is 1396 to 1403" "$(told D3b .text)"
has "what to look at" "ip route get 10.77.1.11" "$(told D3b .remedy)"

in_net server ip link set eth0 mtu 3000
in_net switch ip link set server-eth0 mtu 3000
lab restart
keep_busy ether block-output ether eth0 --client-options "-rxmaxfrags 1"
in_net server ip link set eth0 mtu 2000
capture server eth0 sleep 2
let_go
trouble "a link that became smaller" "D12"
has "what is announced" "10.77.1.1 announces packets of 2944 (IP length 2972), its interface has MTU 2000" "$(told D12 .text)"
has "what to do" "restart the AFS processes on 10.77.1.1" "$(told D12 .remedy)"
