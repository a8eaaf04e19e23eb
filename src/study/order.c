#include "src/study/order.h"

#include <string.h>

#include "src/base/rng.h"

const char *const order_names[ORDER_COUNT] = {
        [ORDER_SEQUENTIAL] = "sequential",
        [ORDER_INTERLEAVE] = "interleave",
        [ORDER_RANDOM] = "random",
};

int order_find(const char *name, enum order_kind *out, struct err *e)
{
	*out = ORDER_SEQUENTIAL;
	for (int k = 0; name && k < ORDER_COUNT; k++)
		if (strcmp(name, order_names[k]) == 0) {
			*out = (enum order_kind)k;
			return 0;
		}
	return name ? err_set(e, ERR_USAGE,
	                      "no order '%s'; there are sequential, interleave and "
	                      "random",
	                      name)
	            : 0;
}

void order_round(enum order_kind kind, uint64_t seed, size_t round, size_t n,
                 size_t *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = i;
	if (kind != ORDER_RANDOM)
		return;
	struct rng r = rng_init(rng_mix(seed) ^ round);
	for (size_t i = n; i > 1; i--) { /* Fisher and Yates */
		size_t j = rng_below(&r, i), kept = out[i - 1];
		out[i - 1] = out[j];
		out[j] = kept;
	}
}
