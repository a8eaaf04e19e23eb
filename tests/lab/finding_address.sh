# Replies from another address, and by another interface, than was asked.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping

on server sh -c 'echo 10.77.1.1 >/var/lib/openafs/local/NetInfo'
lab restart
capture_bonnie server eth0,atm0 atm
# Whether the capture shows what is registered decides how much is told.
case $(found '.severity != "info"') in
D10 | D26) ok "one address registered" ;;
*) not_ok "one address registered" "found $(found)" ;;
esac
has "both addresses" "asks the server at 10.77.1.1 and gets its replies from 10.77.2.1" \
	"$(jq -r '.findings[0].text' "$SCRATCH/probe.json")"
on server rm /var/lib/openafs/local/NetInfo
lab restart

# The client has a leg on the other link, and the server's route to it goes there.
in_net switch ip link add ether-atm0 mtu 9180 type veth peer name atm0 mtu 9180 netns "$(netns_of ether)"
in_net switch ip link set ether-atm0 master br-atm0 up
in_net ether ip address add 10.77.2.99/32 dev atm0
in_net ether ip link set atm0 up
in_net ether sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.atm0.rp_filter=0 net.ipv4.conf.eth0.rp_filter=0
in_net server sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.atm0.rp_filter=0 net.ipv4.conf.eth0.rp_filter=0
in_net server ip route add 10.77.1.11/32 dev atm0
capture_bonnie server eth0,atm0 ether
has "another interface" "D11" "$(found '.severity != "info"')"
has "with the MTU of both" "(eth0, MTU 1500) and gets its replies from 10.77.2.1 (atm0, MTU 9180)" "$(told D11 .text)"
