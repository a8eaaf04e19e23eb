/* What the probe saw of one run of a study, phase by phase. */
#ifndef STUDY_STUDY_WIRE_H
#define STUDY_STUDY_WIRE_H

#include <jansson.h>

/* Of a run's probe.json: the direction of the interface in which most file data went
 * during the phases CACHE/NAME, all passes together: {"interface", "direction",
 * "datagram", "datagram_share", "fragments", "resends", "datagrams", "rx_data_bytes",
 * "acks", "share_of_ceiling", "ceiling_kib_s"}.  marks: of clients.json.  A new
 * reference, or NULL where nothing was seen. */
json_t *study_wire(const json_t *probe, const json_t *marks, const char *cache,
                   const char *name);

/* How often each operation was called during these phases, by the calls in the
 * capture: {"FetchData64": 12, …}.  A new reference. */
json_t *study_calls(const json_t *calls, const json_t *marks, const char *cache,
                    const char *name);

/* All calls of a capture, as netprobe lists them; NULL where it cannot be read. */
json_t *study_read_calls(const char *capture);

/* The findings of a run: [{"id","slug","severity","text","remedy"}].  A new
 * reference. */
json_t *study_findings(const json_t *probe);

#endif
