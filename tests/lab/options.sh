# The servers run with the options asked for, or the lab says that they do not.
. "$TESTLIB"
need_lab

# running: the command line of the process that holds the file server's port.
running() {
	on server sh -c 'tr "\0" " " </proc/$(ss -Hlunp "sport = :7000" |
		sed "s/.*pid=\([0-9]*\).*/\1/")/cmdline'
}

lab restart --fileserver-options "-jumbo -rxmaxmtu 9000" --volserver-options "-sleep 1/30"
has "-jumbo runs" "-udpsize 2097152 -jumbo -rxmaxmtu 9000 " "$(running)"
has "lab.json tells it" "2097152 -jumbo -rxmaxmtu 9000\"" "$(lab status --json)"
has "the volume server's too" "volserver -sleep 1/30\"" "$(lab status --json)"
lab restart
is "and is gone after the next restart" "" "$(running | grep -o jumbo || :)"

is "a wrong option" 3 "$(code lab restart --fileserver-options -nosuchoption)"
has "is named" "-nosuchoption" "$(said)"
is "status then" 1 "$(code lab status)"

# The trap: an old server that nobody knows of keeps the port and keeps answering.
on server setsid /usr/lib/openafs/fileserver -L -p 23 </dev/null >"$SCRATCH/stray" 2>&1 &
for ((i = 0; i < 100; i++)); do
	[ -z "$(on server ss -Hlun 'sport = :7000')" ] || break
	sleep 0.1
done
stray=$(on server ss -Hlunp 'sport = :7000' | sed 's/.*pid=\([0-9]*\).*/\1/')
is "a port already taken" 3 "$(code lab restart --fileserver-options -jumbo)"
has "its holder is named" "held by process $stray" "$(said)"
kill -QUIT "$stray"
wait
lab restart
is "all is well when it is gone" 0 "$(code lab status)"
