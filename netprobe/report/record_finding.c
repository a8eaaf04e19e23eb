#include "netprobe/report/record_finding.h"

#include <inttypes.h>
#include <stdio.h>

static void put_end(struct json_maker *m, json_t *o, const char *key, bool has,
                    const struct addr *a)
{
	char text[ADDR_TEXT];
	json_put(m, o, key, has ? json_string(addr_format(a, text)) : json_null());
}

/* All but the evidence. */
static void put_head(struct json_maker *m, json_t *o, const struct result *r,
                     const struct finding *f)
{
	const struct finding_about *a = finding_about(f->kind);
	json_put_text(m, o, "id", a->id);
	json_put_text(m, o, "slug", a->slug);
	json_put_text(m, o, "severity", finding_severity_name(f->severity));
	json_put(m, o, "confidence", json_real(f->confidence));
	json_put(m, o, "confidence_lowered_by",
	         f->doubt[0] ? json_string(f->doubt) : json_null());
	json_put_text(m, o, "interface",
	              f->iface < r->n_ifaces ? r->ifaces[f->iface].source->name : "");
	put_end(m, o, "from", f->has_from, &f->from);
	put_end(m, o, "to", f->has_to, &f->to);
	json_put_text(m, o, "text", f->text);
	json_put_text(m, o, "remedy", f->remedy);
	json_put_unknown(m, o, "first_frame", f->first_frame, f->first_frame != 0);
	json_put_unknown(m, o, "last_frame", f->last_frame, f->last_frame != 0);
	json_put_count(m, o, "more_flows", f->also);
}

json_t *record_finding(struct json_maker *m, const struct result *r,
                       const struct finding *f)
{
	char text[400] = "";
	size_t used = 0;
	json_t *o = json_object();
	json_put_text(m, o, "type", "finding");
	put_head(m, o, r, f);
	for (unsigned i = 0; i < f->facts; i++) {
		int w = snprintf(text + used, sizeof text - used, "%s%s=%" PRIu64,
		                 used ? " " : "", f->fact[i].name, f->fact[i].value);
		used += w < 0 || (size_t)w >= sizeof text - used ? 0 : (size_t)w;
	}
	json_put_text(m, o, "evidence", text);
	return o;
}

json_t *finding_json(struct json_maker *m, const struct result *r,
                     const struct finding *f)
{
	json_t *o = json_object(), *facts = json_object();
	put_head(m, o, r, f);
	for (unsigned i = 0; i < f->facts; i++)
		json_put_count(m, facts, f->fact[i].name, f->fact[i].value);
	json_put(m, o, "evidence", facts);
	return o;
}
