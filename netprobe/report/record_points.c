#include "netprobe/report/record_points.h"

/* In the layer in which they were counted; null in the other. */
static void put_sizes(struct json_maker *m, json_t *o, const struct passage *p)
{
	bool lost = p->size_lost->total > 0, depends = p->threshold > 0;
	bool ip = passage_sizes_are_ip(p);
	double above = passage_share_above(p), below = passage_share_below(p);
	const struct {
		const char *udp, *ip;
		uint32_t size;
		bool known;
	} sizes[] = {
	        {"lost_udp_payload_min", "lost_ip_length_min", p->size_lost->min, lost},
	        {"lost_udp_payload_max", "lost_ip_length_max", p->size_lost->max, lost},
	        {"arrived_udp_payload_max", "arrived_ip_length_max", p->size_both->max,
	         p->both > 0},
	        {"lost_from_udp_payload", "lost_from_ip_length", p->threshold, depends},
	};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		json_put_unknown(m, o, sizes[i].udp, sizes[i].size,
		                 sizes[i].known && !ip);
		json_put_unknown(m, o, sizes[i].ip, sizes[i].size,
		                 sizes[i].known && ip);
	}
	json_put_known(m, o, "lost_share_from_there", above, depends && above >= 0);
	json_put_known(m, o, "lost_share_below", below, depends && below >= 0);
}

static void put_cuts(struct json_maker *m, json_t *o, const struct passage *p)
{
	json_put_count(m, o, "cut_between", p->cut_between);
	json_put_count(m, o, "cut_before", p->cut_before);
	json_put_count(m, o, "cut_again", p->cut_again);
	json_put_count(m, o, "put_together", p->joined);
	json_put_unknown(m, o, "first_piece_at_first", p->first_piece,
	                 p->first_piece > 0);
	json_put_unknown(m, o, "first_piece_at_second", p->second_piece,
	                 p->second_piece > 0);
}

/* Of the second point's clock against the first's. */
static void put_clock(struct json_maker *m, json_t *o, const struct result_points *p,
                      const struct passage *q)
{
	const struct clock_offset *c = &p->clock;
	bool a = q->first_is_a, known = c->has_low && c->has_high && !p->one_clock;
	bool has_low = (a ? c->has_low : c->has_high) && !p->one_clock;
	bool has_high = (a ? c->has_high : c->has_low) && !p->one_clock;
	double sign = a ? 1 : -1;
	json_put(m, o, "one_clock", json_boolean(p->one_clock));
	json_put_known(m, o, "clock_offset_us", sign * (double)c->offset_ns / 1e3,
	               known);
	json_put_known(m, o, "clock_uncertainty_us", (double)c->uncertainty_ns / 1e3,
	               known);
	json_put_known(m, o, "clock_offset_low_us",
	               (double)(a ? c->low_ns : -c->high_ns) / 1e3, has_low);
	json_put_known(m, o, "clock_offset_high_us",
	               (double)(a ? c->high_ns : -c->low_ns) / 1e3, has_high);
	json_put_known(m, o, "clock_drift_us_per_s", sign * c->drift_ppm,
	               known && c->drifts);
}

/* Text, or null where it is not known. */
static void put_text(struct json_maker *m, json_t *o, const char *key, const char *text,
                     bool known)
{
	if (known)
		json_put_text(m, o, key, text);
	else
		json_put(m, o, key, json_null());
}

static void put_ends(struct json_maker *m, json_t *o, const struct route *r)
{
	char text[ADDR_TEXT];
	bool behind = r->translated > 0;
	json_put_text(m, o, "source_address", addr_format(&r->key.src, text));
	json_put_text(m, o, "destination_address", addr_format(&r->key.dst, text));
	put_text(m, o, "source_address_at_second", addr_format(&r->src_behind, text),
	         behind);
	put_text(m, o, "destination_address_at_second",
	         addr_format(&r->dst_behind, text), behind);
	json_put_count(m, o, "translated", r->translated);
	json_put_text(m, o, "protocol", point_kind_name(r->key.kind));
	put_text(m, o, "way", json_way_key[r->key.way], r->key.kind == POINT_RX);
}

json_t *record_points(struct json_maker *m, const struct result_points *p,
                      const struct result_passage *q)
{
	const struct passage *s = &q->passage;
	double share = result_lost_share(s->lost, s->both);
	bool hops = s->hops_min >= 0, told = !s->regrouped;
	json_t *o = json_object();
	json_put_text(m, o, "type", "points");
	json_put_text(m, o, "first_interface", q->first->source->name);
	json_put_text(m, o, "second_interface", q->second->source->name);
	json_put_text(m, o, "order_by", passage_order_name(s->order));
	put_ends(m, o, s->route);
	json_put_count(m, o, "arrived", s->both);
	json_put_count(m, o, "arrived_offloaded", s->route->super);
	json_put_unknown(m, o, "lost", s->lost, told);
	json_put_unknown(m, o, "lost_in_part", s->in_part, told);
	json_put_unknown(m, o, "only_at_second", s->extra, told);
	json_put_known(m, o, "lost_share", share, told && share >= 0);
	json_put_unknown(m, o, "lost_frame", s->lost_frame, s->lost_frame > 0);
	json_put_unknown(m, o, "only_at_second_frame", s->extra_frame,
	                 s->extra_frame > 0);
	json_put(m, o, "regrouped", json_boolean(s->regrouped));
	json_put_unknown(m, o, "unmatched_at_first", s->only_first, !told);
	json_put_unknown(m, o, "unmatched_at_second", s->only_second, !told);
	put_sizes(m, o, s);
	json_put_unknown(m, o, "hops_min", (uint64_t)(hops ? s->hops_min : 0), hops);
	json_put_unknown(m, o, "hops_max", (uint64_t)(hops ? s->hops_max : 0), hops);
	put_cuts(m, o, s);
	put_clock(m, o, p, s);
	return o;
}

json_t *points_json(struct json_maker *m, const struct result_points *p,
                    const struct result_passage *q)
{
	json_t *o = record_points(m, p, q), *list = json_array();
	bool ip = passage_sizes_are_ip(&q->passage);
	for (unsigned i = 0; i < POINTS_CLASSES; i++) {
		const struct points_class *c = &q->class[i];
		if (c->arrived + c->lost == 0)
			continue;
		json_t *row = json_object();
		json_put_unknown(m, row, "udp_payload_min", c->min, !ip);
		json_put_unknown(m, row, "udp_payload_max", c->max,
		                 !ip && c->max != UINT32_MAX);
		json_put_unknown(m, row, "ip_length_min", c->min, ip);
		json_put_unknown(m, row, "ip_length_max", c->max,
		                 ip && c->max != UINT32_MAX);
		json_put_count(m, row, "arrived", c->arrived);
		json_put_count(m, row, "lost", c->lost);
		json_put(m, row, "lost_share",
		         json_real(result_lost_share(c->lost, c->arrived)));
		json_array_append_new(list, row);
	}
	json_put(m, o, "classes", list);
	return o;
}
