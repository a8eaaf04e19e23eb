#include "netprobe/decode/rx.h"

#include "src/base/cursor.h"
#include "src/base/names.h"

#define SECURITY_MAX 6u
/* 0x10 was internal to old implementations, the two top bits never had a meaning */
#define FLAGS_UNDEFINED 0xd0u

/* Where an ack has its reason; 1 to 9 are known, some room is left for newer ones. */
#define REASON_AT (RX_HEADER + 16)
#define REASON_MAX 15u

/* What the header of each type must look like. */
enum {
	KNOWN = 1,
	NEEDS_SEQ = 2, /* seq counts from 1 */
	MAY_SEQ = 4,   /* before OpenAFS acks named the packet they answer here */
	NEEDS_CALL = 8,
	MAY_BIT5 = 16, /* 0x20: jumbogram on DATA, slow start on ACK */
	HAS_REASON = 32,
};

static const uint8_t rule[RX_TYPES] = {
        [RX_DATA] = KNOWN | NEEDS_SEQ | NEEDS_CALL | MAY_BIT5,
        [RX_ACK] = KNOWN | MAY_SEQ | NEEDS_CALL | MAY_BIT5 | HAS_REASON,
        [RX_BUSY] = KNOWN | NEEDS_CALL,
        [RX_ABORT] = KNOWN, /* call 0 ends the connection */
        [RX_ACKALL] = KNOWN | NEEDS_CALL,
        [RX_CHALLENGE] = KNOWN,
        [RX_RESPONSE] = KNOWN,
        [RX_DEBUG] = KNOWN,
        [RX_PARAMS] = KNOWN,
        [RX_VERSION] = KNOWN,
};

static bool plausible(const struct rx_header *h)
{
	unsigned r = h->type < RX_TYPES ? rule[h->type] : 0;
	if (r == 0 || h->security > SECURITY_MAX || (h->flags & FLAGS_UNDEFINED))
		return false;
	if (h->seq ? !(r & (NEEDS_SEQ | MAY_SEQ)) : (r & NEEDS_SEQ) != 0)
		return false;
	if ((h->flags & RX_JUMBO) && !(r & MAY_BIT5))
		return false;
	return h->call != 0 || !(r & NEEDS_CALL);
}

/* An ack's reason tells it from other bytes, where it was captured. */
static bool plausible_reason(const struct rx_header *h, const uint8_t *bytes,
                             size_t cap)
{
	if (!(rule[h->type] & HAS_REASON) || cap <= REASON_AT)
		return true;
	return bytes[REASON_AT] != 0 && bytes[REASON_AT] <= REASON_MAX;
}

enum rx_verdict rx_header_decode(const uint8_t *bytes, size_t cap, size_t udp_len,
                                 struct rx_header *h)
{
	if (cap > udp_len)
		cap = udp_len;
	if (udp_len < RX_HEADER)
		return RX_SHORT;
	if (cap < RX_HEADER)
		return RX_SNAPPED;
	/* The C structure of OpenAFS lists the service before the checksum; on the
	 * wire the checksum comes first (rxi_EncodePacketHeader). */
	*h = (struct rx_header){
	        .epoch = be32(bytes),
	        .cid = be32(bytes + 4),
	        .call = be32(bytes + 8),
	        .seq = be32(bytes + 12),
	        .serial = be32(bytes + 16),
	        .type = bytes[20],
	        .flags = bytes[21],
	        .user_status = bytes[22],
	        .security = bytes[23],
	        .spare = be16(bytes + 24),
	        .service = be16(bytes + 26),
	};
	return plausible(h) && plausible_reason(h, bytes, cap) ? RX_OK : RX_NOT_RX;
}

bool rx_abort_decode(const uint8_t *bytes, size_t cap, size_t udp_len, int32_t *code)
{
	struct cursor c = cursor_init(bytes, cap, udp_len);
	cursor_skip(&c, RX_HEADER);
	*code = (int32_t)cursor_u32(&c);
	return cursor_ok(&c);
}

static const struct name type_names[] = {
        {RX_DATA, "DATA"},         {RX_ACK, "ACK"},       {RX_BUSY, "BUSY"},
        {RX_ABORT, "ABORT"},       {RX_ACKALL, "ACKALL"}, {RX_CHALLENGE, "CHALLENGE"},
        {RX_RESPONSE, "RESPONSE"}, {RX_DEBUG, "DEBUG"},   {RX_PARAMS, "PARAMS"},
        {RX_VERSION, "VERSION"},   {0, "type 0?"},        {10, "type 10?"},
        {11, "type 11?"},          {12, "type 12?"},
};

const char *rx_type_name(unsigned type)
{
	const char *text = NAME_FIND(type_names, type);
	return text ? text : "type ?";
}

static const struct name reason_names[] = {
        {1, "REQUESTED"},      {2, "DUPLICATE"}, {3, "OUT_OF_SEQUENCE"},
        {4, "EXCEEDS_WINDOW"}, {5, "NOSPACE"},   {6, "PING"},
        {7, "PING_RESPONSE"},  {8, "DELAY"},     {9, "IDLE"},
};

const char *rx_reason_name(unsigned reason)
{
	const char *text = NAME_FIND(reason_names, reason);
	return text ? text : "reason ?";
}

static const struct name security_names[] = {
        {0, "rxnull"}, {1, "rxvab"}, {2, "rxkad"},    {3, "rxkad-crypt"},
        {4, "rxgk"},   {5, "k5"},    {6, "yfs-rxgk"},
};

const char *rx_security_name(unsigned index)
{
	const char *text = NAME_FIND(security_names, index);
	return text ? text : "security ?";
}
