#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/run/run.h"

static int parse(const char *text, struct cpu_reading *out)
{
	FILE *f = fmemopen((char *)(uintptr_t)text, strlen(text), "r");
	int r = cpu_parse(f, out);
	fclose(f);
	return r;
}

static void test_cpu_parse(void **state)
{
	(void)state;
	int64_t tick = NS_PER_S / sysconf(_SC_CLK_TCK);
	struct cpu_reading r;
	/* user nice system idle iowait irq softirq steal guest guest_nice */
	assert_int_equal(
	        parse("cpu  100 20 30 4000 500 6 7 80 50 9\ncpu0 1 2 3 4\n", &r), 0);
	assert_int_equal(r.busy_ns, (100 + 20 + 30 + 6 + 7) * tick);
	assert_int_equal(r.time_ns, (163 + 4000 + 500 + 80) * tick);
	assert_int_equal(parse("cpu  1 2 3 4\n", &r), 0); /* an old kernel's */
	assert_int_equal(r.time_ns, 10 * tick);
	assert_int_equal(parse("", &r), -1);
	assert_int_equal(parse("intr 5\n", &r), -1);
	assert_int_equal(parse("cpu  1 2\n", &r), -1);
}

/* A child that works for so long and is then held. */
static pid_t worker(int64_t ns)
{
	pid_t pid = fork();
	if (pid == 0) {
		while (clock_cpu_ns() < ns)
			;
		raise(SIGSTOP);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	return pid;
}

static json_t *lab_of(const char *name, pid_t pid, const char *command)
{
	return json_pack("{s:[{s:s, s:i, s:s}, {s:s, s:i, s:s}]}", "servers", "name",
	                 "vlserver", "pid", (int)getpid(), "command", "x", "name", name,
	                 "pid", (int)pid, "command", command);
}

/* The words of this process, as lab.json has them. */
static void own_command(char *text, size_t room)
{
	FILE *f = fopen("/proc/self/cmdline", "r");
	size_t n = fread(text, 1, room - 1, f);
	fclose(f);
	text[n] = '\0';
	for (size_t i = 0; i + 1 < n; i++)
		if (text[i] == '\0')
			text[i] = ' ';
}

static void test_cpu_of_a_server(void **state)
{
	(void)state;
	char command[4096];
	struct cpu_servers s;
	struct cpu_reading a, b;
	struct run_cpu c = {0};
	own_command(command, sizeof command);
	pid_t pid = worker(30 * NS_PER_MS);
	json_t *lab = lab_of("fileserver", pid, command);
	cpu_servers_of_lab(&s, lab);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.pids[0], pid);
	cpu_read(&s, &b);
	assert_true(b.server_ns >= 30 * NS_PER_MS);
	assert_true(b.time_ns > b.busy_ns && b.busy_ns > 0);
	a = b;
	a.server_ns -= 5;
	a.busy_ns -= 7;
	a.time_ns -= 11;
	cpu_between(&a, &b, &c);
	assert_true(c.has_machine && c.has_server && !c.has_split);
	assert_int_equal(c.server_ns, 5);
	assert_int_equal(c.machine_busy_ns, 7);
	assert_int_equal(c.machine_time_ns, 11);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	cpu_read(&s, &b); /* it is gone: not known, and not 0 */
	cpu_between(&a, &b, &c);
	assert_false(c.has_server);
	assert_true(c.has_machine);
	json_decref(lab);
}

/* What is no server, or no longer the one that was started, is not counted. */
static void test_cpu_of_no_server(void **state)
{
	(void)state;
	char command[4096];
	struct cpu_servers s;
	struct cpu_reading r;
	own_command(command, sizeof command);
	json_t *labs[] = {NULL,
	                  json_object(),
	                  lab_of("volserver", getpid(), command),
	                  lab_of("fileserver", getpid(), "/usr/lib/openafs/fileserver"),
	                  lab_of("fileserver", 0, ""),
	                  lab_of("fileserver", 0x7ffffff0, command)};
	for (size_t i = 0; i < sizeof labs / sizeof *labs; i++) {
		cpu_servers_of_lab(&s, labs[i]);
		assert_int_equal(s.n, 0);
		cpu_read(&s, &r);
		assert_int_equal(r.server_ns, -1);
		json_decref(labs[i]);
	}
}

static void test_cpu_between_unknown(void **state)
{
	(void)state;
	struct cpu_reading no = {-1, -1, -1}, some = {5, 50, 500}, less = {4, 60, 400};
	struct run_cpu c = {0};
	cpu_between(&no, &some, &c);
	assert_false(c.has_machine || c.has_server);
	cpu_between(&some, &no, &c);
	assert_false(c.has_machine || c.has_server);
	cpu_between(&some, &less, &c); /* started anew */
	assert_false(c.has_machine || c.has_server);
}

static void test_cpu_sums_over_passes(void **state)
{
	(void)state;
	struct run_pass pass = {.stored_ns = 1,
	                        .cpu_ns = 7,
	                        .cpu = {.has_split = true,
	                                .has_machine = true,
	                                .has_server = true,
	                                .user_ns = 3,
	                                .system_ns = 4,
	                                .machine_busy_ns = 300 * NS_PER_MS,
	                                .machine_time_ns = 400 * NS_PER_MS,
	                                .server_ns = 9}};
	struct run_phase p = {0};
	assert_true(isnan(run_phase_machine(&p)));
	for (int i = 0; i < 2; i++)
		assert_int_equal(run_add_pass(&p, &pass), 0);
	assert_true(p.cpu.has_split && p.cpu.has_machine && p.cpu.has_server);
	assert_int_equal(p.cpu.user_ns + p.cpu.system_ns, p.cpu_ns);
	assert_int_equal(p.cpu.server_ns, 18);
	assert_true(run_phase_machine(&p) == 0.75);
	pass.cpu.has_server = false;
	assert_int_equal(run_add_pass(&p, &pass), 0);
	assert_false(p.cpu.has_server); /* one pass unknown, the sum unknown */
	assert_true(p.cpu.has_machine);
	p.cpu.machine_time_ns = 199 * NS_PER_MS; /* a few ticks are no share */
	assert_true(isnan(run_phase_machine(&p)));
	free(p.passes);
}

static void test_cpu_json(void **state)
{
	(void)state;
	struct run_cpu c = {.has_split = true, .user_ns = 5, .system_ns = 0};
	json_t *o = cpu_json(&c);
	assert_int_equal(json_object_size(o), 5);
	assert_true(json_is_integer(json_object_get(o, "driver_system_ns")));
	assert_true(json_is_null(json_object_get(o, "server_ns")));
	assert_true(json_is_null(json_object_get(o, "machine_busy_ns")));
	struct run_cpu back = cpu_from_json(o);
	assert_memory_equal(&back, &c, sizeof c);
	json_decref(o);
	back = cpu_from_json(NULL); /* a record of an older program */
	assert_false(back.has_split || back.has_machine || back.has_server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_cpu_parse),
	        cmocka_unit_test(test_cpu_of_a_server),
	        cmocka_unit_test(test_cpu_of_no_server),
	        cmocka_unit_test(test_cpu_between_unknown),
	        cmocka_unit_test(test_cpu_sums_over_passes),
	        cmocka_unit_test(test_cpu_json),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
