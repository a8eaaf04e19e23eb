# Encrypted volume dumps on the large link: never more than 1436 bytes a datagram.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping
on server cat /etc/openafs/server/KeyFile >"$SCRATCH/key"
on atm sh -c 'mkdir -p /etc/openafs/server && cp /etc/openafs/ThisCell /etc/openafs/CellServDB /etc/openafs/server/ && cat >/etc/openafs/server/KeyFile' <"$SCRATCH/key"
# A file to be dumped: what a killed run leaves, once it has stored it.
mapfile -t words < <(bonnie atm --size 8M --phases block-output --passes 1000 --min-time 60s)
"${words[@]}" >/dev/null 2>&1 &
run=$!
for ((i = 0; i < 200; i++)); do
	size=$(on server vos examine bench -localauth | awk 'NR == 1 { print $4 }')
	[ "$size" -lt 4000 ] || break
	sleep 0.1
done
kill -KILL "$run"
wait "$run" 2>/dev/null || :

dump() {
	capture server eth0,atm0 "${LAB[@]}" exec atm vos dump bench -file "$SCRATCH/dump" -localauth "$@"
}

dump
is "clear: joined" true "$(jq '[.flows[] | select(.service == "vol") | .to_client.dominant_datagram] | max > 1444' "$SCRATCH/probe.json")"
is "clear: no remark on encryption" "" "$(found '.id == "D27"')"
dump -encrypt
is "encrypted: remarked" "D27" "$(found '.id == "D27"')"
has "its size" "went encrypted in datagrams of 1436" "$(told D27 .text)"
has "its link" "the link's MTU is 9180" "$(told D27 .text)"
