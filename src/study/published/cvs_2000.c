#include "src/study/published.h"

static const struct published_fact facts[] = {
        {"workload", "cvs checkout of a module, cvs tag, cvs tag -d, cvs release -d"},
        {"repeats", "3 to 5, cold starts discarded, the fastest kept"},
        {"link", "Ethernet 100 Mb/s (first host)"},
        {"client options",
         "-stat 2800 -dcache 2400 -daemons 5 -volume 128 (first host)"},
        {"client cache", "150000 KB (first host)"},
        {"note", "cvs release -d did not work on AFS on Linux"},
};

/* clang-format off */
static const struct published_figure figures[] = {
        {"local", "2 x Pentium II Xeon 550 MHz", "", 0, "checkout", 2.85, -1, false},
        {"local", "2 x Pentium II Xeon 550 MHz", "", 0, "tag", 1.11, -1, false},
        {"local", "2 x Pentium II Xeon 550 MHz", "", 0, "untag", 1.21, -1, false},
        {"local", "RS/6000 200 MHz", "", 0, "checkout", 65, -1, false},
        {"local", "RS/6000 200 MHz", "", 0, "tag", 62, -1, false},
        {"local", "RS/6000 200 MHz", "", 0, "untag", 62, -1, false},
        {"afs", "2 x Pentium II Xeon 550 MHz", "", 0, "checkout", 63, -1, false},
        {"afs", "2 x Pentium II Xeon 550 MHz", "", 0, "tag", 79, -1, false},
        {"afs", "2 x Pentium II Xeon 550 MHz", "", 0, "untag", 77, -1, false},
        {"afs", "RS/6000 200 MHz", "", 0, "checkout", 104, -1, false},
        {"afs", "RS/6000 200 MHz", "", 0, "tag", 121, -1, false},
        {"afs", "RS/6000 200 MHz", "", 0, "untag", 117, -1, false},
        {"afs", "2 x Pentium II Xeon 550 MHz", "", 0, "release", 0, -1, true},
};
/* clang-format on */

const struct published published_cvs_2000 = {
        .name = "cvs-2000",
        .title = "source-tree work on local disk (#local) and on AFS (#afs), two hosts",
        .where = "mailing list on AFS, about 2000",
        .facts = facts,
        .nfacts = sizeof facts / sizeof *facts,
        .figures = figures,
        .nfigures = sizeof figures / sizeof *figures,
};
