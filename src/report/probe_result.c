#include "src/report/probe_result.h"

#include <stdio.h>
#include <stdlib.h>
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
	size_t i;
	const json_t *pair;
	json_array_foreach(json_object_get(o, "datagram_sizes"), i, pair)
	{
		json_int_t size = json_integer_value(json_array_get(pair, 0));
		json_int_t n = json_integer_value(json_array_get(pair, 1));
		if (size < 0 || n < 0)
			continue;
		f.sized += (uint64_t)n;
		if ((uint64_t)n > f.top_count) {
			f.top_count = (uint64_t)n;
			f.top_size = (uint64_t)size;
		}
	}
	return f;
}

static int phase_from(struct probe_phase *p, const json_t *o)
{
	const json_t *list = json_object_get(o, "interfaces"), *item;
	size_t i, n = json_array_size(list);
	p->id = (int)json_integer_value(json_object_get(o, "id"));
	snprintf(p->name, sizeof p->name, "%s", text_of(o, "name"));
	p->begin_ns = json_integer_value(json_object_get(o, "begin_ns"));
	p->end_ns = json_integer_value(json_object_get(o, "end_ns"));
	p->interfaces = calloc(n + 1, sizeof *p->interfaces);
	if (!p->interfaces)
		return -1;
	p->ninterfaces = n;
	json_array_foreach(list, i, item)
	{
		struct probe_interface *at = &p->interfaces[i];
		snprintf(at->name, sizeof at->name, "%s", text_of(item, "name"));
		at->to_client = flow_from(json_object_get(item, "to_client"));
		at->to_server = flow_from(json_object_get(item, "to_server"));
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
	p->verdicts = array_of(o, "verdicts");
	p->findings = array_of(o, "findings");
	json_decref(o);
	return r;
}

void probe_result_fini(struct probe_result *p)
{
	for (size_t i = 0; i < p->nphases; i++)
		free(p->phases[i].interfaces);
	free(p->phases);
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
