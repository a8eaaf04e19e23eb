# A netprobe JSON report as facts, one a line, in the words of openafs.awk.
def port(p; s): if p >= 7000 and p <= 7011 then s else (p | tostring) end;
def names: { "DATA": "data", "ACK": "ack", "CHALLENGE": "chal", "RESPONSE": "resp",
	"VERSION": "version", "ABORT": "abort" };
def ends($f; $w): [ "\($f.server.address):\(port($f.server.port; $f.service))",
	"\($f.client.address):\(port($f.client.port; $f.service))" ]
	| if $w == "to_client" then . else reverse end | join(" > ");
def facts: . as $f | ("to_client", "to_server") as $w | .[$w]
	| select(.rx_datagrams > 0)
	| (ends($f; $w)) as $who
	| "dgrams = \(.rx_datagrams)",
	  "DF = \(.ip_packets_with_df)",
	  (.rx_types | to_entries[] | "\(names[.key]) = \(.value)"),
	  (select(.datagram_sizes | length > 0)
	   | (.datagram_sizes[] | "size \(.[0]) = \(.[1])"),
	     "max = \(.datagram_sizes | map(.[0]) | max)",
	     # that program counts the short headers inside jumbograms as data
	     "rx bytes = \(.rx_data_bytes + 4 * (.rx_data_packets - .rx_types.DATA))",
	     "resends = \(.resends)"),
	  (.jumbogram_packets[] | "jumbo \(.[0]) = \(.[1])"),
	  (select(.trains_whole > 0) | "trains = \(.trains_whole)"),
	  (.train_fragments[] | "pieces \(.[0]) = \(.[1])"),
	  (.sender_announces[]
	   | "ack \(.max_receive) \(.interface) \(.window_packets) \(.packets_per_jumbogram) = \(.acks)")
	| "\($who) \(.)";
(.flows[] | facts),
"unfinished = \([ .interfaces[].trains | to_entries[] | select(.key != "whole").value ] | add)"
