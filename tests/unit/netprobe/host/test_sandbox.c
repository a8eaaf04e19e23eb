#include "netprobe/host/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static bool refused(int rc)
{
	return rc < 0 && errno == EPERM;
}

/* What a hostile capture must not be able to do: 0 where none of it works. */
static int try_the_forbidden(void)
{
	char name[] = "/bin/true", *const args[] = {name, NULL};
	if (!refused(open("/etc/passwd", O_RDONLY)))
		return 10;
	if (!refused(socket(AF_INET, SOCK_STREAM, 0)))
		return 11;
	if (!refused(unlink("/tmp/no-such-file")))
		return 12;
	if (!refused(fork()))
		return 13;
	execv(args[0], args);
	if (errno != EPERM)
		return 14;
	return refused(kill(getppid(), 0)) ? 0 : 15;
}

/* What reading and reporting need: 0 where all of it works. */
static int try_the_needed(int fd)
{
	struct stat st;
	char byte;
	char *big = malloc(64u << 20);
	if (!big)
		return 20;
	memset(big, 1, 64u << 20);
	free(big);
	if (read(fd, &byte, 1) != 1 || lseek(fd, 0, SEEK_SET) != 0)
		return 21;
	return fstat(fd, &st) == 0 ? 0 : 22;
}

static void *of_a_thread(void *ctx)
{
	int *gate = ctx;
	char go;
	if (read(gate[0], &go, 1) != 1)
		return (void *)1;
	return (void *)(intptr_t)try_the_forbidden();
}

static int confined_child(void)
{
	struct err err = {0};
	int fd = open("/proc/self/exe", O_RDONLY), gate[2];
	pthread_t thread;
	void *of_thread;
	if (pipe(gate) != 0 || pthread_create(&thread, NULL, of_a_thread, gate) != 0)
		return 30;
	if (sandbox_enter(&err) != 0)
		return 31;
	if (write(gate[1], "g", 1) != 1 || pthread_join(thread, &of_thread) != 0)
		return 32;
	if (of_thread) /* a thread that was there before is confined as well */
		return 33;
	int rc = try_the_forbidden();
	return rc ? rc : try_the_needed(fd);
}

static int code_of(int (*run)(void))
{
	int status;
	pid_t child = fork();
	if (child == 0)
		_exit(run());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void reads_and_computes_and_nothing_else(void **state)
{
	(void)state;
	if (strncmp(sandbox_library_version(), "libseccomp", 10) != 0)
		skip(); /* a build with a sanitizer */
	assert_int_equal(code_of(confined_child), 0);
}

static int unconfined_child(void)
{
	struct err err = {0};
	setenv("NETPROBE_SANDBOX", "off", 1);
	if (sandbox_enter(&err) != 0)
		return 1;
	return open("/proc/self/exe", O_RDONLY) >= 0 ? 0 : 2;
}

static void can_be_turned_off(void **state)
{
	(void)state;
	assert_int_equal(code_of(unconfined_child), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(reads_and_computes_and_nothing_else),
	        cmocka_unit_test(can_be_turned_off),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
