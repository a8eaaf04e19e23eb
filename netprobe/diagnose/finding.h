/* Findings: what is wrong, or worth knowing, with the evidence and what to change. */
#ifndef DIAGNOSE_FINDING_H
#define DIAGNOSE_FINDING_H

#include "netprobe/decode/addr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum finding_severity {
	FINDING_INFO,
	FINDING_WARNING,
	FINDING_ERROR,
	FINDING_SEVERITIES
};

/* In the order of the catalogue. */
enum finding_kind {
	FIND_BLACK_HOLE,
	FIND_TOO_BIG_OBEYED,
	FIND_TOO_BIG_IGNORED,
	FIND_TOO_BIG_WITHOUT_MTU,
	FIND_LOCAL_FRAGMENTATION,
	FIND_FRAGMENTED_THOUGH_FITS,
	FIND_PATH_FRAGMENTATION,
	FIND_FRAGMENTS_LOST,
	FIND_FIRST_FRAGMENTS_ONLY,
	FIND_FRAGMENTS_BLOCKED,
	FIND_JUMBOGRAMS_REFUSED,
	FIND_JUMBOGRAMS_ROUTED,
	FIND_BIG_LINK_UNUSED,
	FIND_OTHER_ADDRESS,
	FIND_ASYMMETRIC_PATH,
	FIND_SIZE_BEYOND_LINK,
	FIND_WINDOW_LIMITED,
	FIND_LOSS,
	FIND_APPLICATION_LIMITED,
	FIND_NAT_REBINDING,
	FIND_RESPONSE_FRAGMENTED,
	FIND_ABSURD_TRAILER,
	FIND_CAPTURED_TWICE,
	FIND_CAPTURE_DROPS,
	FIND_OLD_PEER,
	FIND_PROBE_UNANSWERED,
	FIND_CHECKSUM,
	FIND_MIXED_MTU,
	FIND_STALE_TABLE,
	FIND_NETINFO_SPLIT,
	FIND_ENCRYPTED_SMALL,
	FIND_OFFLOAD,
	FIND_LINK_LIMITED,
	FIND_PROBE_GREW,
	FIND_TUNNEL,
	FIND_LOSS_BY_SIZE,
	FIND_FRAGMENTS_HIDDEN,
	FIND_LOSS_BETWEEN_POINTS,
	FIND_CUT_BETWEEN_POINTS,
	FINDING_KINDS
};

/* A row of the catalogue: what doc/findings.md tells of a kind. */
struct finding_about {
	const char *id;   /* "D1": stable, for scripts */
	const char *slug; /* "black-hole" */
	enum finding_severity severity;
	const char *meaning;  /* one sentence for an administrator */
	const char *evidence; /* what shows it */
	const char *remedy;
};

const struct finding_about *finding_about(enum finding_kind k);
const char *finding_severity_name(enum finding_severity s);

#define FINDING_TEXT 700
#define FINDING_REMEDY 420
#define FINDING_FACTS 8
#define FINDINGS_OF_KIND 200u /* kept */

struct finding {
	enum finding_kind kind;
	enum finding_severity severity;
	double confidence; /* 0 to 1 */
	char doubt[120];   /* what lowers it; "" = nothing */
	char text[FINDING_TEXT];
	char remedy[FINDING_REMEDY];
	uint32_t iface;
	bool has_from, has_to; /* neither: the interface as such; from: that host */
	struct addr from, to;  /* the way that it is about */
	uint64_t first_frame, last_frame; /* evidence; 0 = no single frames */
	struct {
		const char *name; /* a constant: "sent", "ip_length_lost" */
		uint64_t value;
	} fact[FINDING_FACTS];
	unsigned facts;
	uint64_t also; /* flows between the same hosts that show it too */
};

/* A zeroed one is empty. */
struct findings {
	struct finding *list; /* owned */
	size_t n, room;
	size_t of_kind[FINDING_KINDS];
	uint64_t more[FINDING_KINDS]; /* left out: beyond FINDINGS_OF_KIND */
	bool starved;                 /* memory ran out: some are missing */
};

/* A new finding of this kind about what goes from one host to another (to NULL: that
 * host; both NULL: the interface as such); the severity is the catalogue's.  NULL where
 * there is one already, whose count `also` grows, or where memory is out.  Good until
 * the next one is added. */
struct finding *findings_add(struct findings *fs, enum finding_kind k, uint32_t iface,
                             const struct addr *from, const struct addr *to);

/* The finding of this kind about these ends on this interface, or NULL. */
const struct finding *findings_find(const struct findings *fs, enum finding_kind k,
                                    uint32_t iface, const struct addr *from,
                                    const struct addr *to);

/* Append to the sentence and to the remedy; f may be NULL. */
void finding_say(struct finding *f, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));
void finding_mend(struct finding *f, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));
void finding_fact(struct finding *f, const char *name, uint64_t value);
void finding_frames(struct finding *f, uint64_t first, uint64_t last);

/* Most severe first, then as in the catalogue, by interface and ends. */
void findings_sort(struct findings *fs);

/* The most severe one's severity; -1 where there is none. */
int findings_worst(const struct findings *fs);

void findings_free(struct findings *fs);

#endif
