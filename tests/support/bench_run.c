#include "tests/support/bench_run.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "src/run/runner.h"
#include "tests/support/tmpdir.h"

void bench_run_init(struct bench_run *b, const struct engine_ops *engine,
                    const struct workload *workload)
{
	*b = (struct bench_run){.dir = tmpdir_make()};
	snprintf(b->run_dir, sizeof b->run_dir, "%s/run", b->dir);
	b->c = (struct run_config){
	        .engine = engine,
	        .workload = workload,
	        .engine_options = {.dir = b->dir},
	        .workload_options = {.size = 1 << 20,
	                             .request_size = 16384,
	                             .seeks = 60,
	                             .tree_files = 40,
	                             .mixed_files = 8,
	                             .mixed_operations = 100,
	                             .read_share = 70,
	                             .seed = 7},
	        .caches = {CACHE_COLD},
	        .ncaches = 1,
	        .quiet = true,
	};
}

void bench_run_in(struct bench_run *b, const char *dir)
{
	b->c.engine_options.dir = dir;
}

void bench_run_execute(struct bench_run *b)
{
	b->result = run_init(&b->r, b->run_dir, &b->e);
	if (b->result == 0)
		b->result = runner_execute(&b->c, &b->r, NULL, &b->e);
}

void bench_run_clear(struct bench_run *b)
{
	run_fini(&b->r);
	tmpdir_remove(b->dir);
}

const struct run_phase *bench_run_phase(const struct bench_run *b, const char *name)
{
	for (size_t i = 0; i < b->r.nphases; i++)
		if (strcmp(b->r.phases[i].name, name) == 0)
			return &b->r.phases[i];
	return NULL;
}

bool bench_run_is_clean(const char *dir)
{
	static const char *const known[] = {".", "..", "run", "lost+found"};
	DIR *d = opendir(dir);
	bool clean = d != NULL;
	for (const struct dirent *e; d && (e = readdir(d));) {
		bool is_known = false;
		for (size_t i = 0; i < sizeof known / sizeof *known; i++)
			is_known |= strcmp(e->d_name, known[i]) == 0;
		clean &= is_known;
	}
	if (d)
		closedir(d);
	return clean;
}
