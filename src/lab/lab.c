#include "src/lab/lab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the scripts are below a folder above the executable: in the tree, installed. */
static const char *const places[] = {"/src/lab/lab.sh", "/libexec/cellbench/lab.sh"};

static const char shell[] = "/bin/bash";

/* Writes dir (len bytes of it) followed by tail; -1 where path is too small. */
static int join(char *path, size_t size, const char *dir, size_t len, const char *tail)
{
	int n = snprintf(path, size, "%.*s%s", (int)len, dir, tail);

	return n >= 0 && (size_t)n < size ? 0 : -1;
}

int lab_script(const char *exe, char *path, size_t size, struct err *e)
{
	const char *slash = exe + strlen(exe);

	while ((slash = memrchr(exe, '/', (size_t)(slash - exe))) != NULL) {
		size_t len = (size_t)(slash - exe);

		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
			if (join(path, size, exe, len, places[i]) == 0 &&
			    access(path, R_OK) == 0)
				return 0;
	}
	return err_set(e, ERR_ENVIRONMENT,
	               "the lab's scripts are nowhere above %s; run make install", exe);
}

/* Fills args (room for argc + 2) with: bash, the script, the command's arguments. */
static void script_args(char **args, char *script, int argc, char **argv)
{
	static char name[] = "bash";
	int n = 0;

	args[n++] = name;
	args[n++] = script;
	for (int i = 1; i < argc; i++)
		args[n++] = argv[i];
	args[n] = NULL;
}

static int lab_exec(int argc, char **argv, struct err *e)
{
	char exe[4096], script[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char **args;

	if (n < 0)
		return err_sys(e, errno, "/proc/self/exe cannot be read");
	exe[n] = '\0';
	if (lab_script(exe, script, sizeof(script), e) < 0)
		return -1;
	args = calloc((size_t)argc + 2, sizeof(*args));
	if (args == NULL)
		return err_sys(e, errno, "the command line of the lab");
	script_args(args, script, argc, argv);
	execv(shell, args);
	err_sys(e, errno, "%s cannot be started", shell);
	free(args);
	return -1;
}

int cmd_lab(int argc, char **argv)
{
	struct err e = {0};

	lab_exec(argc, argv, &e);
	fprintf(stderr, "cellbench lab: %s\n", e.text);
	return (int)e.code;
}
