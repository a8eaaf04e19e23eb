#include "netprobe/report/result_points.h"

#include <stdlib.h>

/* Acks; a small path; one Rx packet on Ethernet (1416 and 1444); Ethernet's MTU; two
 * to three packets; FDDI's; jumbo frames and ATM's; beyond. */
static const uint32_t class_max[POINTS_CLASSES] = {127,  548,  1444, 1472,
                                                   2944, 4480, 9152, UINT32_MAX};

#define IP4_UDP 28u

/* IP lengths of the same packets. */
static uint32_t max_of(unsigned i, bool ip)
{
	return i + 1 < POINTS_CLASSES && ip ? class_max[i] + IP4_UDP : class_max[i];
}

static unsigned class_of(uint32_t size, bool ip)
{
	unsigned i = 0;
	while (size > max_of(i, ip))
		i++;
	return i;
}

static void fill_classes(struct result_passage *p)
{
	bool ip = passage_sizes_are_ip(&p->passage);
	for (unsigned lost = 0; lost < 2; lost++) {
		size_t n;
		struct size_count *list =
		        sizes_sorted(lost ? p->passage.size_lost : p->passage.size_both,
		                     SIZES_BY_SIZE, &n);
		for (size_t i = 0; i < n; i++) {
			struct points_class *c = &p->class[class_of(list[i].size, ip)];
			*(lost ? &c->lost : &c->arrived) += list[i].n;
		}
		free(list);
	}
	for (unsigned i = 0; i < POINTS_CLASSES; i++) {
		p->class[i].min = i ? max_of(i - 1, ip) + 1 : 0;
		p->class[i].max = max_of(i, ip);
	}
}

static int by_count(const void *a, const void *b)
{
	const struct passage *x = &((const struct result_passage *)a)->passage;
	const struct passage *y = &((const struct result_passage *)b)->passage;
	uint64_t n = x->both + x->lost + x->extra, m = y->both + y->lost + y->extra;
	if (x->route->key.kind != y->route->key.kind)
		return x->route->key.kind < y->route->key.kind ? -1 : 1;
	if (n != m)
		return n > m ? -1 : 1;
	return memcmp(&x->route->key, &y->route->key, sizeof x->route->key);
}

/* The pair of points of a route, made if need be; there is room. */
static struct result_points *pair_of(struct result *r, const struct route *route)
{
	const struct result_iface *a = &r->ifaces[route->key.a],
	                          *b = &r->ifaces[route->key.b];
	for (size_t i = 0; i < r->n_points; i++)
		if (r->points[i].a == a && r->points[i].b == b)
			return &r->points[i];
	struct result_points *p = &r->points[r->n_points++];
	*p = (struct result_points){
	        .a = a, .b = b, .one_clock = a->source->file == b->source->file};
	clock_offset_make(&p->clock, track_points(r->track), route->key.a,
	                  route->key.b);
	return p;
}

static int by_ifaces(const void *a, const void *b)
{
	const struct result_points *x = a, *y = b;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

int result_points_make(struct result *r)
{
	const struct points *points = track_points(r->track);
	r->points = calloc(POINTS_PAIRS, sizeof *r->points);
	if (!r->points)
		return -1;
	for (const struct route *route = NULL;
	     (route = points_route_next(points, route));) {
		if (route->both + route->only_a + route->only_b + route->joined_a +
		                    route->joined_b ==
		            0 ||
		    route->key.b >= r->n_ifaces)
			continue;
		struct result_points *p = pair_of(r, route);
		struct result_passage *list =
		        realloc(p->passages, (p->n + 1) * sizeof *list);
		if (!list)
			return -1;
		p->passages = list;
		struct result_passage *q = &list[p->n++];
		*q = (struct result_passage){.first = p->a, .second = p->b};
		passage_make(&q->passage, points, route);
		if (!q->passage.first_is_a) {
			q->first = p->b;
			q->second = p->a;
		}
		fill_classes(q);
	}
	for (size_t i = 0; i < r->n_points; i++)
		qsort(r->points[i].passages, r->points[i].n,
		      sizeof *r->points[i].passages, by_count);
	qsort(r->points, r->n_points, sizeof *r->points, by_ifaces);
	return 0;
}

void result_points_free(struct result *r)
{
	for (size_t i = 0; i < r->n_points; i++)
		free(r->points[i].passages);
	free(r->points);
}

double result_lost_share(uint64_t lost, uint64_t arrived)
{
	return lost + arrived ? (double)lost / (double)(lost + arrived) : -1;
}

const char *point_kind_name(unsigned kind)
{
	static const char *const names[POINT_KINDS] = {
	        [POINT_RX] = "rx", [POINT_UDP] = "udp", [POINT_TCP] = "tcp"};
	return names[kind];
}

const char *passage_order_name(enum passage_order o)
{
	static const char *const names[PASSAGE_ORDERS] = {
	        [ORDER_HOPS] = "hop limit",
	        [ORDER_BOTH] = "time stamps both ways",
	        [ORDER_SIDES] = "sent and received",
	        [ORDER_CLOCK] = "clocks",
	};
	return names[o];
}
