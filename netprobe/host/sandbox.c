#include "netprobe/host/sandbox.h"

#include <seccomp.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define CONFINES 0 /* they look for leaks with a process of their own */
#else
#define CONFINES 1
#endif

/* By what needs them.  Nothing here opens, connects, starts or signals others. */
static const int allowed[] = {
        /* open files and pipes */
        SCMP_SYS(read),
        SCMP_SYS(readv),
        SCMP_SYS(pread64),
        SCMP_SYS(write),
        SCMP_SYS(writev),
        SCMP_SYS(lseek),
        SCMP_SYS(_llseek),
        SCMP_SYS(fstat),
        SCMP_SYS(fstat64),
        SCMP_SYS(close),
        SCMP_SYS(fsync),
        SCMP_SYS(poll),
        SCMP_SYS(ppoll),
        SCMP_SYS(ppoll_time64),
        SCMP_SYS(select),
        SCMP_SYS(pselect6),
        SCMP_SYS(ioctl), /* the size of a terminal */
        /* memory */
        SCMP_SYS(brk),
        SCMP_SYS(mmap),
        SCMP_SYS(mmap2),
        SCMP_SYS(mremap),
        SCMP_SYS(munmap),
        SCMP_SYS(mprotect),
        SCMP_SYS(madvise),
        /* threads that run, their end, signals to the process itself */
        SCMP_SYS(futex),
        SCMP_SYS(futex_time64),
        SCMP_SYS(sched_yield),
        SCMP_SYS(exit),
        SCMP_SYS(exit_group),
        SCMP_SYS(rt_sigaction),
        SCMP_SYS(rt_sigprocmask),
        SCMP_SYS(rt_sigreturn),
        SCMP_SYS(sigaltstack),
        SCMP_SYS(restart_syscall),
        SCMP_SYS(rseq),
        SCMP_SYS(set_robust_list),
        SCMP_SYS(getpid),
        SCMP_SYS(gettid),
        /* clocks, numbers */
        SCMP_SYS(clock_gettime),
        SCMP_SYS(clock_gettime64),
        SCMP_SYS(clock_nanosleep),
        SCMP_SYS(gettimeofday),
        SCMP_SYS(getrandom),
        SCMP_SYS(sysinfo), /* qsort asks how much memory there is */
};

static int allow_all(scmp_filter_ctx ctx)
{
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
		int rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, allowed[i], 0);
		if (rc < 0 && rc != -EDOM) /* EDOM: not a call of this machine's */
			return rc;
	}
	/* abort() */
	int rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
	                          SCMP_A2(SCMP_CMP_EQ, SIGABRT));
	if (rc < 0)
		return rc;
	/* fstat() since glibc 2.33 */
	rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), 1,
	                      SCMP_A3(SCMP_CMP_EQ, AT_EMPTY_PATH));
	return rc == -EDOM ? 0 : rc;
}

int sandbox_enter(struct err *err)
{
	const char *wish = getenv("NETPROBE_SANDBOX");
	if (!CONFINES || (wish && strcmp(wish, "off") == 0))
		return 0;
	tzset(); /* the file of the time zone can be read now, not later */
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	if (!ctx)
		return err_set(err, ERR_ENVIRONMENT, "out of memory");
	int rc = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_TSYNC, 1);
	if (rc == 0)
		rc = allow_all(ctx);
	if (rc == 0)
		rc = seccomp_load(ctx);
	seccomp_release(ctx);
	if (rc < 0)
		return err_set(err, ERR_ENVIRONMENT,
		               "this kernel cannot confine the reader (seccomp): %s",
		               strerror(-rc));
	return 0;
}

#define TEXT(x) #x
#define VERSION_TEXT(a, b, c) "libseccomp " TEXT(a) "." TEXT(b) "." TEXT(c)

const char *sandbox_library_version(void)
{
	if (!CONFINES)
		return "no libseccomp: a build with a sanitizer confines nothing";
	return VERSION_TEXT(SCMP_VER_MAJOR, SCMP_VER_MINOR, SCMP_VER_MICRO);
}
