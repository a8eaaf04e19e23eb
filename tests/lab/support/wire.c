/* A long wire: takes every frame that comes in at one interface and sends it out of the
 * other, both ways, so much later.  The lab's delay where the kernel has no netem.
 *
 *     wire INTERFACE INTERFACE MILLISECONDS
 *
 * Neither interface may be in a bridge.  Prints "ready" and runs until it is killed. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

#define FRAME_MAX 65550u
#define ON_THE_WIRE 4096u /* frames each way; more are dropped, as a queue does */
#define SOCKET_BUFFER (16 << 20)

struct held {
	int64_t due_ns;
	size_t len;
	uint8_t *frame; /* owned */
};

/* One way: from one socket to the other. */
struct way {
	int from, to;
	size_t head, n;
	struct held held[ON_THE_WIRE];
};

static void die(const char *what)
{
	fprintf(stderr, "wire: %s: %s\n", what, strerror(errno));
	exit(3);
}

static int64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int open_end(const char *name)
{
	int on = 1, size = SOCKET_BUFFER;
	struct sockaddr_ll at = {.sll_family = AF_PACKET,
	                         .sll_protocol = htons(ETH_P_ALL),
	                         .sll_ifindex = (int)if_nametoindex(name)};
	int fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (!at.sll_ifindex || fd < 0)
		die(name);
	if (setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0 ||
	    bind(fd, (struct sockaddr *)&at, sizeof at) < 0)
		die(name);
	return fd;
}

/* Takes what has come in. */
static void take(struct way *w, int64_t delay_ns)
{
	static uint8_t frame[FRAME_MAX];
	ssize_t len;
	while ((len = recv(w->from, frame, sizeof frame, MSG_DONTWAIT)) > 0) {
		uint8_t *copy = w->n < ON_THE_WIRE ? malloc((size_t)len) : NULL;
		if (!copy)
			continue;
		memcpy(copy, frame, (size_t)len);
		w->held[(w->head + w->n++) % ON_THE_WIRE] =
		        (struct held){now_ns() + delay_ns, (size_t)len, copy};
	}
}

/* Sends what is due; how long the next one has to wait, -1 = there is none. */
static int64_t give(struct way *w)
{
	while (w->n) {
		struct held *h = &w->held[w->head];
		int64_t left = h->due_ns - now_ns();
		if (left > 0)
			return left;
		/* an interface that is down or full loses it, as any wire may */
		(void)!send(w->to, h->frame, h->len, 0);
		free(h->frame);
		w->head = (w->head + 1) % ON_THE_WIRE;
		w->n--;
	}
	return -1;
}

int main(int argc, char **argv)
{
	static struct way way[2];
	char *end;
	double ms = argc == 4 ? strtod(argv[3], &end) : -1;
	if (argc != 4 || *end || !(ms >= 0 && ms <= 10000)) {
		fputs("Usage: wire INTERFACE INTERFACE MILLISECONDS\n", stderr);
		return 2;
	}
	int a = open_end(argv[1]), b = open_end(argv[2]);
	way[0].from = way[1].to = a;
	way[1].from = way[0].to = b;
	prctl(PR_SET_TIMERSLACK, 1000L, 0, 0, 0);
	puts("ready");
	fflush(stdout);
	for (;;) {
		struct pollfd p[] = {{.fd = a, .events = POLLIN},
		                     {.fd = b, .events = POLLIN}};
		int64_t wait = -1;
		for (int i = 0; i < 2; i++) {
			take(&way[i], (int64_t)(ms * 1e6));
			int64_t left = give(&way[i]);
			if (left >= 0 && (wait < 0 || left < wait))
				wait = left;
		}
		struct timespec t = {wait / 1000000000, wait % 1000000000};
		if (ppoll(p, 2, wait < 0 ? NULL : &t, NULL) < 0 && errno != EINTR)
			die("poll");
	}
}
