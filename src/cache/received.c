#include "src/cache/received.h"

#include <stdlib.h>
#include <string.h>

int64_t received_parse(FILE *f)
{
	char line[512];
	int64_t sum = 0;
	while (fgets(line, sizeof line, f)) {
		const char *colon =
		        strchr(line, ':'); /* none in the two heading lines */
		if (colon)
			sum += strtoll(colon + 1, NULL, 10);
	}
	return sum;
}

int64_t received_bytes(void)
{
	FILE *f = fopen("/proc/net/dev", "re");
	if (!f)
		return -1;
	int64_t sum = received_parse(f);
	fclose(f);
	return sum;
}
