# The lab as it is, on both links: nothing is wrong, and nothing is found.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
need_lab

for client in ether atm; do
	capture_bonnie server eth0,atm0 "$client"
	trouble "$client" ""
	is "$client, not even a remark" "" "$(found)"
	is "$client, there was traffic" true \
		"$(jq '[.flows[].to_server.rx_data_bytes] | add > 1000000' "$SCRATCH/probe.json")"
done
is "exit code of read" 0 "$(code "$NETPROBE" read -q "$SCRATCH/capture.pcapng")"

# A longer run: the client's path-MTU probes are cut, answered, and raise what it
# announces, as 1.8.9 does; and the link may be full.  Both are worth a remark and no more.
capture_bonnie server eth0,atm0 ether --size 16M
trouble "ether, longer" ""
is "ether, longer, remarks" "" "$(found '.id != "D29" and .id != "D30"')"
