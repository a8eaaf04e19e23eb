#include "netprobe/track/ops.h"

#define OPS_MAX 4096

struct table *ops_new(void)
{
	return table_new(sizeof(struct op_key), sizeof(struct op), OPS_MAX, NULL, NULL);
}

void ops_free(struct table *ops)
{
	if (!ops)
		return;
	for (struct op *o = NULL; (o = table_next(ops, o));) {
		hist_free(&o->duration);
		hist_free(&o->first_byte);
	}
	table_free(ops);
}

bool ops_add(struct table *ops, const struct call *c, enum call_end end)
{
	struct op_key k = {.service = c->service,
	                   .opcode = c->has_opcode ? c->opcode : OPS_UNREADABLE};
	bool made;
	struct op *o = table_get(ops, &k, &made);
	if (!o)
		return false;
	o->calls++;
	o->ended[end]++;
	for (int w = 0; w < WAYS; w++) {
		o->data_bytes[w] += c->way[w].data_bytes;
		o->resends[w] += c->way[w].resends;
	}
	uint64_t bytes;
	if (call_file_bytes(c, &bytes)) {
		o->file_bytes += bytes;
		o->file_calls++;
	}
	int64_t ns = call_duration_ns(c);
	if (ns >= 0)
		hist_record(&o->duration, ns);
	ns = call_first_byte_ns(c);
	if (ns >= 0)
		hist_record(&o->first_byte, ns);
	return true;
}
