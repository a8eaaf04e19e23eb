# netprobe check, expect and links with input that is wrong, and peers that do not answer.
. "$TESTLIB"
. "$TOP/tests/lab/support/own_netns.sh"

own_netns host far
own_wire host nic1 far far1 9000
own_address host nic1 10.1.0.1/24
own_address far far1 10.1.0.2/24

check_in host --active --peer 10.1.0.77
is "nobody has that address" "1 unreachable" "$code $(verdicts)"
has "said so" "No route to host" "$said"
check_in host --active --peer 10.1.0.2
is "nothing listens on the port" "1 refused" "$code $(verdicts)"
has "the way out" "--method icmp" "$said"
in_ns far nft 'table ip t { chain c { type filter hook input priority 0; udp dport 7000 drop; }; }'
check_in host --active --peer 10.1.0.2
is "a peer that answers nothing" "1 silent" "$code $(verdicts)"
check_in host --active --peer 10.1.0.2 --format nagios
is "is a warning for Nagios" "1 NETPROBE WARNING" "$code $(cut -d' ' -f1-2 <<<"$said")"
check_in host --active --peer 10.1.0.2 --method icmp
is "ICMP gets through" "0 ok" "$code $(verdicts)"

check_in host --active --peer 10.1.0.2 --method icmp --both-ways
has "an echo needs no question at the far end" "An echo goes both ways" "$said"
check_in host --peer 10.1.0.2 --peer 192.0.2.9 --both-ways
has "what to run there" "  on 10.1.0.2: netprobe check --active --peer 10.1.0.1:7001" "$said"
is "not at a peer without a way to it" 0 "$(grep -c 'on 192.0.2.9' <<<"$said" || :)"
check_in host --peer 10.1.0.2 --both-ways --format json
is "in JSON, too" "netprobe check --active --peer 10.1.0.1:7001" "$(jq -r '.rows[0].run_at_far_end' <<<"$said")"

# A firewall that drops all ICMP: then nobody says that the port is closed, either.
in_ns far nft 'table ip noicmp { chain i { type filter hook input priority 0; meta l4proto icmp drop; }; chain o { type filter hook output priority 0; meta l4proto icmp drop; }; }'
check_in host --active --peer 10.1.0.2:7003
is "a firewall drops all ICMP: no answer" "1 silent" "$code $(verdicts)"
has "what that can be" "a firewall drops them" "$said"
check_in host --active --peer 10.1.0.2 --method icmp
is "nor of ICMP" "1 silent" "$code $(verdicts)"
in_ns far nft delete table ip noicmp

# The interface goes while the probe is under way.
in_ns far nft 'table netdev t { chain c { type filter hook ingress device far1 priority 0; meta length > 3000 drop; }; }'
(sleep 0.4 && ip -n "$OWN"host link delete nic1) &
check_in host --active --peer 10.1.0.2 --method icmp --rate 10
wait
is "an interface that vanishes" "3 interface-gone" "$code $(verdicts)"
has "is named" "nic1" "$said"

printf '# networks\n\n10.1.0.0/24 mtu=9000\n\n\n\n10.2.0.0/24 mtu=fast\n' >"$SCRATCH/wanted"
check_in host --peer 10.1.0.2 --expect "$SCRATCH/wanted"
is "a mistake in line 7 of the expectations" 2 "$code"
has "is named with file and line" "$SCRATCH/wanted:7: " "$said"
check_in host --peer 10.1.0.2 --expect "$SCRATCH/wanted" --format nagios
is "is UNKNOWN for Nagios" "3" "$code"
has "and one line for it" "NETPROBE UNKNOWN - $SCRATCH/wanted:7" "$said"
check_in host --peer 10.1.0.2 --from eth9
is "an interface that is not there" 2 "$code"
has "tells which are" "it has lo" "$said"
check_in host
is "no peer" 2 "$code"
check_in host --peer no-such-host.invalid
is "a name without an address" 2 "$code"
check_in host --peer 10.1.0.2 --capture /dev/null
is "an empty capture" 2 "$code"
check_in host --peer 10.1.0.2 --format xml
is "a format that is not there" 2 "$code"
check_in host --peer 10.1.0.2 --output /no/such/folder/x --format prometheus
is "a folder that is not there" 3 "$code"

is "expect without a peer" 2 "$(code "$NETPROBE" expect --interface 10.1.0.1/24=1500)"
is "an interface without MTU" 2 "$(code "$NETPROBE" expect --interface 10.1.0.1/24 --peer 10.1.0.2)"
has "says how to write it" "10.77.2.1/24=9180" "$(said)"
is "a trailer nobody sends" 2 "$(code "$NETPROBE" expect --interface 10.1.0.1/24=1500 --peer 10.1.0.2 --peer-trailer 1444,27,32,1)"
is "links without a question" 2 "$(code "$NETPROBE" links)"
is "links of a kind that is not there" 2 "$(code "$NETPROBE" links --ip-length 1500 --link x25)"
