#include "netprobe/track/pace.h"

void pace_take_data(struct pace *p, struct call_way *w, bool first, uint32_t bytes,
                    int64_t now_ns)
{
	if (!p->first_ns)
		p->first_ns = p->last_ns = now_ns;
	/* time that runs backwards is no time */
	int64_t now = now_ns > p->last_ns ? now_ns : p->last_ns;
	if (first) {
		p->idle_ns += now - p->last_ns;
	} else {
		/* whatever looked idle since its last datagram lay within this call */
		p->idle_ns = w->idle_ns;
		p->calls_ns += now - w->sent_ns;
		p->bytes += bytes;
	}
	w->idle_ns = p->idle_ns;
	w->sent_ns = now;
	p->last_ns = now;
}

void pace_take_window(struct pace *p, struct call_way *w, enum pace_window state,
                      int64_t now_ns)
{
	if (w->window_since_ns && now_ns > w->window_since_ns)
		p->window_ns[w->window_state] += now_ns - w->window_since_ns;
	w->window_state = state;
	w->window_since_ns = now_ns;
}

double pace_seconds(const struct pace *p)
{
	return (double)(p->last_ns - p->first_ns - p->idle_ns) / 1e9;
}

double pace_rate(const struct pace *p)
{
	double seconds = pace_seconds(p);
	return seconds > 0 ? (double)p->bytes / seconds : 0;
}
