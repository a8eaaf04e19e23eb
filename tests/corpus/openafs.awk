# The part of expected.txt about one capture (-v capture=NAME) as facts, one a line.
/^## / { on = $2 == capture; if (on) print "unfinished = " $4; next }
!on { next }
/^  [0-9]/ {
	who = $1 " > " $3
	print who " dgrams = " $5
	text = $0; sub(/.*\{/, "", text); sub(/\}.*/, "", text); gsub(/[':]/, "", text)
	n = split(text, part, /, /)
	for (i = 1; i <= n; i++) { split(part[i], w, " "); print who " " w[1] " = " w[2] }
	next
}
/data UDP payload/ {
	text = $0; sub(/.*\[\(/, "", text); sub(/\)\].*/, "", text)
	n = split(text, part, /\), \(/)
	for (i = 1; i <= n; i++) { split(part[i], w, /, /); print who " size " w[1] " = " w[2] }
	text = $0; sub(/.*max /, "", text); split(text, w, /[; ]+/)
	print who " max = " w[1]
	text = $0; sub(/.*rx bytes /, "", text); split(text, w, /[; ]+/)
	print who " rx bytes = " w[1]
	text = $0; sub(/.*resends /, "", text); split(text, w, /[; ]+/)
	print who " resends = " w[1]
	print who " DF = " $NF
	next
}
/JUMBOGRAMS|IP FRAGMENTED/ {
	what = /JUMBO/ ? "jumbo" : "pieces"
	if (what == "pieces") { split($0, w, /[ ,]+/); print who " trains = " w[5] }
	text = $0; sub(/.*\{/, "", text); sub(/\}.*/, "", text)
	n = split(text, part, /, /)
	for (i = 1; i <= n; i++) { split(part[i], w, /: /); print who " " what " " w[1] " = " w[2] }
	next
}
/acks \(/ {
	text = $0; sub(/.*\[\(\(/, "", text); sub(/\)\]$/, "", text)
	n = split(text, part, /\), \(\(/)
	for (i = 1; i <= n; i++) {
		split(part[i], w, /\), /)
		gsub(/,/, "", w[1])
		print who " ack " w[1] " = " w[2]
	}
}
