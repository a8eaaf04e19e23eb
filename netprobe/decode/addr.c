#include "netprobe/decode/addr.h"

#include <arpa/inet.h>

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

bool addr_is_v4(const struct addr *a)
{
	return memcmp(a->b, mapped, sizeof mapped) == 0;
}

const char *addr_format(const struct addr *a, char buf[ADDR_TEXT])
{
	bool v4 = addr_is_v4(a);
	if (!inet_ntop(v4 ? AF_INET : AF_INET6, v4 ? a->b + 12 : a->b, buf, ADDR_TEXT))
		buf[0] = '\0';
	return buf;
}

bool addr_parse(const char *text, struct addr *a)
{
	uint8_t v4[4];
	if (inet_pton(AF_INET, text, v4) == 1) {
		*a = addr_from_v4(v4);
		return true;
	}
	return inet_pton(AF_INET6, text, a->b) == 1;
}
