# Encrypted volume dumps on the large link: never more than 1436 bytes a datagram.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping
cell_key atm
volume_filled atm 4000

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
