# File server on 9180, client on 1500, one network: writes are fine, reads crawl.
# long: a read that crawls on purpose
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping
in_net atm ip link set atm0 mtu 1500
in_net switch ip link set atm-atm0 mtu 1500

capture_bonnie server eth0,atm0 atm --phases block-output,block-input
is "the reads" "D24" "$(jq -r '[.findings[] | select(.from == "10.77.2.1" and .severity != "info") | .id] | unique | join(" ")' "$SCRATCH/probe.json")"
has "why" "10.77.2.12 announces 1444, the size of MTU 1500, and no router is between" "$(told D24 .text)"
has "the route that mends it" "ip route replace 10.77.2.12 dev atm0 mtu 1500" "$(told D24 .remedy)"
# The client cuts what it sends, and a file server on 9180 allows that.
is "the writes" "D3" "$(jq -r '[.findings[] | select(.from == "10.77.2.12" and .severity != "info") | .id] | unique | join(" ")' "$SCRATCH/probe.json")"

# Both remedies as they are printed.
in_net server ip route replace 10.77.2.12 dev atm0 mtu 1500
lab restart
capture_bonnie server eth0,atm0 atm
trouble "with the route" ""
in_net server ip route del 10.77.2.12 dev atm0 mtu 1500
lab restart
capture_bonnie server eth0,atm0 atm --client-options "-rxmaxfrags 1"
trouble "with -rxmaxfrags 1" ""
