#ifndef CMD_LINKS_H
#define CMD_LINKS_H

/* netprobe links: what a packet, a call or a capture costs on every kind of link. */
int cmd_links(int argc, char **argv);

#endif
