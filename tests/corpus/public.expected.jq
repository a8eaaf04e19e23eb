# One entry of expected.json as facts, one a line; the words are those of public.jq.
def link: { "1": 1, "4": 9, "6": 10, "7": 101, "10": 100, "13": 123, "15": 0, "24": 106,
	"25": 113, "129": 228, "180": 242, "210": 276 }[.];
def types: { "1": "DATA", "2": "ACK", "3": "BUSY", "4": "ABORT", "5": "ACKALL",
	"6": "CHALLENGE", "7": "RESPONSE", "8": "DEBUG", "13": "VERSION" }[.];
def span($what): select(length > 0) | map(tonumber) | "\($what) \(min) to \(max)";
"frames = \(.n)",
"bytes = \(.bytes)",
"snapped = \(.snapped)",
"older than the one before = \(.ooo)",
(select(.dur != null and .n > 0) | "us = \(.dur * 1e6 | round)"),
"rx = \(.C.rx // 0)",
(.rxt | to_entries[] | "rx \(.key | types) = \(.value)"),
"port unreachable = \(.C.portunreach // 0)",
"fragmentation needed = \(.C.fragneeded // 0)",
"packet too big = \(.C.ptb6 // 0)",
(.mtu | span("mtu told")),
(.mss | span("mss")),
"fragments = \((.C.frag4_any // 0) + (.C.frag6 // 0) - (.C.atomic6 // 0))",
"atomic fragments = \(.C.atomic6 // 0)",
"whole trains = \((.C.reasm4 // 0) + (.C.reasm6 // 0))",
"overlaps = \(.C.overlap // 0)",
(select(.maxip > 0) | "largest IP = \(.maxip)"),
(select(.maxudp > 0) | "largest UDP = \(.maxudp)"),
"link types = \(.enc | map(link) | sort)",
"ended early = \(any(.err[]; test("cut short|damaged")))"
