# A router in the path whose next link is smaller: it is heard, it is not heard by the
# server, it does not speak.
# long: waits for several timeouts of Rx
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping
route_client ether 1420

capture_bonnie server eth0 ether --phases block-output,block-input
trouble "heard" ""
has "and told" "10.77.1.254 says that datagrams from 10.77.1.1 to 10.77.9.11 are too big" "$(told D2a .text)"
is "the MTU told" 1420 "$(told D2a .evidence.next_hop_mtu)"
has "the tunnel that has such an MTU" "WireGuard over IPv6 (1420)" "$(told D31 .text)"

# The server's own firewall drops ICMP; the capture sees it all the same.
in_net server nft "add table ip deaf"
in_net server nft "add chain ip deaf in { type filter hook input priority 0; }"
in_net server nft "add rule ip deaf in icmp type destination-unreachable drop"
in_net server ip route flush cache
lab restart
capture_bonnie server eth0 ether --phases block-output,block-input
trouble "seen and not heard" "D2b"
has "what followed" "larger ones with DF set followed (up to IP length 1472)" "$(told D2b .text)"
has "what to set" "-rxmaxmtu 1392" "$(told D2b .remedy)"

# The router says nothing.
in_net server nft delete table ip deaf
in_net switch nft "add table ip mute"
in_net switch nft "add chain ip mute out { type filter hook output priority 0; }"
in_net switch nft "add rule ip mute out icmp type destination-unreachable drop"
in_net server ip route flush cache
lab restart
capture_bonnie server eth0 ether --phases block-output,block-input
trouble "silent" "D1"
