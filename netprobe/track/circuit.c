#include "netprobe/track/circuit.h"

void circuits_add(struct circuits *c, uint32_t id, bool from_host)
{
	uint8_t vpi = (uint8_t)(id >> 16);
	uint16_t vci = (uint16_t)id;
	uint32_t i = 0;
	while (i < c->n && (c->list[i].vpi != vpi || c->list[i].vci != vci))
		i++;
	if (i == CIRCUITS_MAX) {
		c->other++;
		return;
	}
	if (i == c->n)
		c->list[c->n++] = (struct circuit){.vpi = vpi, .vci = vci};
	if (from_host)
		c->list[i].from_host++;
	else
		c->list[i].to_host++;
}
