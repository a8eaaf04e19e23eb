#include "src/cache/cold.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void cold_make(const struct engine *en, const char *path, struct engine_drop *out)
{
	struct stat s;
	char why[128];
	*out = (struct engine_drop){0};
	if (en->ops->stat(en->st, path, &s) == -ENOENT) {
		out->proven = true;
		snprintf(out->means, sizeof out->means, "none needed");
		snprintf(out->proof, sizeof out->proof, "the file did not exist yet");
		return;
	}
	if (!(en->ops->caps & ENGINE_CAN_DROP)) {
		snprintf(out->means, sizeof out->means, "none");
		snprintf(out->proof, sizeof out->proof,
		         "the %s engine cannot drop data", en->ops->name);
		return;
	}
	int r = en->ops->drop(en->st, path, out);
	if (r < 0) {
		out->proven = false;
		snprintf(out->proof, sizeof out->proof, "it failed: %s",
		         strerror_r(-r, why, sizeof why));
	}
}
