/* Records on the loopback of a network namespace of its own, as the driver does. */
#include "netprobe/cmd_record.h"
#include "netprobe/source/source.h"
#include "tests/support/capture_build.h"
#include "tests/support/tmpdir.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* The probe in a child, with pipes to its standard input and output. */
struct probe {
	pid_t pid;
	int in;
	FILE *out;
	char path[96];
	char *tmp;
};

static bool enter_namespace(void)
{
	struct ifreq lo = {.ifr_name = "lo"};
	if (geteuid() != 0 || unshare(CLONE_NEWNET) < 0)
		return false;
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	ioctl(s, SIOCGIFFLAGS, &lo);
	lo.ifr_flags |= IFF_UP;
	bool up = ioctl(s, SIOCSIFFLAGS, &lo) == 0;
	close(s);
	return up;
}

static void need_namespace(void)
{
	if (!enter_namespace()) {
		print_message("needs root and network namespaces\n");
		skip();
	}
}

/* words end with NULL; -i, -w and --control are put in front. */
static void start_on(struct probe *p, const char *ifaces, const char *const *words)
{
	int in[2], out[2];
	char *argv[32] = {0};
	int argc = 0;
	p->tmp = tmpdir_make();
	snprintf(p->path, sizeof p->path, "%s/x.pcapng", p->tmp);
	const char *const first[] = {"record", "-i",    ifaces,
	                             "-w",     p->path, "--control"};
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		argv[argc++] = strdup(first[i]);
	for (; *words; words++)
		argv[argc++] = strdup(*words);
	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	p->pid = fork();
	assert_true(p->pid >= 0);
	if (p->pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[1]);
		close(out[0]);
		_exit(cmd_record(argc, argv));
	}
	while (argc > 0)
		free(argv[--argc]);
	close(in[0]);
	close(out[1]);
	p->in = in[1];
	p->out = fdopen(out[0], "r");
}

static void start(struct probe *p, const char *const *words)
{
	start_on(p, "lo", words);
}

static void expect(struct probe *p, const char *line)
{
	char got[256] = "";
	assert_non_null(fgets(got, sizeof got, p->out));
	got[strcspn(got, "\n")] = '\0';
	assert_string_equal(got, line);
}

static void say(struct probe *p, const char *line)
{
	assert_int_equal(write(p->in, line, strlen(line)), strlen(line));
}

static int end(struct probe *p)
{
	int status = -1;
	if (p->in >= 0)
		close(p->in);
	fclose(p->out);
	assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void send_udp(unsigned port, unsigned n, size_t bytes)
{
	static const char payload[30000];
	struct sockaddr_in to = {.sin_family = AF_INET,
	                         .sin_port = htons((uint16_t)port),
	                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	for (unsigned i = 0; i < n; i++)
		sendto(s, payload, bytes, 0, (struct sockaddr *)&to, sizeof to);
	close(s);
}

/* Something must listen, or ICMP errors come too. */
static int listen_udp(unsigned port)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
	                         .sin_port = htons((uint16_t)port),
	                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	assert_int_equal(bind(s, (struct sockaddr *)&at, sizeof at), 0);
	return s;
}

static void accounts_for_every_packet(void **state)
{
	struct probe p = {0};
	(void)state;
	need_namespace();
	int a = listen_udp(7000), b = listen_udp(9999);
	start(&p, (const char *[]){"--account", NULL});
	expect(&p, "ready lo");
	send_udp(7000, 20, 100);
	send_udp(9999, 7, 200);
	say(&p, "begin 1 1700000000000000001 write\n");
	expect(&p, "marked 1");
	send_udp(7000, 30, 1444);
	send_udp(9999, 3, 1000);
	say(&p, "end 1 1700000000000000002\n");
	expect(&p, "marked 1");
	say(&p, "finish\n");
	expect(&p, "done");
	assert_int_equal(end(&p), 0);

	const char *paths[] = {p.path};
	struct capture_read r = capture_read_paths(paths, 1, NULL);
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 50);
	assert_int_equal(r.marks, 2);
	assert_string_equal(r.mark[0].name, "write");
	const struct source_iface *i = source_iface(r.source, 0);
	assert_string_equal(i->name, "lo");
	assert_int_equal(i->mtu, 65536);
	assert_int_equal(i->snaplen, 400);
	assert_non_null(strstr(i->filter, "portrange 7000-7010"));
	assert_true(i->has_kernel && i->has_received && i->has_dropped);
	assert_int_equal(i->dropped, 0);
	assert_int_equal(i->left_out_packets, 10);
	assert_int_equal(i->kernel_packets, r.frames + i->left_out_packets);
	/* 42 bytes of headers on each */
	uint64_t captured = 20 * 142 + 30 * 1486;
	assert_int_equal(i->left_out_bytes, 7 * 242 + 3 * 1042);
	assert_int_equal(i->kernel_bytes, captured + i->left_out_bytes);
	assert_int_equal(r.frame[49].wirelen, 1486);
	assert_int_equal(r.frame[49].caplen, 400);
	for (size_t k = 1; k < 50; k++)
		assert_true(r.frame[k].time_ns >= r.frame[k - 1].time_ns);
	source_close(r.source);
	close(a);
	close(b);
	tmpdir_remove(p.tmp);
}

/* The kernel filters; what is in the ring when the end comes is taken. */
static void drains_before_it_is_done(void **state)
{
	struct probe p = {0};
	(void)state;
	need_namespace();
	int a = listen_udp(7000), b = listen_udp(9999);
	start(&p, (const char *[]){"-s", "96", NULL});
	expect(&p, "ready lo");
	send_udp(9999, 5, 100);
	send_udp(7000, 1000, 60);
	close(p.in); /* end of file means finish */
	p.in = -1;
	expect(&p, "done");
	assert_int_equal(end(&p), 0);
	const char *paths[] = {p.path};
	struct capture_read r = capture_read_paths(paths, 1, NULL);
	assert_int_equal(r.frames, 1000);
	assert_false(source_iface(r.source, 0)->has_kernel);
	assert_int_equal(source_iface(r.source, 0)->received, 1000);
	assert_int_equal(r.frame[0].caplen, 96);
	source_close(r.source);
	close(a);
	close(b);
	tmpdir_remove(p.tmp);
}

static void a_signal_finishes_it(void **state)
{
	struct probe p = {0};
	(void)state;
	need_namespace();
	int a = listen_udp(7000);
	start(&p, (const char *[]){NULL});
	expect(&p, "ready lo");
	send_udp(7000, 3, 60);
	kill(p.pid, SIGINT);
	expect(&p, "done");
	assert_int_equal(end(&p), 0);
	const char *paths[] = {p.path};
	struct capture_read r = capture_read_paths(paths, 1, NULL);
	assert_int_equal(r.frames, 3);
	source_close(r.source);
	close(a);
	tmpdir_remove(p.tmp);
}

static void trouble_is_told_to_the_driver(void **state)
{
	struct probe p = {0};
	char line[256] = "";
	(void)state;
	need_namespace();
	start(&p, (const char *[]){"-i", "no-such-if0", NULL});
	assert_non_null(fgets(line, sizeof line, p.out));
	assert_string_equal(line, "error no interface no-such-if0; there are: lo\n");
	assert_int_equal(end(&p), 3);
	tmpdir_remove(p.tmp);
	start(&p, (const char *[]){NULL});
	expect(&p, "ready lo");
	say(&p, "begin later\n");
	expect(&p, "error cannot understand the driver's line 'begin later'");
	assert_int_equal(end(&p), 2);
	tmpdir_remove(p.tmp);
}

/* What leaves by one end of a veth pair comes in by the other. */
static void interfaces_are_put_in_the_order_of_time(void **state)
{
	struct probe p = {0};
	uint8_t frame[64] = {
	        [0] = 0xff, [12] = 0x88, [13] = 0xb5}; /* for experiments */
	(void)state;
	need_namespace();
	if (system("ip link add v0 type veth peer name v1 && ip link set v0 up && "
	           "ip link set v1 up") != 0) {
		print_message("needs iproute2 and veth\n");
		skip();
	}
	start_on(&p, "v1,v0", (const char *[]){"-f", "ether proto 0x88b5", NULL});
	expect(&p, "ready v1,v0");
	int s = socket(AF_PACKET, SOCK_RAW, 0);
	struct sockaddr_ll to = {.sll_family = AF_PACKET,
	                         .sll_ifindex = (int)if_nametoindex("v0")};
	for (int i = 0; i < 500; i++) {
		assert_int_equal(sendto(s, frame, sizeof frame, 0,
		                        (struct sockaddr *)&to, sizeof to),
		                 sizeof frame);
		usleep(i % 50 == 0 ? 20000 : 10); /* more than one block of the ring */
	}
	close(s);
	say(&p, "finish\n");
	expect(&p, "done");
	assert_int_equal(end(&p), 0);
	const char *paths[] = {p.path};
	struct err err = {0};
	struct source *source = source_open_files(paths, 1, &err);
	struct frame f;
	struct source_mark m;
	int64_t before = 0;
	unsigned frames[2] = {0};
	while (source_next(source, &f, &m, &err) == SOURCE_FRAME) {
		assert_true(f.time_ns >= before);
		before = f.time_ns;
		frames[f.iface]++;
	}
	assert_int_equal(frames[0], 500);
	assert_int_equal(frames[1], 500);
	source_close(source);
	tmpdir_remove(p.tmp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(accounts_for_every_packet),
	        cmocka_unit_test(drains_before_it_is_done),
	        cmocka_unit_test(a_signal_finishes_it),
	        cmocka_unit_test(trouble_is_told_to_the_driver),
	        cmocka_unit_test(interfaces_are_put_in_the_order_of_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
