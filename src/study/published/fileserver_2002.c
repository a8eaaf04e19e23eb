#include "src/study/published.h"

/* One machine, two kinds of file server on it. */
#define FACTS(server)                                                                  \
	{                                                                              \
		{"workload", "bonnie++ 1.02c -s 256 -r 128, 16 times 1024 files"},     \
		        {"host", "Ultra 60, 2 processors"},                            \
		        {"link", "none: the client ran on the file server"},           \
		        {"client cache", "150 MB"}, {"file server", server},           \
		{                                                                      \
			"disk", "/vicepa of 18 GB on a disk of its own"                \
		}                                                                      \
	}

static const struct published_fact inode_facts[] = FACTS("inode");
static const struct published_fact namei_facts[] = FACTS("namei");

/* clang-format off */
static const struct published_figure inode_figures[] = {
        {"", "", "", 256, "per-char-output", 1725, 26, false},
        {"", "", "", 256, "block-output", 1676, 13, false},
        {"", "", "", 256, "rewrite", 1397, 11, false},
        {"", "", "", 256, "per-char-input", 2108, 25, false},
        {"", "", "", 256, "block-input", 2335, 7, false},
        {"", "", "", 256, "random-seeks", 19.1, 4, false},
        {"", "", "", 0, "seq-create", 71, 27, false},
        {"", "", "", 0, "seq-stat", 745, 90, false},
        {"", "", "", 0, "seq-delete", 85, 15, false},
        {"", "", "", 0, "random-create", 72, 28, false},
        {"", "", "", 0, "random-stat", 522, 79, false},
        {"", "", "", 0, "random-delete", 124, 15, false},
};

static const struct published_figure namei_figures[] = {
        {"", "", "", 256, "per-char-output", 1056, 16, false},
        {"", "", "", 256, "block-output", 1218, 9, false},
        {"", "", "", 256, "rewrite", 961, 8, false},
        {"", "", "", 256, "per-char-input", 1805, 21, false},
        {"", "", "", 256, "block-input", 1951, 5, false},
        {"", "", "", 256, "random-seeks", 19.0, 4, false},
        {"", "", "", 0, "seq-create", 40, 16, false},
        {"", "", "", 0, "seq-stat", 739, 91, false},
        {"", "", "", 0, "seq-delete", 36, 6, false},
        {"", "", "", 0, "random-create", 40, 15, false},
        {"", "", "", 0, "random-stat", 523, 79, false},
        {"", "", "", 0, "random-delete", 27, 3, false},
};
/* clang-format on */

const struct published published_inode_2002 = {
        .name = "inode-2002",
        .title = "the inode file server on an Ultra 60",
        .where = "mailing list on OpenAFS, 2002",
        .facts = inode_facts,
        .nfacts = sizeof inode_facts / sizeof *inode_facts,
        .figures = inode_figures,
        .nfigures = sizeof inode_figures / sizeof *inode_figures,
};

const struct published published_namei_2002 = {
        .name = "namei-2002",
        .title = "the namei file server on the same machine",
        .where = "mailing list on OpenAFS, 2002",
        .facts = namei_facts,
        .nfacts = sizeof namei_facts / sizeof *namei_facts,
        .figures = namei_figures,
        .nfigures = sizeof namei_figures / sizeof *namei_figures,
};
