#include "netprobe/report/json_make.h"

#include <stdio.h>

const char *const json_way_key[WAYS] = {"to_server", "to_client"};

void json_put(struct json_maker *m, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) != 0)
		m->failed = true;
}

void json_put_count(struct json_maker *m, json_t *object, const char *key, uint64_t n)
{
	json_put(m, object, key, json_integer((json_int_t)n));
}

void json_put_text(struct json_maker *m, json_t *object, const char *key,
                   const char *text)
{
	json_t *value = json_string(text);
	if (!value) {
		char safe[512];
		size_t n = 0;
		for (const char *p = text; *p && n + 5 < sizeof safe; p++) {
			unsigned char c = (unsigned char)*p;
			n += (size_t)snprintf(safe + n, sizeof safe - n,
			                      c < 0x80 ? "%c" : "<%02x>", c);
		}
		safe[n] = 0;
		value = json_string(safe);
	}
	json_put(m, object, key, value);
}

void json_put_known(struct json_maker *m, json_t *object, const char *key, double value,
                    bool known)
{
	json_put(m, object, key, known ? json_real(value) : json_null());
}

void json_put_unknown(struct json_maker *m, json_t *object, const char *key, uint64_t n,
                      bool known)
{
	json_put(m, object, key, known ? json_integer((json_int_t)n) : json_null());
}

void json_put_tally(struct json_maker *m, json_t *object, const struct tally *y)
{
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {
	        {"ip_packets", y->ip_packets},
	        {"ip_bytes", y->ip_bytes},
	        {"ip_packets_with_df", y->df},
	        {"offloaded_packets", y->offloaded},
	        {"fragments", y->fragments},
	        {"trains_whole", y->trains_whole},
	        {"trains_broken", y->trains_broken},
	        {"broken_ip_bytes", y->broken_ip_bytes},
	        {"rx_datagrams", y->datagrams},
	        {"rx_data_packets", y->data_packets},
	        {"rx_data_bytes", y->data_bytes},
	        {"resends", y->resends},
	        {"resent_rx_data_bytes", y->resent_bytes},
	        {"resends_first_copy_unseen", y->recovered},
	        {"duplicates", y->duplicates},
	        {"malformed", y->malformed},
	        {"jumbograms", y->jumbograms.total},
	};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		json_put_count(m, object, counts[i].key, counts[i].value);
}
