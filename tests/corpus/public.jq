# A netprobe JSON report as facts, one a line, in the words of public.expected.jq.
# largest IP: of whole packets and pieces; largest UDP: by the UDP length field.
def sum(f): [f] | add // 0;
def span($what; low; high): { min: ([low | values] | min), max: ([high | values] | max) }
	| select(.min) | "\($what) \(.min) to \(.max)";
def icmp($family; $type; $code): sum(.icmp[]
	| select(.family == $family and .icmp_type == $type and .icmp_code == $code).count);
def ip_header: if contains(":") then 40 else 20 end;
def ways: .flows[] | .to_client, .to_server;
"frames = \(.input.frames)",
"bytes = \(sum(.interfaces[].frame_bytes))",
"snapped = \(sum(.interfaces[].snapped_frames))",
"older than the one before = \(sum(.interfaces[].frames_older_than_the_one_before))",
"us = \(((.input.last_ns // 0) - (.input.first_ns // 0)) / 1000 | round)",
"rx = \(sum(.interfaces[].rx_datagrams))",
([ways | .rx_types | to_entries[]] | group_by(.key)[]
	| "rx \(.[0].key) = \(map(.value) | add)"),
"port unreachable = \(icmp(4; 3; 3))",
"fragmentation needed = \(icmp(4; 3; 4))",
"packet too big = \(icmp(6; 2; 0))",
span("mtu told"; .icmp[].mtu_min; .icmp[].mtu_max),
span("mss"; .pairs[].tcp_mss_min; .pairs[].tcp_mss_max),
"fragments = \(sum(.interfaces[].fragments))",
"atomic fragments = \(sum(.interfaces[].atomic_fragments))",
"whole trains = \(sum(.interfaces[].trains.whole))",
"overlaps = \(sum(.interfaces[].overlapping_trains))",
"largest IP = \([.interfaces[].ip_lengths[][0], .pairs[].largest_whole_ip_length] | max)",
"largest UDP = \([ (.pairs[] | select(.udp_largest_ip_length)
		| .udp_largest_ip_length - (.source_address | ip_header)),
	(.pairs[].largest_fragmented_udp_payload | values + 8),
	(ways | .datagram_sizes[][0] + 8) ] | max)",
"link types = \([.interfaces[] | select(.frames > 0).link_type] | unique)",
"ended early = \(.input.ended_early | length > 0)"
