/* Sends UDP datagrams as fast as it can, or at a rate: what a live capture has to
 * stand.  flood ADDRESS PORT BYTES COUNT [PER-SECOND]
 * Prints how many were sent in which time. */
#include "src/base/clock.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BATCH 64u

int main(int argc, char **argv)
{
	static char payload[65507];
	struct sockaddr_in to = {.sin_family = AF_INET};
	if (argc < 5 || inet_pton(AF_INET, argv[1], &to.sin_addr) != 1) {
		fprintf(stderr, "usage: flood ADDRESS PORT BYTES COUNT [PER-SECOND]\n");
		return 2;
	}
	to.sin_port = htons((uint16_t)atoi(argv[2]));
	size_t bytes = strtoul(argv[3], NULL, 10);
	unsigned long long left = strtoull(argv[4], NULL, 10), sent = 0;
	double rate = argc > 5 ? strtod(argv[5], NULL) : 0;
	struct iovec iov = {.iov_base = payload,
	                    .iov_len = bytes < sizeof payload ? bytes : sizeof payload};
	struct mmsghdr messages[BATCH] = {0};
	for (size_t i = 0; i < BATCH; i++) {
		messages[i].msg_hdr.msg_name = &to;
		messages[i].msg_hdr.msg_namelen = sizeof to;
		messages[i].msg_hdr.msg_iov = &iov;
		messages[i].msg_hdr.msg_iovlen = 1;
	}
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	int64_t began = clock_mono_ns();
	while (left > 0) {
		int n = sendmmsg(s, messages, left < BATCH ? (unsigned)left : BATCH, 0);
		if (n <= 0) {
			perror("sendmmsg");
			return 3;
		}
		sent += (unsigned)n;
		left -= (unsigned)n;
		int64_t due =
		        rate > 0 ? began + (int64_t)((double)sent / rate * 1e9) : 0;
		int64_t ahead = due - clock_mono_ns();
		if (ahead > 0)
			nanosleep(&(struct timespec){.tv_nsec = ahead}, NULL);
	}
	double took = (double)(clock_mono_ns() - began) / 1e9;
	printf("sent %llu in %.3f s: %.0f a second\n", sent, took, (double)sent / took);
	close(s);
	return 0;
}
