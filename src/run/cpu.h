/* CPU time beyond that of the driver: of the whole machine and, in the lab, where it
 * runs on the same machine, of the file server. */
#ifndef RUN_CPU_H
#define RUN_CPU_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CPU_SERVERS = 4 };

/* The processes whose CPU time is the server's; none: there is no server to count. */
struct cpu_servers {
	long pids[CPU_SERVERS];
	size_t n;
};

/* Counters since some moment in the past; -1: cannot be read. */
struct cpu_reading {
	int64_t busy_ns;   /* all processors: neither idle, nor waiting for I/O, nor
	                      stolen */
	int64_t time_ns;   /* all processors: whatever they did */
	int64_t server_ns; /* the servers, user and system, all threads */
};

/* What a pass took; a figure without its `has` is not known. */
struct run_cpu {
	bool has_split, has_machine, has_server;
	int64_t user_ns, system_ns; /* of the driver process and its commands */
	int64_t machine_busy_ns, machine_time_ns;
	int64_t server_ns;
};

/* The file server's processes of this lab (facts_lab, or NULL) that run on this
 * machine with the command line that the lab tells: a number alone may be another
 * process's by now. */
void cpu_servers_of_lab(struct cpu_servers *s, const json_t *lab);

/* Reads the counters.  The machine's are counted in ticks of 10 ms (proc(5), stat); a
 * server's is its process's own CPU clock (clock_getcpuclockid(3)), which lags by a tick
 * where a thread is at work at that moment. */
void cpu_read(const struct cpu_servers *s, struct cpu_reading *out);

/* The first line of /proc/stat.  0, or -1 where it is none. */
int cpu_parse(FILE *f, struct cpu_reading *out);

/* What came between two readings, into the machine's and the server's part of out.
 * Not known where a counter could not be read or went back. */
void cpu_between(const struct cpu_reading *begin, const struct cpu_reading *end,
                 struct run_cpu *out);

/* Adds what another pass took; what one of them does not know, the sum does not.
 * first: there was none before. */
void cpu_add(struct run_cpu *sum, const struct run_cpu *pass, bool first);

/* {"driver_user_ns", "driver_system_ns", "machine_busy_ns", "machine_time_ns",
 * "server_ns"}, each an integer or null; and back. */
json_t *cpu_json(const struct run_cpu *c);
struct run_cpu cpu_from_json(const json_t *o);

#endif
