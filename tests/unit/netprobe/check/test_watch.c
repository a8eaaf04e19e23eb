/* A live capture on the loopback of a network namespace of its own. */
#include "netprobe/check/watch.h"

#include <arpa/inet.h>
#include <cap-ng.h>
#include <net/if.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

static const struct host_iface lo = {
        .name = "lo", .index = 1, .up = true, .addresses = "127.0.0.1/8"};
static const char *const names[] = {"lo"};
static const struct peers none;

static int enter_namespace(void **state)
{
	struct ifreq r = {.ifr_name = "lo"};
	(void)state;
	if (geteuid() != 0 || unshare(CLONE_NEWNET) < 0)
		return 0;
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	ioctl(s, SIOCGIFFLAGS, &r);
	r.ifr_flags |= IFF_UP;
	ioctl(s, SIOCSIFFLAGS, &r);
	close(s);
	return 0;
}

static void need_root(void)
{
	if (geteuid() != 0) {
		print_message("needs root and network namespaces\n");
		skip();
	}
}

/* An Rx packet from port 7001 to 7000 of the loopback: type, and UDP payload. */
static void send_rx(uint8_t type, uint8_t seq, size_t size)
{
	uint8_t bytes[4000] = {0x80, 0,   0, 1, 0, 0, 0,    4, 0, 0, 0, 1, 0, 0,
	                       0,    seq, 0, 0, 0, 1, type, 1, 0, 0, 0, 0, 0, 1};
	bytes[19] = seq ? seq : 99; /* serial */
	int s = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_port = htons(7001),
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	assert_int_equal(bind(s, (struct sockaddr *)&a, sizeof a), 0);
	a.sin_port = htons(7000);
	assert_int_equal(sendto(s, bytes, size, 0, (struct sockaddr *)&a, sizeof a),
	                 size);
	close(s);
}

static void sees_data_and_keeps_what_the_caller_may(void **state)
{
	struct err err = {0};
	struct seen_list seen = {0};
	struct addr a;
	(void)state;
	need_root();
	struct watch *w = watch_begin(names, 1, &none, &lo, 1, &err);
	if (!w)
		fail_msg("%s", err.text);
	send_rx(13, 0, 3000); /* VERSION: no data */
	send_rx(1, 1, 1444);
	send_rx(1, 2, 1200);
	assert_false(watch_over(w));
	if (watch_end(w, &seen, &err) != 0)
		fail_msg("%s", err.text);
	addr_parse("127.0.0.1", &a);
	const struct seen *s = seen_of(&seen, &a, "lo");
	assert_non_null(s);
	assert_int_equal(s->way[SEEN_SENT].datagrams, 2);
	assert_int_equal(s->way[SEEN_SENT].largest, 1444);
	assert_true(seen.live);
	seen_free(&seen);
	/* the threads gave up privileges, this one did not */
	capng_get_caps_process();
	assert_true(capng_have_capability(CAPNG_EFFECTIVE, CAP_NET_ADMIN));
}

static void what_cannot_be_captured_on(void **state)
{
	static const char *const wrong[] = {"nosuch0"};
	struct err err = {0};
	(void)state;
	assert_null(watch_begin(wrong, 1, &none, &lo, 1, &err));
	assert_int_equal(err.code, ERR_ENVIRONMENT);
	assert_non_null(strstr(err.text, "nosuch0"));
}

static void ports_of_peers(void **state)
{
	struct err err = {0};
	struct peers many = {0};
	struct addr a;
	(void)state;
	addr_parse("10.0.0.1", &a);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(
		        peers_add_address(&many, "", &a, (uint16_t)(20000 + i), &err),
		        0);
	assert_null(watch_begin(names, 1, &many, &lo, 1, &err));
	assert_int_equal(err.code, ERR_USAGE);
	peers_free(&many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sees_data_and_keeps_what_the_caller_may),
	        cmocka_unit_test(what_cannot_be_captured_on),
	        cmocka_unit_test(ports_of_peers),
	};
	return cmocka_run_group_tests_name("check/watch", tests, enter_namespace, NULL);
}
