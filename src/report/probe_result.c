#include "src/report/probe_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t count_of(const json_t *o, const char *key)
{
	json_int_t n = json_integer_value(json_object_get(o, key));
	return n > 0 ? (uint64_t)n : 0;
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

static bool number_of(const json_t *o, const char *key, double *out)
{
	const json_t *n = json_object_get(o, key);
	*out = json_number_value(n);
	return json_is_number(n);
}

/* Cut, if need be, where a character ends: JSON takes no half ones. */
static void copy_text(char *to, size_t room, const json_t *o, const char *key)
{
	const char *text = text_of(o, key);
	size_t n = strlen(text);
	if (n >= room)
		for (n = room - 1; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;)
			n--;
	memcpy(to, text, n);
	to[n] = '\0';
}

static void sizes_from(struct probe_flow *f, const json_t *list)
{
	size_t i;
	const json_t *pair;
	f->sizes = calloc(json_array_size(list) + 1, sizeof *f->sizes);
	json_array_foreach(list, i, pair)
	{
		json_int_t size = json_integer_value(json_array_get(pair, 0));
		json_int_t n = json_integer_value(json_array_get(pair, 1));
		if (!f->sizes || size < 0 || n <= 0)
			continue;
		f->sizes[f->nsizes++] =
		        (struct probe_size){(uint64_t)size, (uint64_t)n};
		f->sized += (uint64_t)n;
		if ((uint64_t)n > f->top_count) {
			f->top_count = (uint64_t)n;
			f->top_size = (uint64_t)size;
		}
	}
}

static struct probe_flow flow_from(const json_t *o)
{
	struct probe_flow f = {
	        .ip_packets = count_of(o, "ip_packets"),
	        .ip_bytes = count_of(o, "ip_bytes"),
	        .rx_datagrams = count_of(o, "rx_datagrams"),
	        .rx_data_bytes = count_of(o, "rx_data_bytes"),
	        .fragments = count_of(o, "fragments"),
	        .resends = count_of(o, "resends"),
	};
	f.has_ceiling = number_of(o, "ceiling_bytes_per_s", &f.ceiling);
	f.has_share = number_of(o, "share_of_ceiling", &f.share);
	sizes_from(&f, json_object_get(o, "datagram_sizes"));
	return f;
}

static int phase_from(struct probe_phase *p, const json_t *o)
{
	const json_t *list = json_object_get(o, "interfaces"), *item;
	size_t i, n = json_array_size(list);
	p->id = (int)json_integer_value(json_object_get(o, "id"));
	copy_text(p->name, sizeof p->name, o, "name");
	p->begin_ns = json_integer_value(json_object_get(o, "begin_ns"));
	p->end_ns = json_integer_value(json_object_get(o, "end_ns"));
	p->interfaces = calloc(n + 1, sizeof *p->interfaces);
	if (!p->interfaces)
		return -1;
	p->ninterfaces = n;
	json_array_foreach(list, i, item)
	{
		struct probe_interface *at = &p->interfaces[i];
		copy_text(at->name, sizeof at->name, item, "name");
		at->to_client = flow_from(json_object_get(item, "to_client"));
		at->to_server = flow_from(json_object_get(item, "to_server"));
	}
	return 0;
}

static int totals_from(struct probe_result *p, const json_t *list)
{
	size_t i;
	const json_t *item;
	p->totals = calloc(json_array_size(list) + 1, sizeof *p->totals);
	if (!p->totals)
		return -1;
	json_array_foreach(list, i, item)
	{
		struct probe_total *l = &p->totals[p->ntotals++];
		copy_text(l->name, sizeof l->name, item, "name");
		copy_text(l->kind, sizeof l->kind, item, "link");
		copy_text(l->addresses, sizeof l->addresses, item, "addresses");
		l->rate_bps = count_of(item, "rate_bps");
		l->mtu = count_of(item, "mtu");
		l->frames = count_of(item, "frames");
		l->dropped = count_of(json_object_get(item, "capture"), "dropped");
		l->to_client = flow_from(json_object_get(item, "to_client"));
		l->to_server = flow_from(json_object_get(item, "to_server"));
	}
	return 0;
}

static bool find_total(const struct probe_result *p, const json_t *interval, size_t *at)
{
	char name[sizeof p->totals->name];
	copy_text(name, sizeof name, interval, "interface");
	for (*at = 0; *at < p->ntotals; (*at)++)
		if (strcmp(p->totals[*at].name, name) == 0)
			return true;
	return false;
}

/* totals_from comes first. */
static int intervals_from(struct probe_result *p, const json_t *list)
{
	size_t i, total;
	const json_t *item;
	p->intervals = calloc(json_array_size(list) + 1, sizeof *p->intervals);
	if (!p->intervals)
		return -1;
	json_array_foreach(list, i, item)
	{
		uint64_t data = count_of(item, "rx_data_bytes");
		uint64_t again = count_of(item, "resent_rx_data_bytes");
		if (!find_total(p, item, &total) || count_of(item, "interval_ns") == 0)
			continue;
		p->intervals[p->nintervals++] = (struct probe_interval){
		        .total = total,
		        .to_client = strcmp(text_of(item, "way"), "to_client") == 0,
		        .begin_ns =
		                json_integer_value(json_object_get(item, "begin_ns")),
		        .length_ns = (int64_t)count_of(item, "interval_ns"),
		        .ip_bytes = count_of(item, "ip_bytes"),
		        .fragments = count_of(item, "fragments"),
		        .resends = count_of(item, "resends"),
		        .goodput_bytes = data > again ? data - again : 0,
		};
	}
	return 0;
}

static json_t *array_of(const json_t *o, const char *key)
{
	json_t *list = json_object_get(o, key);
	return json_is_array(list) ? json_incref(list) : json_array();
}

int probe_result_load(struct probe_result *p, const char *dir, struct err *e)
{
	char path[4200];
	json_error_t why;
	*p = (struct probe_result){0};
	snprintf(path, sizeof path, "%s/probe.json", dir);
	if (access(path, F_OK) < 0)
		return 1;
	json_t *o = json_load_file(path, 0, &why);
	if (!json_is_object(o)) {
		json_decref(o);
		return err_set(e, ERR_PARTIAL, "%s cannot be read: %s", path,
		               o ? "not an object" : why.text);
	}
	const json_t *list = json_object_get(o, "phases"), *item;
	size_t i;
	int r = 0;
	p->phases = calloc(json_array_size(list) + 1, sizeof *p->phases);
	json_array_foreach(list, i, item)
	{
		if (!p->phases || phase_from(&p->phases[i], item) < 0) {
			r = err_set(e, ERR_ENVIRONMENT, "out of memory");
			break;
		}
		p->nphases = i + 1;
	}
	if (r == 0 && (totals_from(p, json_object_get(o, "interfaces")) < 0 ||
	               intervals_from(p, json_object_get(o, "intervals")) < 0))
		r = err_set(e, ERR_ENVIRONMENT, "out of memory");
	p->diagnosed = json_is_array(json_object_get(o, "findings"));
	p->verdicts = array_of(o, "verdicts");
	p->findings = array_of(o, "findings");
	json_decref(o);
	return r;
}

static void free_sizes(struct probe_flow *to_client, struct probe_flow *to_server)
{
	free(to_client->sizes);
	free(to_server->sizes);
}

void probe_result_fini(struct probe_result *p)
{
	for (size_t i = 0; i < p->nphases; i++) {
		struct probe_phase *ph = &p->phases[i];
		for (size_t k = 0; k < ph->ninterfaces; k++)
			free_sizes(&ph->interfaces[k].to_client,
			           &ph->interfaces[k].to_server);
		free(ph->interfaces);
	}
	for (size_t i = 0; i < p->ntotals; i++)
		free_sizes(&p->totals[i].to_client, &p->totals[i].to_server);
	free(p->phases);
	free(p->totals);
	free(p->intervals);
	json_decref(p->verdicts);
	json_decref(p->findings);
	*p = (struct probe_result){0};
}

const struct probe_phase *probe_result_phase(const struct probe_result *p, int id)
{
	for (size_t i = 0; i < p->nphases; i++)
		if (p->phases[i].id == id)
			return &p->phases[i];
	return NULL;
}
