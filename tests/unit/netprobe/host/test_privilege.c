#include "netprobe/host/privilege.h"

#include "tests/support/tmpdir.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void need_root(void)
{
	if (geteuid() != 0) {
		print_message("needs root\n");
		skip();
	}
}

static void sudo_gives_files_to_the_caller_where_he_may_write(void **state)
{
	(void)state;
	need_root();
	char *dir = tmpdir_make();
	char path[4096];
	snprintf(path, sizeof path, "%s/x.pcapng", dir);
	setenv("SUDO_UID", "12345", 1);
	setenv("SUDO_GID", "12346", 1);
	assert_int_equal(privilege_owner(path).uid, 0); /* a folder of root's */
	assert_int_equal(chown(dir, 12345, 0), 0);
	assert_int_equal(privilege_owner(path).uid, 12345);
	assert_int_equal(privilege_owner(path).gid, 12346);
	assert_int_equal(chown(dir, 0, 0), 0);
	assert_int_equal(chmod(dir, 01777), 0);
	assert_int_equal(privilege_owner(path).uid, 12345);
	setenv("SUDO_UID", "12345x", 1);
	assert_int_equal(privilege_owner(path).uid, 0);
	unsetenv("SUDO_UID");
	assert_int_equal(privilege_owner(path).uid, 0);
	assert_int_equal(privilege_owner("/no/such/folder/x").uid, 0);
	unsetenv("SUDO_GID");
	tmpdir_remove(dir);
}

/* In a child: 0 where nothing can be done any more that root can. */
static int drop_and_try(struct privilege_owner owner)
{
	struct err err = {0};
	if (privilege_drop(owner, &err) < 0)
		return 1;
	if (geteuid() != owner.uid || getegid() != owner.gid)
		return 2;
	if (socket(AF_PACKET, SOCK_RAW, 0) >= 0)
		return 3;
	if (owner.uid != 0 && setuid(0) == 0)
		return 4;
	return owner.uid == 0 || open("/etc/shadow", O_RDONLY) < 0 ? 0 : 5;
}

static void nothing_is_kept(void **state)
{
	static const struct privilege_owner owners[] = {{0, 0}, {12345, 12346}};
	(void)state;
	need_root();
	for (size_t i = 0; i < 2; i++) {
		int status;
		pid_t child = fork();
		assert_true(child >= 0);
		if (child == 0)
			_exit(drop_and_try(owners[i]));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sudo_gives_files_to_the_caller_where_he_may_write),
	        cmocka_unit_test(nothing_is_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
