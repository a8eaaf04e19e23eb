#include "src/run/judge.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Of what was sent, the share that acknowledgements of it bring back, at most: on a
 * host one of 107 bytes (Ethernet header included) for each packet of 1416 bytes of
 * data, among Rx data none, but replies to every chunk. */
static const struct layer {
	const char *came;
	double answers;
} layers[JUDGE_LAYER_COUNT] = {
        [JUDGE_HOST] = {"were received by this host during the phase", 0.08},
        [JUDGE_RX_DATA] = {"of Rx data came", 0.02},
};

enum { REPLY = 512 }; /* what the replies to one operation that writes take, about */

static const char dots[] = "...";
static const double cold_share = 0.98, warm_share = 0.02;

static void judge_cold(struct run_phase *p, double came)
{
	double least =
	        p->reads_all ? cold_share * (double)p->bytes
	                     : warm_share * (double)p->read_bytes; /* or it was warm */
	if (came < least)
		p->cold_proven = false;
}

/* What a warm phase may have received and still be called so.  Clients store whole
 * chunks, some of them later, so what was sent counts, not what the phase wrote. */
static double warm_limit(const struct run_phase *p, const struct layer *l, double sent)
{
	double limit = warm_share * (double)p->read_bytes + l->answers * sent;
	return p->written_bytes > 0 ? limit + (double)REPLY * (double)p->operations
	                            : limit;
}

/* Says why not, in words that follow upon what came.  In doubt, three quarters of what
 * was read must have been in the cache. */
static void judge_warm(struct run_phase *p, const struct layer *l, double came,
                       double sent, char *why, size_t size)
{
	double read = (double)p->read_bytes, limit = warm_limit(p, l, sent);
	p->warm_refuted |= read > 0 && came >= limit + read / 2;
	/* Once refuted it stays so: a probe may see one of several links. */
	p->warm_proven = came < limit && came < read / 4 && !p->warm_refuted;
	if (p->warm_proven)
		return;
	if (read <= 0)
		snprintf(why, size, "; no reading of file data was counted");
	else if (came < limit)
		snprintf(why, size,
		         ", which shows nothing: answers to what it wrote may be %llu, "
		         "it read %llu",
		         (unsigned long long)limit, (unsigned long long)p->read_bytes);
	else
		snprintf(why, size, ", of %llu that were read",
		         (unsigned long long)p->read_bytes);
}

void judge_phase(struct run_phase *p, enum judge_layer layer, const char *before,
                 uint64_t came, uint64_t sent)
{
	const struct layer *l = &layers[layer];
	bool cold = strcmp(p->cache, "cold") == 0;
	char text[sizeof p->cold_proof], why[160] = "";
	if (cold)
		judge_cold(p, (double)came);
	else
		judge_warm(p, l, (double)came, (double)sent, why, sizeof why);
	snprintf(text, sizeof text, "; %llu bytes %s%s", (unsigned long long)came,
	         l->came, why);
	char proof[sizeof text];
	size_t room = sizeof proof - 1 - strlen(text), kept = strlen(before);
	bool cut = kept > room;
	assert(room > strlen(dots)); /* the sentences above are short */
	if (cut)
		kept = room - strlen(dots);
	memcpy(proof, before, kept);
	strcpy(proof + kept, cut ? dots : "");
	strcat(proof, kept ? text : text + 2); /* without its "; " */
	memcpy(cold ? p->cold_proof : p->warm_proof, proof, sizeof proof);
}

const char *judge_doubts(const struct run_phase *p, char *text, size_t size)
{
	const struct {
		bool holds;
		const char *words;
	} doubts[] = {{run_phase_not_cold(p), "not cold"},
	              {run_phase_not_warm(p), "not warm"},
	              {run_phase_not_stored(p), "not stored"},
	              {run_phase_short(p), "short"}};
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < sizeof doubts / sizeof *doubts && used < size; i++)
		if (doubts[i].holds)
			used += (size_t)snprintf(text + used, size - used, "%s%s",
			                         used ? "; " : "", doubts[i].words);
	return text;
}
