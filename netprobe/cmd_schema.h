/* `netprobe schema`. */
#ifndef NETPROBE_CMD_SCHEMA_H
#define NETPROBE_CMD_SCHEMA_H

int cmd_schema(int argc, char **argv);

#endif
