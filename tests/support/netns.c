#include "tests/support/netns.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

void netns_enter(void)
{
	if (geteuid() != 0 || unshare(CLONE_NEWNET) < 0) {
		print_message("needs root and network namespaces\n");
		skip();
	}
	netns_run("ip link set lo up");
}

void netns_run(const char *fmt, ...)
{
	char command[1024];
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(command, sizeof command, fmt, args);
	va_end(args);
	assert_in_range(n, 1, (int)sizeof command - 1);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}
