# A client behind a router: jumbograms that might not fit its next link, a router that cuts,
# one that says "too big" and not how big.
# long: six transfers, the servers begun anew for five
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping
small=(--size 2M --phases block-output,block-input --min-time 0s)

# Large links on both sides of it: everything arrives.
route_client atm 9180
lab restart --fileserver-options -jumbo
capture_bonnie server atm0 atm "${small[@]}"
trouble "jumbograms behind a router" "D8"
is "both ways" "10.77.2.1 10.77.8.12" "$(jq -r '[.findings[].from] | sort | join(" ")' "$SCRATCH/probe.json")"
has "of which size" "jumbograms of up to IP length 5716 whole to 10.77.8.12, which is behind a router" "$(told D8 .text)"
capture_bonnie atm atm0 atm "${small[@]}"
trouble "seen at the client" "D8"
lab restart
capture_bonnie server atm0 atm "${small[@]}"
trouble "with the remedy" ""

# "Too big" in the old form, which names no MTU.  The server's kernel takes 552.
route_client ether 1300
in_net switch nft "add table ip old"
in_net switch nft "add chain ip old out { type filter hook output priority 0; }"
in_net switch nft "add rule ip old out icmp type destination-unreachable icmp code frag-needed icmp mtu set 0"
capture_bonnie server eth0 ether "${small[@]}"
trouble "too big, and no size" "D2c"
has "who says so" "10.77.1.254 says that datagrams from 10.77.1.1 to 10.77.9.11 are too big" "$(told D2c .text)"
has "what comes of it" "so the sender has to guess: " "$(told D2c .text)"
in_net switch nft delete table ip old
in_net server ip route flush cache

# It takes DF off and cuts.
in_net switch nft "add table ip df"
in_net switch nft "add chain ip df in { type filter hook prerouting priority 0; }"
in_net switch nft "add rule ip df in iifname br-eth0 ip frag-off set 0"
capture_bonnie ether eth0 ether "${small[@]}"
trouble "a router that cuts" "D4"
has "to what" "the first of IP length 1300, and a router has lowered their hop limit" "$(told D4 .text)"
has "what to set" "-rxmaxmtu 1272" "$(told D4 .remedy)"
capture_bonnie server eth0 ether "${small[@]}"
trouble "which the server cannot see" ""
