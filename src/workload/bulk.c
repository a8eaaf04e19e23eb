/* Long sequential transfers, one in each direction: for sweeps of MTUs and of
 * options.  With a rate, requests have intended starts. */
#include "src/workload/bonnie.h"

static const struct workload_phase phases[] = {
        {.name = "bulk-write", .run = bonnie_block_output},
        {.name = "bulk-read",
         .run = bonnie_block_input,
         .reads_all = true,
         .prepare = bonnie_need_file,
         .reads = true},
};

const struct workload workload_bulk = {
        .name = "bulk",
        .help = "one long sequential write, one long sequential read",
        .phases = phases,
        .nphases = sizeof phases / sizeof *phases,
        .warm_up = bonnie_block_input,
        .one_file = true,
};
