#include "netprobe/expect/fingerprint.h"

#include "netprobe/expect/openafs.h"

#define ANY                                                                            \
	{                                                                              \
		0, UINT32_MAX                                                          \
	}
#define JUST(n)                                                                        \
	{                                                                              \
		n, n                                                                   \
	}
#define WINDOW_OPENAFS                                                                 \
	{                                                                              \
		1, 32                                                                  \
	}

struct range {
	uint32_t low, high;
};

/* The first row that holds all four words decides. */
static const struct row {
	struct range max_receive, interface, window, packets;
	enum sender sender;
	uint32_t frags;
	const char *text;
} rows[] = {
        {{65160, UINT32_MAX},
         ANY,
         ANY,
         JUST(0),
         SENDER_KAFS_PROBING,
         0,
         "kAFS of Linux 6.14 or later, to a peer that probes the path MTU too"},
        {ANY, ANY, ANY, JUST(0), SENDER_KAFS_PROBING, 0, "kAFS of Linux 6.14 or later"},
        {ANY,
         ANY,
         {256, UINT32_MAX},
         ANY,
         SENDER_AURISTOR,
         0,
         "AuriStor (window over 255 packets)"},
        {JUST(5692),
         ANY,
         {33, 255},
         {1, 4},
         SENDER_KAFS,
         0,
         "kAFS of Linux before 6.14"},
        {ANY,
         ANY,
         {33, 255},
         ANY,
         SENDER_UNKNOWN,
         0,
         "not OpenAFS (window over 32 packets)"},
        {JUST(1444), JUST(1444), WINDOW_OPENAFS, JUST(1), SENDER_OPENAFS, 1,
         "OpenAFS with 1 fragment (server default), MTU 1500 or peer on another "
         "subnet"},
        {JUST(5692), JUST(1444), WINDOW_OPENAFS, JUST(4), SENDER_OPENAFS, 4,
         "OpenAFS with 4 fragments (client, or server with -jumbo), MTU 1500 or peer "
         "on "
         "another subnet"},
        {JUST(8588), JUST(8588), WINDOW_OPENAFS, JUST(6), SENDER_OPENAFS, 1,
         "OpenAFS with 1 fragment (server default), MTU 8644 or more"},
        {JUST(15604), JUST(8524), WINDOW_OPENAFS, JUST(6), SENDER_OPENAFS, 4,
         "OpenAFS with 4 fragments (client, or server with -jumbo), MTU 8580 or more"},
        {JUST(4296), JUST(4296), WINDOW_OPENAFS, JUST(3), SENDER_OPENAFS, 1,
         "OpenAFS with 1 fragment (server default) on FDDI, MTU 4352"},
        {JUST(15604), JUST(4276), WINDOW_OPENAFS, JUST(6), SENDER_OPENAFS, 4,
         "OpenAFS with 4 fragments (client, or server with -jumbo), MTU 4332 or more"},
        {JUST(1444), JUST(1444), WINDOW_OPENAFS, JUST(4), SENDER_OPENAFS, 4,
         "OpenAFS client with -rxmaxmtu 1444"},
        {JUST(1260), JUST(1260), WINDOW_OPENAFS, JUST(1), SENDER_OPENAFS, 1,
         "OpenAFS with -rxmaxmtu 1260"},
};

static bool within(const struct range *r, uint32_t v)
{
	return v >= r->low && v <= r->high;
}

static const struct row *find_row(const struct rx_trailer *t)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (within(&rows[i].max_receive, t->max_receive) &&
		    within(&rows[i].interface, t->interface) &&
		    within(&rows[i].window, t->window) &&
		    within(&rows[i].packets, t->packets))
			return &rows[i];
	return NULL;
}

/* Do words 0, 1 and 3 belong together for this number of fragments? */
static bool fits_openafs(const struct rx_trailer *t, uint32_t frags)
{
	uint32_t packets = expect_adjust_packets(frags, t->interface);
	if (packets > EXPECT_PACKETS)
		packets = EXPECT_PACKETS;
	if (t->packets != packets || t->max_receive < t->interface)
		return false;
	if (frags == 1)
		return t->max_receive == t->interface;
	return expect_adjust_if(frags, t->interface) == t->interface &&
	       expect_adjust_if(frags, t->max_receive) == t->max_receive;
}

static struct fingerprint by_rule(const struct rx_trailer *t)
{
	if (fits_openafs(t, 1))
		return (struct fingerprint){.sender = SENDER_OPENAFS,
		                            .frags = 1,
		                            .text = "OpenAFS with 1 fragment"};
	if (fits_openafs(t, EXPECT_FRAGS))
		return (struct fingerprint){.sender = SENDER_OPENAFS,
		                            .frags = EXPECT_FRAGS,
		                            .text = "OpenAFS with 4 fragments"};
	return (struct fingerprint){
	        .sender = SENDER_GROWN,
	        .text = "OpenAFS whose size was changed by its own path-MTU probing"};
}

/* Interfaces beyond the cap all give the same size; with fragments allowed sizes
 * are rounded down to whole packets. */
static void guess_mtu(const struct rx_trailer *t, struct fingerprint *f)
{
	if (t->words < 2 || f->sender == SENDER_GROWN)
		return;
	/* AFS 3.4a took off 28 where OpenAFS takes 56: 1472 on Ethernet */
	bool exact = f->sender == SENDER_OLD_AFS && t->interface > EXPECT_REMOTE;
	f->mtu = t->interface + (exact ? EXPECT_IP4_UDP : EXPECT_IP_UDP);
	f->may_be_remote = t->interface == EXPECT_REMOTE;
	if (f->sender == SENDER_KAFS_PROBING)
		f->mtu_at_least = t->interface == EXPECT_REMOTE;
	else
		f->mtu_at_least = t->interface == EXPECT_MAX_SEND ||
		                  (f->frags > 1 && t->interface > EXPECT_REMOTE);
}

struct fingerprint trailer_fingerprint(const struct rx_trailer *t)
{
	static const char *const old[] = {
	        "AFS 3.2 or older, or foreign",
	        "AFS 3.3",
	        "AFS 3.3",
	        "AFS 3.4a",
	};
	struct fingerprint f;
	if (!rx_trailer_plausible(t))
		return (struct fingerprint){.sender = SENDER_ABSURD,
		                            .text = "a broken or hostile sender"};
	const struct row *row = t->words < 4 ? NULL : find_row(t);
	if (t->words < 4)
		f = (struct fingerprint){.sender = SENDER_OLD_AFS,
		                         .text = old[t->words]};
	else if (row)
		f = (struct fingerprint){
		        .sender = row->sender, .frags = row->frags, .text = row->text};
	else
		f = by_rule(t);
	guess_mtu(t, &f);
	return f;
}
