/* Writes a capture of AFS traffic for measuring: the same options give the
 * same bytes.
 *
 *   generate [--packets N] [--connections N] [--acks-only] [--snaplen N] FILE
 *
 * Every connection is a client of its own that fetches: a request, then data in
 * turn as jumbograms of 5688 bytes cut into four fragments and as packets of
 * 1444 bytes, an ack for every datagram, one datagram in 64 sent again
 * under a new serial.  With --acks-only there are only acks, of 93 bytes IP
 * length.  1.44 million packets are about 1.5 GB. */
#include "src/base/cursor.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ETHERNET 14u
#define IP 20u
#define UDP 8u
#define RX 28u
#define MTU 1500u
#define JUMBO_PAYLOAD 5688u /* Rx header, four packets, three headers between */
#define PLAIN_PAYLOAD 1444u
#define ACK_PAYLOAD (93u - IP - UDP)
#define REQUEST_PAYLOAD (RX + 44u)
#define CALL_DATAGRAMS 64u
#define RESEND_EVERY 64u
#define NOISE (4u << 20)
#define STEP_NS 8000 /* between packets */

enum { RX_DATA = 1, RX_ACK = 2 };
enum { CLIENT = 0x01, REQUEST_ACK = 0x02, LAST = 0x04, JUMBO = 0x20 };

struct options {
	uint64_t packets;
	uint32_t connections, snaplen;
	bool acks_only;
	const char *path;
};

struct connection {
	uint32_t call, seq, sent; /* sent = datagrams of this call */
	uint32_t serial[2];       /* of the server, of the client */
};

struct writer {
	FILE *out;
	uint64_t left; /* packets still to be written */
	uint32_t snaplen;
	uint64_t time_ns;
	uint16_t ip_id;
	uint8_t datagram[UDP + JUMBO_PAYLOAD];
	uint8_t noise[NOISE]; /* file data that no packer can shrink */
};

static void put16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v & 0xffff);
}

static void ip_checksum(uint8_t *ip)
{
	uint32_t sum = 0;
	for (unsigned i = 0; i < IP; i += 2)
		sum += be16(ip + i);
	sum = (sum & 0xffff) + (sum >> 16);
	put16(ip + 10, ~(sum + (sum >> 16)) & 0xffff);
}

/* One frame: a piece of the datagram in w. */
static void write_frame(struct writer *w, uint32_t src, uint32_t dst, unsigned offset,
                        unsigned n, bool more)
{
	if (w->left == 0)
		return;
	w->left--;
	w->time_ns += STEP_NS;
	uint8_t frame[16 + ETHERNET + MTU] = {0};
	uint8_t *ether = frame + 16, *ip = ether + ETHERNET;
	uint32_t wirelen = ETHERNET + IP + n;
	uint32_t caplen = w->snaplen && w->snaplen < wirelen ? w->snaplen : wirelen;
	put32(frame, (uint32_t)(w->time_ns / 1000000000));
	put32(frame + 4, (uint32_t)(w->time_ns % 1000000000));
	put32(frame + 8, caplen);
	put32(frame + 12, wirelen);
	ether[5] = 1;
	ether[11] = 2;
	put16(ether + 12, 0x0800);
	ip[0] = 0x45;
	put16(ip + 2, IP + n);
	put16(ip + 4, w->ip_id);
	put16(ip + 6, offset / 8 | (more ? 0x2000u : 0));
	ip[8] = 64;
	ip[9] = 17;
	put32(ip + 12, src);
	put32(ip + 16, dst);
	ip_checksum(ip);
	memcpy(ip + IP, w->datagram + offset, n);
	fwrite(frame, 1, 16 + caplen, w->out);
}

static void write_datagram(struct writer *w, bool from_client, uint32_t client,
                           unsigned payload)
{
	const uint32_t server = 0x0a4d0101;
	uint32_t src = from_client ? client : server,
	         dst = from_client ? server : client;
	put16(w->datagram, from_client ? 7001 : 7000);
	put16(w->datagram + 2, from_client ? 7000 : 7001);
	put16(w->datagram + 4, UDP + payload);
	put16(w->datagram + 6, 0);
	w->ip_id++;
	const unsigned piece = (MTU - IP) & ~7u, all = UDP + payload;
	for (unsigned at = 0; at < all; at += piece) {
		unsigned n = all - at < piece ? all - at : piece;
		write_frame(w, src, dst, at, n, at + n < all);
	}
}

/* Rx header of connection number c, at the start of the payload. */
static void rx_header(struct writer *w, struct connection *c, uint32_t number,
                      bool from_client, unsigned type, unsigned flags, uint32_t seq)
{
	uint8_t *rx = w->datagram + UDP;
	memset(rx, 0, RX);
	put32(rx, 0x5f000000 + (number >> 16));
	put32(rx + 4, 0x80000000 | number << 2);
	put32(rx + 8, c->call);
	put32(rx + 12, seq);
	put32(rx + 16, ++c->serial[from_client]);
	rx[20] = (uint8_t)type;
	rx[21] = (uint8_t)(flags | (from_client ? CLIENT : 0));
	put16(rx + 26, 1); /* service: file server */
}

static void write_request(struct writer *w, struct connection *c, uint32_t number,
                          uint32_t client)
{
	c->call++;
	c->seq = 1;
	c->sent = 0;
	rx_header(w, c, number, true, RX_DATA, LAST, 1);
	uint8_t *body = w->datagram + UDP + RX;
	memset(body, 0, REQUEST_PAYLOAD - RX);
	put32(body, 65537); /* FetchData64 */
	put32(body + 4, 536870915);
	put32(body + 8, 2);
	put32(body + 12, 1);
	put32(body + 28, 1 << 20);
	write_datagram(w, true, client, REQUEST_PAYLOAD);
}

static void write_ack(struct writer *w, struct connection *c, uint32_t number,
                      uint32_t client)
{
	rx_header(w, c, number, true, RX_ACK, 0, 0);
	uint8_t *body = w->datagram + UDP + RX;
	memset(body, 0, ACK_PAYLOAD - RX);
	put32(body + 4, c->seq);
	put32(body + 8, c->seq ? c->seq - 1 : 0);
	put32(body + 12, c->serial[0]);
	body[16] = 1; /* requested */
	const uint32_t trailer[] = {5692, 1444, 32, 4};
	for (unsigned i = 0; i < 4; i++)
		put32(body + 21 + 4 * i, trailer[i]);
	write_datagram(w, true, client, ACK_PAYLOAD);
}

/* A jumbogram of four packets or a plain packet; again under a new serial now
 * and then, as if the first had been lost. */
static void write_data(struct writer *w, struct connection *c, uint32_t number,
                       uint32_t client)
{
	bool jumbo = c->sent % 3 == 0;
	unsigned packets = jumbo ? 4 : 1;
	unsigned payload = jumbo ? JUMBO_PAYLOAD : PLAIN_PAYLOAD;
	bool again = (c->sent + number) % RESEND_EVERY == RESEND_EVERY - 1;
	for (int copy = 0; copy <= again; copy++) {
		unsigned last = c->sent + 1 == CALL_DATAGRAMS ? LAST : 0;
		rx_header(w, c, number, false, RX_DATA,
		          jumbo ? JUMBO : REQUEST_ACK | last, c->seq);
		uint8_t *body = w->datagram + UDP + RX;
		memcpy(body, w->noise + w->left * 1447 % (NOISE - JUMBO_PAYLOAD),
		       payload - RX);
		for (unsigned i = 1; i < packets; i++) {
			/* 4-byte header behind the 1412 bytes of each but the last */
			uint8_t *small = body + i * 1412 + (i - 1) * 4;
			memset(small, 0, 4);
			small[0] =
			        (uint8_t)(i + 1 < packets ? JUMBO : REQUEST_ACK | last);
		}
		c->serial[0] += packets - 1;
		write_datagram(w, false, client, payload);
	}
	c->seq += packets;
	c->sent++;
}

static void write_traffic(struct writer *w, const struct options *o,
                          struct connection *all)
{
	for (uint64_t turn = 0; w->left > 0; turn++) {
		uint32_t number = (uint32_t)(turn % o->connections);
		struct connection *c = &all[number];
		uint32_t client = 0x0a4d0200 + number % 50000;
		if (o->acks_only) {
			c->call = 1;
			c->seq++;
			write_ack(w, c, number, client);
			continue;
		}
		if (c->call == 0 || c->sent == CALL_DATAGRAMS)
			write_request(w, c, number, client);
		write_data(w, c, number, client);
		write_ack(w, c, number, client);
	}
}

static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct option names[] = {{"packets", 1, NULL, 'p'},
	                                      {"connections", 1, NULL, 'c'},
	                                      {"snaplen", 1, NULL, 's'},
	                                      {"acks-only", 0, NULL, 'a'},
	                                      {0}};
	*o = (struct options){.packets = 1440000, .connections = 16};
	int c;
	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (c == 'p')
			o->packets = strtoull(optarg, NULL, 10);
		else if (c == 'c')
			o->connections = (uint32_t)strtoul(optarg, NULL, 10);
		else if (c == 's')
			o->snaplen = (uint32_t)strtoul(optarg, NULL, 10);
		else if (c == 'a')
			o->acks_only = true;
		else
			return -1;
	}
	if (optind + 1 != argc || o->connections == 0)
		return -1;
	o->path = argv[optind];
	return 0;
}

int main(int argc, char **argv)
{
	struct options o;
	if (parse_options(argc, argv, &o) < 0) {
		fprintf(stderr, "usage: generate [--packets N] [--connections N] "
		                "[--acks-only] [--snaplen N] FILE\n");
		return 2;
	}
	struct writer *w = calloc(1, sizeof *w);
	struct connection *all = calloc(o.connections, sizeof *all);
	FILE *out = strcmp(o.path, "-") == 0 ? stdout : fopen(o.path, "wb");
	if (!w || !all || !out) {
		perror(o.path);
		return 3;
	}
	w->out = out;
	w->left = o.packets;
	w->snaplen = o.snaplen;
	w->time_ns = UINT64_C(1700000000) * 1000000000;
	uint32_t state = 1;
	for (size_t i = 0; i < sizeof w->noise; i++) {
		state = state * 1664525 + 1013904223; /* Numerical Recipes' generator */
		w->noise[i] = (uint8_t)(state >> 24);
	}
	setvbuf(out, NULL, _IOFBF, 1 << 20);
	uint8_t header[24] = {0xa1, 0xb2, 0x3c, 0x4d, 0, 2, 0, 4};
	put32(header + 16, o.snaplen ? o.snaplen : 262144);
	put32(header + 20, 1);
	fwrite(header, 1, sizeof header, out);
	write_traffic(w, &o, all);
	free(all);
	free(w);
	if (fclose(out) != 0) {
		perror(o.path);
		return 3;
	}
	return 0;
}
