/* What a plain program on libpcap needs to look at every frame of a file.
 * pcap_loop FILE; prints frames and bytes. */
#include <pcap/pcap.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	char why[PCAP_ERRBUF_SIZE] = "usage: pcap_loop FILE";
	pcap_t *p = argc > 1 ? pcap_open_offline(argv[1], why) : NULL;
	if (!p) {
		fprintf(stderr, "%s\n", why);
		return 2;
	}
	struct pcap_pkthdr *h;
	const unsigned char *bytes;
	unsigned long long frames = 0, total = 0;
	while (pcap_next_ex(p, &h, &bytes) == 1) {
		frames++;
		total += h->len + (bytes[0] & 0u);
	}
	printf("frames %llu wirelen %llu\n", frames, total);
	pcap_close(p);
	return 0;
}
