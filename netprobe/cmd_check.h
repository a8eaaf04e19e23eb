#ifndef CMD_CHECK_H
#define CMD_CHECK_H

/* netprobe check: from this host to its peers, interface by interface: which MTU the
 * kernel takes, what gets through, what Rx should send.  Returns the exit code. */
int cmd_check(int argc, char **argv);

#endif
