# File server with -jumbo on Ethernet: both ends cut their datagrams, and it is a finding
# that decides the exit code.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
need_lab
lab restart --fileserver-options -jumbo

capture_bonnie server eth0 ether
trouble "datagrams cut on both ways" "D3"
has "who cuts" "builds datagrams larger than its link of MTU 1500" "$(told D3 .text)"
has "what to change" "-nojumbo" "$(jq -r '[.findings[].remedy] | join(" ")' "$SCRATCH/probe.json")"
is "exit code of read" 1 "$(code "$NETPROBE" read -q "$SCRATCH/capture.pcapng")"
is "exit code of read --no-fail" 0 "$(code "$NETPROBE" read -q --no-fail "$SCRATCH/capture.pcapng")"

# A filter by port hides all pieces but the first.
PROBE_OPTIONS=(--filter "udp and portrange 7000-7010")
capture_bonnie server eth0 ether --phases block-output,block-input
is "hidden by the filter" "D3 D33" "$(found)"
has "all of them" "no other piece at all" "$(told D33 .text)"
PROBE_OPTIONS=()

# A route of 1400 to the client: 1.8 asks the kernel, and sends no more than it carries.
lab restart
in_net server ip route add 10.77.1.11/32 dev eth0 mtu 1400
capture_bonnie server eth0 ether
in_net server ip route del 10.77.1.11/32 dev eth0 mtu 1400
trouble "a smaller route that the server obeys" ""
is "and its size" 1344 "$(jq '[.flows[] | select(.service == "fs") | .to_client.dominant_datagram] | max' "$SCRATCH/probe.json")"
