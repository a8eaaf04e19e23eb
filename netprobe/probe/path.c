#include "netprobe/probe/path.h"

#include "netprobe/probe/search.h"
#include "src/base/clock.h"

#define SHOTS 1024u                  /* probes that can be told apart */
#define ANSWER_MIN (NS_PER_MS * 100) /* a late answer is waited for so long */
#define ANSWER_MAX (NS_PER_MS * 1000)
#define CONFIRMATIONS 2u /* times that a blamed size is tried again */
#define ROUNDS 3u        /* while not even small probes are answered */

/* When the first small probes go out, and when patience ends: an unanswered ARP takes
 * Linux three seconds. */
static const int64_t hello_ms[] = {0, 250, 750, 1750, 2750};
#define HELLO_END_MS 4000

struct shot {
	uint32_t size;
	int64_t sent;
	bool answered;
};

struct finder {
	const struct probe_net *net;
	const struct path_options *o;
	struct path_result *r;
	struct shot shot[SHOTS];
	uint32_t shots;
	uint32_t largest; /* of those answered */
	uint32_t current; /* the size under trial */
	uint32_t too_big; /* MTU told since this size was begun; 0 = nothing */
	bool blocked;     /* "too big" came, perhaps without an MTU */
	bool over;
	int64_t slowest; /* of all round trips */
	int64_t next;    /* when the next packet may leave */
};

static int64_t now(const struct finder *f)
{
	return f->net->now(f->net->ctx);
}

static void end(struct finder *f, enum path_end how, const struct probe_event *e)
{
	if (f->over)
		return;
	f->over = true;
	f->r->end = how;
	f->r->sys = e ? e->sys : 0;
	if (e && e->has_from) {
		f->r->has_from = true;
		f->r->from = e->from;
	}
}

static void take_answer(struct finder *f, uint32_t id)
{
	if (id >= f->shots || f->shot[id].answered)
		return;
	struct shot *s = &f->shot[id];
	int64_t rtt = now(f) - s->sent;
	s->answered = true;
	f->r->answered++;
	if (s->size == f->o->smallest && f->r->small_lost > 0)
		f->r->small_lost--;
	f->slowest -= f->slowest / 8; /* one hiccup is forgotten again */
	if (rtt > f->slowest)
		f->slowest = rtt;
	if (s->size > f->largest) {
		f->largest = s->size;
		f->r->rtt_ns = rtt;
	}
}

static void take_too_big(struct finder *f, const struct probe_event *e)
{
	if (e->mtu >= f->current) /* of a larger one, late */
		return;
	f->blocked = true;
	f->too_big = e->mtu;
	f->r->local |= e->local;
	if (e->local)
		return;
	f->r->icmp = true;
	f->r->icmp_mtu = e->mtu;
	f->r->has_from = e->has_from;
	f->r->from = e->from;
}

static void take(struct finder *f, const struct probe_event *e)
{
	switch (e->kind) {
	case PROBE_ANSWER:
		take_answer(f, e->id);
		break;
	case PROBE_TOO_BIG:
		take_too_big(f, e);
		break;
	case PROBE_UNREACHABLE:
		end(f, PATH_UNREACHABLE, e);
		break;
	case PROBE_REFUSED:
		end(f, PATH_REFUSED, e);
		break;
	case PROBE_GONE:
		end(f, PATH_GONE, e);
		break;
	case PROBE_FORBIDDEN:
		end(f, PATH_FORBIDDEN, e);
		break;
	case PROBE_STOPPED:
		end(f, PATH_STOPPED, e);
		break;
	case PROBE_NOTHING:
		break;
	}
}

static bool answered(const struct finder *f, uint32_t from, uint32_t size)
{
	for (uint32_t i = from; i < f->shots; i++)
		if (f->shot[i].size == size && f->shot[i].answered)
			return true;
	return false;
}

/* Waits for what comes until then, or until this size (0: none) has passed or is told
 * to be too big. */
static void listen(struct finder *f, int64_t until, uint32_t from, uint32_t size)
{
	while (!f->over && now(f) < until) {
		if (size && (f->blocked || answered(f, from, size)))
			return;
		struct probe_event e = f->net->wait(f->net->ctx, until);
		take(f, &e);
	}
}

static void fire(struct finder *f, uint32_t size)
{
	uint32_t packets = f->o->packets ? f->o->packets : PATH_PACKETS;
	listen(f, f->next, 0, 0);
	if (f->over)
		return;
	if (f->shots == SHOTS || f->r->sent >= packets) {
		end(f, PATH_NOT_EXACT, NULL);
		return;
	}
	int64_t t = now(f);
	f->shot[f->shots] = (struct shot){.size = size, .sent = t};
	struct probe_event e = f->net->send(f->net->ctx, f->shots++, size);
	f->next = t + (f->o->gap_ns ? f->o->gap_ns : PATH_GAP_NS);
	f->r->sent += e.kind != PROBE_TOO_BIG;
	if (size == f->o->smallest && e.kind != PROBE_TOO_BIG) {
		f->r->small_sent++;
		f->r->small_lost++; /* until it is answered */
	}
	take(f, &e);
}

static int64_t patience(const struct finder *f)
{
	int64_t t = f->slowest * 3;
	return t < ANSWER_MIN ? ANSWER_MIN : t > ANSWER_MAX ? ANSWER_MAX : t;
}

/* Is anybody there? */
static bool hello(struct finder *f)
{
	const uint32_t size = f->o->smallest;
	int64_t began = now(f);
	for (size_t i = 0; i < sizeof hello_ms / sizeof *hello_ms; i++) {
		listen(f, began + hello_ms[i] * NS_PER_MS, 0, size);
		if (f->over || answered(f, 0, size))
			break;
		fire(f, size);
	}
	listen(f, began + HELLO_END_MS * NS_PER_MS, 0, size);
	if (!f->over && !answered(f, 0, size))
		end(f, PATH_SILENT, NULL);
	return !f->over;
}

enum outcome { PASSED, FAILED, NO_ANSWERS };

/* How often a size is tried before it is blamed, by what was lost of the small ones;
 * the latest of them may still be answered. */
static unsigned repeats(const struct finder *f)
{
	const struct shot *latest = &f->shot[f->shots - 1];
	unsigned pending = latest->size == f->o->smallest && !latest->answered;
	return search_repeats(f->r->small_lost - pending, f->r->small_sent - pending);
}

/* One round for a size: probes of it, each with a small one behind it that tells
 * whether the path carries anything just now. */
static enum outcome try_round(struct finder *f, uint32_t size, bool again)
{
	uint32_t from = f->shots;
	f->current = size;
	f->blocked = false;
	f->too_big = 0;
	for (unsigned i = 0; i < repeats(f) << again && !f->over; i++) {
		fire(f, size);
		int64_t soon = now(f) + f->slowest * 2;
		listen(f, soon > f->next ? soon : f->next, from, size);
		if (f->blocked || answered(f, from, size))
			break;
		fire(f, f->o->smallest);
	}
	listen(f, now(f) + patience(f), from, size);
	if (answered(f, from, size))
		return PASSED;
	if (f->blocked || answered(f, from, f->o->smallest))
		return FAILED;
	return NO_ANSWERS;
}

static enum outcome try_size(struct finder *f, uint32_t size, bool again)
{
	for (unsigned round = 0; round < ROUNDS && !f->over; round++) {
		enum outcome o = try_round(f, size, again);
		if (o != NO_ANSWERS)
			return o;
		listen(f, now(f) + NS_PER_S / 2, 0, 0);
	}
	end(f, PATH_FELL_SILENT, NULL);
	return NO_ANSWERS;
}

/* Searches, and tries the size that was blamed once more unless somebody said it is too
 * big, for chance may have done it. */
static void search(struct finder *f)
{
	struct search s;
	uint32_t told = UINT32_MAX; /* the smallest size that was refused in words */
	unsigned confirmations = 0;
	search_start(&s, f->o->smallest, f->o->limit);
	while (!f->over) {
		uint32_t size = search_next(&s);
		bool again = size == 0;
		if (again && (s.high > s.limit || s.high >= told ||
		              confirmations++ == CONFIRMATIONS))
			break;
		if (again)
			size = s.high;
		enum outcome o = try_size(f, size, again);
		if (o == PASSED) {
			search_passed(&s, size);
		} else if (o == FAILED) {
			search_failed(&s, size, f->too_big);
			/* routers do not answer every packet with an error */
			if (f->blocked || (f->r->icmp && f->r->icmp_mtu + 1 == size))
				told = s.high;
			if (again)
				break;
		}
	}
	f->r->passes = s.low;
	f->r->fails = s.high > s.limit ? 0 : s.high;
	f->r->silent_loss = f->r->fails != 0 && s.high < told;
}

void path_find(const struct probe_net *net, const struct path_options *o,
               struct path_result *r)
{
	struct finder f = {.net = net, .o = o, .r = r};
	*r = (struct path_result){.end = PATH_FOUND};
	int64_t began = now(&f);
	f.next = began;
	if (hello(&f))
		search(&f);
	r->took_ns = now(&f) - began;
}

const char *path_end_id(enum path_end e)
{
	static const char *const id[PATH_ENDS] = {
	        [PATH_FOUND] = "found",
	        [PATH_SILENT] = "silent",
	        [PATH_UNREACHABLE] = "unreachable",
	        [PATH_REFUSED] = "refused",
	        [PATH_GONE] = "interface-gone",
	        [PATH_FORBIDDEN] = "forbidden",
	        [PATH_FELL_SILENT] = "fell-silent",
	        [PATH_NOT_EXACT] = "not-exact",
	        [PATH_STOPPED] = "stopped",
	};
	return id[e];
}
