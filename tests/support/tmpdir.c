#include "tests/support/tmpdir.h"

#include <assert.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

char *tmpdir_make(void)
{
	const char *base = getenv("TMPDIR");
	char *path = NULL;
	int n = asprintf(&path, "%s/cellbench-test-XXXXXX", base ? base : "/tmp");
	assert(n > 0);
	char *made = mkdtemp(path);
	assert(made);
	return made;
}

static int remove_entry(const char *path, const struct stat *s, int type, struct FTW *w)
{
	(void)s;
	(void)type;
	(void)w;
	return remove(path);
}

void tmpdir_remove(char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	free(path);
}
