#include "src/report/joined.h"

#include <stdlib.h>
#include <string.h>

/* Both directions of an interface in all passes of a phase. */
struct both {
	struct joined way[2]; /* to server, to client */
	double seconds;
	uint64_t ip_packets;
};

static void add_flow(struct joined *j, const struct probe_flow *f)
{
	if (!j->flow || f->rx_data_bytes > j->flow->rx_data_bytes)
		j->flow = f;
	j->rx_data_bytes += f->rx_data_bytes;
	j->ip_bytes += f->ip_bytes;
	j->fragments += f->fragments;
	j->resends += f->resends;
}

/* The entry of this interface, made if need be: there is room. */
static struct both *both_of(struct both *list, size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(list[i].way[0].interface, name) == 0)
			return &list[i];
	list[*n] = (struct both){0};
	for (int w = 0; w < 2; w++) {
		list[*n].way[w].interface = name;
		list[*n].way[w].to_client = w == 1;
	}
	return &list[(*n)++];
}

static void add_pass(struct both *list, size_t *n, const struct probe_phase *seen,
                     int64_t begin_ns, int64_t end_ns)
{
	int64_t begin = seen->begin_ns ? seen->begin_ns : begin_ns;
	int64_t end = seen->end_ns ? seen->end_ns : end_ns;
	for (size_t k = 0; k < seen->ninterfaces; k++) {
		const struct probe_interface *on = &seen->interfaces[k];
		struct both *b = both_of(list, n, on->name);
		add_flow(&b->way[0], &on->to_server);
		add_flow(&b->way[1], &on->to_client);
		b->ip_packets += on->to_server.ip_packets + on->to_client.ip_packets;
		b->seconds += end > begin ? ((double)end - (double)begin) / 1e9 : 0;
	}
}

static bool has_row(const struct both *b, const struct joined *this)
{
	const struct joined *other = &b->way[this == &b->way[0]];
	if (b->ip_packets == 0)
		return false;
	if (this->rx_data_bytes == other->rx_data_bytes)
		return this->rx_data_bytes > 0 || this->to_client;
	return this->rx_data_bytes > other->rx_data_bytes / 10;
}

/* Of one pass the probe tells the share, of several it follows from the sums. */
static struct joined finish(const struct both *b, const struct joined *this,
                            const struct run_phase *phase)
{
	struct joined j = *this;
	j.phase = phase;
	j.share = j.flow->has_share ? j.flow->share : -1;
	if (phase->npasses > 1 && j.flow->has_ceiling && b->seconds > 0)
		j.share = (double)j.rx_data_bytes / b->seconds / j.flow->ceiling;
	if (b->seconds > 0)
		j.wire_kib_s = (double)j.ip_bytes / 1024 / b->seconds;
	if (j.flow->sized)
		j.top_share = (double)j.flow->top_count / (double)j.flow->sized;
	return j;
}

static size_t collect(struct both *list, const struct run_phase *phase,
                      const struct probe_result *probe)
{
	size_t n = 0;
	for (size_t i = 0; i < (phase->npasses ? phase->npasses : 1); i++) {
		const struct run_pass *pass = phase->npasses ? &phase->passes[i] : NULL;
		const struct probe_phase *seen =
		        probe_result_phase(probe, pass ? pass->id : phase->id);
		if (seen)
			add_pass(list, &n, seen,
			         pass ? pass->begin_ns : phase->begin_ns,
			         pass ? pass->end_ns : phase->end_ns);
	}
	return n;
}

struct joined *joined_rows(const struct run *r, const struct probe_result *probe,
                           size_t *n)
{
	size_t ninterfaces = 1;
	for (size_t i = 0; i < probe->nphases; i++)
		ninterfaces += probe->phases[i].ninterfaces;
	struct both *list = calloc(ninterfaces, sizeof *list);
	struct joined *rows = NULL;
	*n = 0;
	for (size_t i = 0; list && i < r->nphases; i++) {
		size_t k = collect(list, &r->phases[i], probe);
		struct joined *more = realloc(rows, (*n + 2 * k + 1) * sizeof *rows);
		if (!more) {
			free(rows);
			rows = NULL;
			break;
		}
		rows = more;
		for (size_t w = 0; w < 2 * k; w++) {
			const struct both *b = &list[w / 2];
			const struct joined *way = &b->way[w % 2 == 0];
			if (has_row(b, way))
				rows[(*n)++] = finish(b, way, &r->phases[i]);
		}
	}
	free(list);
	if (!rows)
		*n = 0;
	return rows;
}
