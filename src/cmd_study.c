#include "src/command.h"
int cmd_study(int argc, char **argv) { (void)argc; (void)argv; return 2; }
