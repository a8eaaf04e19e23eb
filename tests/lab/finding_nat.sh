# NAT that forgets: in mid-connection the client's packets come from another port.
# long: waits for a mapping to change
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping

# rebind: in the midst of the transfer the client's port becomes 40001 behind the switch.
rebind() {
	local port
	sent_more ether eth0 2000000
	port=$(in_net ether ss -Huan | awk '{ n = split($4, a, ":"); print a[n] }' | head -n 1)
	in_net switch nft add table netdev nat
	in_net switch nft "add chain netdev nat in { type filter hook ingress device ether-eth0 priority 0; }"
	in_net switch nft "add rule netdev nat in udp sport $port udp sport set 40001"
}

rebind &
capture_bonnie server eth0 ether --size 32M --phases block-output,block-input
wait %1 2>/dev/null || :
trouble "another port" "D16"
has "which" "go on from port 40001 after port" "$(told D16 .text)"
