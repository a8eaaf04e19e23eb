/* `netprobe record`: captures on interfaces into a pcapng file. */
#ifndef NETPROBE_CMD_RECORD_H
#define NETPROBE_CMD_RECORD_H

/* argv[0] is "record".  Returns the exit code. */
int cmd_record(int argc, char **argv);

#endif
