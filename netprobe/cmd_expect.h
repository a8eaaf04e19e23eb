#ifndef CMD_EXPECT_H
#define CMD_EXPECT_H

/* netprobe expect: which sizes an Rx implementation should choose, with the
 * arithmetic.  argv[0] is the command's name; returns the exit code. */
int cmd_expect(int argc, char **argv);

#endif
