# The file server reads its interfaces once: an MTU raised afterwards is not seen.
. "$TESTLIB"
. "$TOP/tests/lab/support/trouble.sh"
own_lab
lab up --no-shaping
in_net server ip link set atm0 mtu 1500
lab restart
in_net server ip link set atm0 mtu 9180

capture_bonnie server eth0,atm0 atm
trouble "raised after the start" "D25"
has "what is announced" "10.77.2.1 announces packets of 1444, the size of MTU 1500, on an interface of MTU 9180" "$(told D25 .text)"
has "what to do" "restart the AFS processes on 10.77.2.1" "$(told D25 .remedy)"
lab restart
capture_bonnie server eth0,atm0 atm
trouble "restarted" ""

lab restart --fileserver-options "-rxmaxmtu 1444"
capture_bonnie server eth0,atm0 atm
trouble "held down by an option" "D25"
has "the option is named" "-rxmaxmtu 1444 holds it there" "$(told D25 .text)"
