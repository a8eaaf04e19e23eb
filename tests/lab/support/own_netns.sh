# Namespaces of a case's own, apart from the lab's: gone when the case ends, however
# it ends.  Source it behind case.sh.
# shellcheck shell=bash
OWN=cbcheck-$$-

# own_netns NAME…
own_netns() {
	local name
	for name; do
		ip netns add "$OWN$name"
		ip -n "$OWN$name" link set lo up
	done
}

# in_ns NAME COMMAND…
in_ns() {
	local name=$1
	shift
	ip netns exec "$OWN$name" "$@"
}

# own_wire NS1 IF1 NS2 IF2 [MTU]: joins the two, both ends up.
own_wire() {
	ip -n "$OWN$1" link add "$2" mtu "${5:-1500}" type veth \
		peer name "$4" mtu "${5:-1500}" netns "$OWN$3"
	ip -n "$OWN$1" link set "$2" up
	ip -n "$OWN$3" link set "$4" up
}

# own_address NS IF ADDRESS/BITS
own_address() {
	ip -n "$OWN$1" address add "$3" dev "$2"
}

own_netns_clear() {
	local name pid
	for name in $(ip netns | grep -o "^$OWN[^ ]*"); do
		for pid in $(ip netns pids "$name"); do
			kill "$pid" 2>/dev/null || :
		done
		ip netns del "$name"
	done
}
trap own_netns_clear EXIT

# check_in NS OPTION…: netprobe check there; its exit code in $code, its words in $said.
check_in() {
	local ns=$1
	shift
	code=0
	said=$(in_ns "$ns" "$NETPROBE" check "$@" 2>&1) || code=$?
}

# verdicts: the last column of all rows in $said.
verdicts() {
	grep -E '^[0-9\[]' <<<"$said" | awk '{print $NF}' | xargs
}
