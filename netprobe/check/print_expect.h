/* What `netprobe expect` prints. */
#ifndef CHECK_PRINT_EXPECT_H
#define CHECK_PRINT_EXPECT_H

#include "netprobe/expect/choice.h"
#include "src/base/err.h"

#include <stdio.h>

/* assumed: the peer's trailer is what is likely, not what was seen. */
int print_expect_text(const struct expect_case *c, const struct expect_choice *x,
                      bool assumed, FILE *out, struct err *err);
int print_expect_json(const struct expect_case *c, const struct expect_choice *x,
                      bool assumed, FILE *out, struct err *err);

#endif
