#include "src/study/study_wire.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/study/study_lab.h"

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static const char *text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : "";
}

/* Whether a mark is a pass of CACHE/NAME: "CACHE/NAME", "CACHE/NAME#2". */
static bool is_pass(const json_t *mark, const char *cache, const char *name)
{
	char first[96];
	int n = snprintf(first, sizeof first, "%s/%s", cache, name);
	const char *is = text(mark, "name");
	return n > 0 && strncmp(is, first, (size_t)n) == 0 &&
	       (is[n] == '\0' || is[n] == '#');
}

/* One direction on one interface, summed over passes. */
struct sum {
	const char *interface;
	bool to_client;
	double data, datagrams, fragments, resends, acks, top, top_share, share,
	        ceiling;
	bool has_share;
	double weight; /* of shares: seconds */
};

static void add(struct sum *s, const json_t *this, const json_t *other)
{
	const json_t *share = json_object_get(this, "share_of_ceiling");
	double seconds = number(this, "seconds");
	s->data += number(this, "rx_data_bytes");
	s->datagrams += number(this, "rx_datagrams");
	s->fragments += number(this, "fragments");
	s->resends += number(this, "resends");
	s->acks += number(json_object_get(other, "rx_types"), "ACK");
	if (json_is_number(json_object_get(this, "dominant_datagram"))) {
		s->top = number(this, "dominant_datagram");
		s->top_share = number(this, "dominant_share");
		s->ceiling = number(this, "ceiling_bytes_per_s");
	}
	if (json_is_number(share)) {
		s->share += json_number_value(share) * seconds;
		s->weight += seconds;
		s->has_share = true;
	}
}

static void add_phase(struct sum *sums, size_t *n, size_t most, const json_t *phase)
{
	size_t i;
	const json_t *on;
	json_array_foreach(json_object_get(phase, "interfaces"), i, on) for (int d = 0;
	                                                                     d < 2; d++)
	{
		const char *name = text(on, "name");
		const json_t *up = json_object_get(on, "to_server");
		const json_t *down = json_object_get(on, "to_client");
		size_t at = 0;
		while (at < *n && (strcmp(sums[at].interface, name) != 0 ||
		                   sums[at].to_client != (d == 0)))
			at++;
		if (at == most)
			continue;
		if (at == *n)
			sums[(*n)++] =
			        (struct sum){.interface = name, .to_client = d == 0};
		add(&sums[at], d == 0 ? down : up, d == 0 ? up : down);
	}
}

json_t *study_wire(const json_t *probe, const json_t *marks, const char *cache,
                   const char *name)
{
	struct sum sums[16];
	size_t n = 0, i, k;
	const json_t *mark, *phase;
	json_array_foreach(marks, i, mark) if (is_pass(mark, cache, name))
	        json_array_foreach(json_object_get(probe, "phases"), k,
	                           phase) if (number(phase, "id") == number(mark, "id"))
	                add_phase(sums, &n, 16, phase);
	const struct sum *best = NULL;
	for (i = 0; i < n; i++)
		if (sums[i].datagrams > 0 && (!best || sums[i].data > best->data))
			best = &sums[i];
	if (!best)
		return NULL;
	json_t *o = json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f}",
	                      "interface", best->interface, "direction",
	                      best->to_client ? "to_client" : "to_server", "datagram",
	                      best->top, "datagram_share", best->top_share, "fragments",
	                      best->fragments, "resends", best->resends, "datagrams",
	                      best->datagrams, "rx_data_bytes", best->data, "acks",
	                      best->acks);
	if (best->has_share && best->weight > 0)
		json_object_set_new(o, "share_of_ceiling",
		                    json_real(best->share / best->weight));
	if (best->ceiling > 0)
		json_object_set_new(o, "ceiling_kib_s",
		                    json_real(best->ceiling / 1024));
	return o;
}

json_t *study_read_calls(const char *capture)
{
	char *self = study_self(), *file = study_quote(capture), *command = NULL;
	char *slash = self ? strrchr(self, '/') : NULL, *line = NULL;
	json_t *calls = NULL;
	if (slash && file && access(capture, R_OK) == 0 &&
	    asprintf(&command, "%.*s/netprobe%s read -n -q --no-fail %s 2>/dev/null",
	             (int)(slash - self), self, self[0] == '\'' ? "'" : "", file) > 0) {
		FILE *f = popen(command, "re");
		size_t room = 0;
		calls = f ? json_array() : NULL;
		while (f && getline(&line, &room, f) > 0)
			if (strstr(line, "\"type\":\"call\""))
				json_array_append_new(calls, json_loads(line, 0, NULL));
		if (f)
			pclose(f);
	}
	free(line);
	free(command);
	free(self);
	free(file);
	return calls;
}

json_t *study_calls(const json_t *calls, const json_t *marks, const char *cache,
                    const char *name)
{
	json_t *o = json_object();
	size_t i, k;
	const json_t *call, *mark;
	json_array_foreach(calls, i, call) json_array_foreach(marks, k, mark)
	{
		double at = number(call, "begin_ns");
		const char *operation = text(call, "operation");
		if (!is_pass(mark, cache, name) || at < number(mark, "begin_ns") ||
		    at >= number(mark, "end_ns"))
			continue;
		json_object_set_new(o, operation[0] ? operation : "?",
		                    json_integer((json_int_t)number(o, operation) + 1));
		break;
	}
	return o;
}

json_t *study_findings(const json_t *probe)
{
	static const char *const keys[] = {"id", "slug", "severity", "text", "remedy"};
	json_t *list = json_array();
	size_t i;
	const json_t *f;
	json_array_foreach(json_object_get(probe, "findings"), i, f)
	{
		json_t *o = json_object();
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			json_object_set_new(o, keys[k], json_string(text(f, keys[k])));
		json_array_append_new(list, o);
	}
	return list;
}
