#include "netprobe/record/facts.h"

#include "netprobe/expect/link.h"

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int record_link_parse(const char *text, struct record_link *l, struct err *err)
{
	char copy[128];
	*l = (struct record_link){0};
	snprintf(copy, sizeof copy, "%s", text);
	char *kind = strchr(copy, '=');
	if (!kind || kind == copy || (size_t)(kind - copy) >= sizeof l->iface)
		return err_set(err, ERR_USAGE, "--link %s: expected IF=KIND[:RATE]",
		               text);
	*kind++ = '\0';
	char *rate = strchr(kind, ':');
	if (rate)
		*rate++ = '\0';
	const struct link_kind *known = link_kind_find(kind);
	if (!known || strlen(known->name) >= sizeof l->kind)
		return err_set(err, ERR_USAGE,
		               "--link %s: the link kind '%s' is not known (ethernet, "
		               "atm-llc, …)",
		               text, kind);
	if (rate && (l->rate_bps = link_rate_parse(rate)) == 0)
		return err_set(err, ERR_USAGE,
		               "--link %s: '%s' is no rate such as 100M", text, rate);
	memcpy(l->iface, copy, strlen(copy) + 1);
	memcpy(l->kind, known->name, strlen(known->name) + 1);
	return 0;
}

/* Is address ("10.1.2.3" or with /BITS) one of list ("A/B,C/D")? */
static bool has_address(const char *list, const char *address)
{
	size_t n = strcspn(address, "/");
	for (const char *at = list; n > 0 && *at;
	     at += strcspn(at, ","), at += *at == ',')
		if (strncmp(at, address, n) == 0 && at[n] == '/')
			return true;
	return false;
}

static void take_lab_iface(const json_t *o, struct source_iface *facts)
{
	const char *name = json_string_value(json_object_get(o, "name"));
	const char *address = json_string_value(json_object_get(o, "address"));
	const char *link = json_string_value(json_object_get(o, "link"));
	json_int_t rate = json_integer_value(json_object_get(o, "rate"));
	if (!name || !address || strcmp(name, facts->name) != 0 ||
	    !has_address(facts->addresses, address))
		return;
	/* the lab's rate is that of its shaping, unlike the kernel's; a link that is
	 * not shaped has no rate, nor does a packet cost what its kind would add */
	facts->speed_bps = rate > 0 ? (uint64_t)rate : 0;
	if (link && rate > 0)
		snprintf(facts->link, sizeof facts->link, "%s", link);
}

static void ask_lab(const char *path, struct source_iface *facts)
{
	json_t *lab = path ? json_load_file(path, 0, NULL) : NULL;
	size_t i, k;
	json_t *host, *iface;
	json_array_foreach(json_object_get(lab, "hosts"), i, host)
	        json_array_foreach(json_object_get(host, "interfaces"), k, iface)
	                take_lab_iface(iface, facts);
	json_decref(lab);
}

void record_facts(const struct host_iface *h, const struct record_link *links, size_t n,
                  const char *lab_path, struct source_iface *facts)
{
	snprintf(facts->name, sizeof facts->name, "%s", h->name);
	snprintf(facts->addresses, sizeof facts->addresses, "%s", h->addresses);
	facts->mtu = h->mtu;
	facts->speed_bps = h->speed_bps;
	if (h->ethernet)
		snprintf(facts->link, sizeof facts->link, "ethernet");
	ask_lab(lab_path, facts);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(links[i].iface, h->name) != 0)
			continue;
		snprintf(facts->link, sizeof facts->link, "%s", links[i].kind);
		if (links[i].rate_bps)
			facts->speed_bps = links[i].rate_bps;
	}
}
