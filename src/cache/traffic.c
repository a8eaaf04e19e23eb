#include "src/cache/traffic.h"

#include <inttypes.h>
#include <string.h>

struct traffic traffic_parse(FILE *f)
{
	char line[512];
	struct traffic sum = {0};
	while (fgets(line, sizeof line, f)) {
		int64_t received, sent;
		const char *colon =
		        strchr(line, ':'); /* none in the two heading lines */
		if (colon && sscanf(colon + 1,
		                    "%" SCNd64 " %*s %*s %*s %*s %*s %*s %*s %" SCNd64,
		                    &received, &sent) == 2) {
			sum.received += received;
			sum.sent += sent;
		}
	}
	return sum;
}

struct traffic traffic_now(void)
{
	FILE *f = fopen("/proc/net/dev", "re");
	if (!f)
		return (struct traffic){.received = -1};
	struct traffic sum = traffic_parse(f);
	fclose(f);
	return sum;
}

struct traffic traffic_since(struct traffic before)
{
	struct traffic now = traffic_now();
	if (before.received < 0 || now.received < 0)
		return (struct traffic){.received = -1};
	return (struct traffic){now.received - before.received, now.sent - before.sent};
}
