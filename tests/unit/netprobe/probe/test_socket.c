/* Probes over a real link between two namespaces of the test's own. */
#include "netprobe/probe/path.h"
#include "netprobe/probe/socket.h"

#include "netprobe/decode/rx.h"
#include "src/base/clock.h"
#include "tests/support/netns.h"

#include <arpa/inet.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define ECHO_PORT 7
#define RX_PORT 7000

/* The far end: answers VERSION requests as OpenAFS does, and echoes. */
struct far {
	pid_t pid;
	int go; /* a byte tells it that its link is there */
};

static int listen_on(uint16_t port)
{
	const struct sockaddr_in6 at = {.sin6_family = AF_INET6,
	                                .sin6_port = htons(port)};
	int fd = socket(AF_INET6, SOCK_DGRAM, 0); /* takes IPv4 too */
	if (fd < 0 || bind(fd, (const struct sockaddr *)&at, sizeof at) < 0)
		_exit(1);
	return fd;
}

static void answer(int fd, bool rx)
{
	static uint8_t p[65536];
	struct sockaddr_in6 who;
	socklen_t n = sizeof who;
	ssize_t len = recvfrom(fd, p, sizeof p, 0, (struct sockaddr *)&who, &n);
	if (len < 0)
		return;
	if (rx) {
		if (len < (ssize_t)RX_HEADER || p[20] != RX_VERSION ||
		    !(p[21] & RX_CLIENT))
			return;
		p[21] = 0;
		memset(p + RX_HEADER, 0, 65);
		memcpy(p + RX_HEADER, " test 1.8", 9);
		len = RX_HEADER + 65;
	}
	if (sendto(fd, p, (size_t)len, 0, (struct sockaddr *)&who, n) < 0)
		return;
}

static void serve(uint16_t port)
{
	int fd = listen_on(port);
	pid_t far = getpid();
	if (fork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != far) /* it died before the line above */
			_exit(0);
		for (;;)
			answer(fd, port == RX_PORT);
	}
	close(fd);
}

/* Waits for its link, listens, then says so. */
static void far_main(int go, int ready)
{
	char byte = 0;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(go, &byte, 1) != 1 ||
	    system("ip link set lo up && ip link set v1 up mtu 9180 &&"
	           "ip address add 10.9.0.2/24 dev v1 &&"
	           "ip -6 address add fd09::2/64 dev v1 nodad") != 0)
		_exit(1);
	serve(RX_PORT);
	serve(ECHO_PORT);
	if (write(ready, &byte, 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static struct far far_start(void)
{
	struct far f;
	int go[2], ready[2];
	char byte = 0;
	netns_enter();
	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(ready), 0);
	f.pid = fork();
	assert_true(f.pid >= 0);
	if (f.pid == 0) {
		close(go[1]);
		if (unshare(CLONE_NEWNET) < 0 || write(ready[1], &byte, 1) != 1)
			_exit(1);
		far_main(go[0], ready[1]);
	}
	close(ready[1]); /* so that the end of a dead child is read */
	assert_int_equal(read(ready[0], &byte, 1), 1);
	netns_run("ip link add v0 mtu 9180 type veth peer name v1 netns %d",
	          (int)f.pid);
	netns_run("ip link set v0 up && ip address add 10.9.0.1/24 dev v0 &&"
	          "ip -6 address add fd09::1/64 dev v0 nodad");
	f.go = go[1];
	assert_int_equal(write(f.go, &byte, 1), 1);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(go[0]);
	close(ready[0]);
	return f;
}

static void far_stop(struct far *f)
{
	int status;
	kill(f->pid, SIGKILL);
	waitpid(f->pid, &status, 0);
	close(f->go);
}

static struct probe_target target(enum probe_method m, const char *peer, uint16_t port)
{
	struct probe_target t = {.method = m, .port = port, .iface = "v0"};
	assert_true(addr_parse(peer, &t.peer));
	return t;
}

static struct path_result run(const struct probe_target *t, char version[66])
{
	struct err err = {0};
	struct path_result r;
	struct path_options o = {
	        .smallest = probe_smallest(t), .limit = 9180, .gap_ns = NS_PER_MS};
	struct probe_socket *s = probe_socket_open(t, &err);
	if (!s)
		fail_msg("%s", err.text);
	struct probe_net net = probe_socket_net(s);
	path_find(&net, &o, &r);
	if (version)
		strcpy(version, probe_socket_version(s));
	probe_socket_close(s);
	return r;
}

static void test_methods(void **state)
{
	(void)state;
	static const struct {
		enum probe_method method;
		const char *peer;
		uint16_t port;
	} rows[] = {
	        {PROBE_RX, "10.9.0.2", RX_PORT},    {PROBE_RX, "fd09::2", RX_PORT},
	        {PROBE_UDP, "10.9.0.2", ECHO_PORT}, {PROBE_UDP, "fd09::2", ECHO_PORT},
	        {PROBE_ICMP, "10.9.0.2", 0},        {PROBE_ICMP, "fd09::2", 0}};
	struct far f = far_start();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct probe_target t =
		        target(rows[i].method, rows[i].peer, rows[i].port);
		char version[66];
		struct path_result r = run(&t, version);
		assert_string_equal(path_end_id(r.end), "found");
		assert_int_equal(r.passes, 9180);
		assert_int_equal(r.fails, 0);
		assert_string_equal(version,
		                    rows[i].method == PROBE_RX ? " test 1.8" : "");
	}
	far_stop(&f);
}

/* A hole of exactly this size, made where the packets arrive. */
static void hole(const struct far *f, const char *family, uint32_t size)
{
	netns_run("nsenter --net=/proc/%d/ns/net nft 'table netdev t { chain c { type "
	          "filter "
	          "hook ingress device v1 priority 0; %s meta length > %u drop; }; }'",
	          (int)f->pid, family, size);
}

static void test_hole(void **state)
{
	(void)state;
	struct far f = far_start();
	hole(&f, "", 3333);
	struct probe_target t = target(PROBE_RX, "10.9.0.2", RX_PORT);
	struct path_result r = run(&t, NULL);
	assert_int_equal(r.end, PATH_FOUND);
	assert_int_equal(r.passes, 3333);
	assert_int_equal(r.fails, 3334);
	assert_true(r.silent_loss);
	t = target(PROBE_ICMP, "fd09::2", 0);
	r = run(&t, NULL);
	assert_int_equal(r.passes, 3333);
	far_stop(&f);
}

static void test_refused(void **state)
{
	(void)state;
	struct far f = far_start();
	struct probe_target t = target(PROBE_RX, "10.9.0.2", 7099);
	struct path_result r = run(&t, NULL);
	assert_int_equal(r.end, PATH_REFUSED);
	assert_true(r.has_from);
	t = target(PROBE_RX, "fd09::2", 7099);
	assert_int_equal(run(&t, NULL).end, PATH_REFUSED);
	/* nobody there: ARP says so after three seconds, the probe gives up after four
	 */
	t = target(PROBE_RX, "10.9.0.77", RX_PORT);
	r = run(&t, NULL);
	assert_int_equal(r.end, PATH_UNREACHABLE);
	far_stop(&f);
}

static void test_own_firewall(void **state)
{
	(void)state;
	struct far f = far_start();
	netns_run("nft 'table ip t { chain c { type filter hook output priority 0; udp "
	          "dport "
	          "7000 drop; }; }'");
	struct probe_target t = target(PROBE_RX, "10.9.0.2", RX_PORT);
	assert_int_equal(run(&t, NULL).end, PATH_FORBIDDEN);
	far_stop(&f);
}

/* The interface goes while the probe runs: with another route left, too. */
static void test_vanishes(void **state)
{
	(void)state;
	struct far f = far_start();
	netns_run("ip link add w0 type veth peer name w1 && ip link set w0 up &&"
	          "ip address add 10.8.0.1/24 dev w0 && ip route add default via "
	          "10.8.0.2");
	hole(&f, "", 3333);
	pid_t saboteur = fork();
	if (saboteur == 0) {
		usleep(300000);
		_exit(system("ip link set v0 down"));
	}
	struct probe_target t = target(PROBE_RX, "10.9.0.2", RX_PORT);
	assert_string_equal(path_end_id(run(&t, NULL).end), "interface-gone");
	int status;
	waitpid(saboteur, &status, 0);
	netns_run("ip link delete v0");
	struct err err = {0};
	assert_null(probe_socket_open(&t, &err));
	assert_non_null(strstr(err.text, "v0"));
	far_stop(&f);
}

static void test_source(void **state)
{
	(void)state;
	struct far f = far_start();
	struct err err = {0};
	struct probe_target t = target(PROBE_RX, "10.9.0.2", RX_PORT);
	t.has_source = true;
	assert_true(addr_parse("10.9.0.1", &t.source));
	assert_int_equal(run(&t, NULL).passes, 9180);
	assert_true(addr_parse("10.9.0.55", &t.source));
	assert_null(probe_socket_open(&t, &err));
	assert_non_null(strstr(err.text, "10.9.0.55"));
	far_stop(&f);
}

static void test_stop(void **state)
{
	(void)state;
	struct far f = far_start();
	volatile sig_atomic_t stop = 1;
	struct probe_target t = target(PROBE_RX, "10.9.0.2", RX_PORT);
	t.stop = &stop;
	assert_int_equal(run(&t, NULL).end, PATH_STOPPED);
	far_stop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_methods),  cmocka_unit_test(test_hole),
	        cmocka_unit_test(test_refused),  cmocka_unit_test(test_own_firewall),
	        cmocka_unit_test(test_vanishes), cmocka_unit_test(test_source),
	        cmocka_unit_test(test_stop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
