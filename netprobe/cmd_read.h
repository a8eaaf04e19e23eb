/* `netprobe read`: analyses capture files. */
#ifndef NETPROBE_CMD_READ_H
#define NETPROBE_CMD_READ_H

/* argv[0] is "read".  Returns the exit code. */
int cmd_read(int argc, char **argv);

#endif
