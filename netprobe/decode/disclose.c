#include "netprobe/decode/disclose.h"

#include <stdio.h>

#define UUID_WORDS 11u /* time_low, mid, hi, two of clock_seq, six of node */
#define MTU_LEAST 68u  /* RFC 791 */
#define MTU_MOST 65536u
#define UBIK_ADDRS 256u /* UBIK_MAX_INTERFACE_ADDR */

/* A member shorter than a word is an XDR word all the same. */
static bool read_uuid(struct cursor *c, struct disclosure *d)
{
	uint32_t word[UUID_WORDS];
	for (unsigned i = 0; i < UUID_WORDS; i++)
		word[i] = cursor_u32(c);
	if (!cursor_ok(c))
		return false;
	for (unsigned i = 0; i < 4; i++)
		d->uuid[i] = (uint8_t)(word[0] >> (24 - 8 * i));
	for (unsigned i = 0; i < 2; i++) {
		d->uuid[4 + i] = (uint8_t)(word[1] >> (8 - 8 * i));
		d->uuid[6 + i] = (uint8_t)(word[2] >> (8 - 8 * i));
	}
	for (unsigned i = 3; i < UUID_WORDS; i++)
		d->uuid[5 + i] = (uint8_t)word[i];
	for (unsigned i = 0; i < UUID_BYTES; i++)
		d->has_uuid |= d->uuid[i] != 0;
	return true;
}

/* n addresses, of which unused places are 0. */
static void read_addresses(struct cursor *c, uint32_t n, struct disclosure *d)
{
	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *p = cursor_take(c, 4);
		if (!p)
			break;
		if (be32(p) == 0)
			continue;
		if (d->n == DISCLOSE_IFACES) {
			d->cut = true;
			return;
		}
		d->iface[d->n++].addr = addr_from_v4(p);
	}
	d->cut |= !cursor_ok(c);
}

/* Word i of a fixed array that begins at *c; 0 where it was not captured. */
static uint32_t word_of(const struct cursor *c, uint32_t i, struct disclosure *d)
{
	struct cursor at = *c;
	cursor_skip(&at, 4u * (size_t)i);
	uint32_t v = cursor_u32(&at);
	d->cut |= !cursor_ok(&at);
	return v;
}

/* struct interfaceAddr: a count, the uuid, then three arrays of 32. */
static bool read_interfaces(struct cursor *c, struct disclosure *d)
{
	uint32_t n = cursor_u32(c);
	if (!cursor_ok(c) || n > DISCLOSE_IFACES || !read_uuid(c, d))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		struct cursor at = *c;
		cursor_skip(&at, 4u * (size_t)i);
		const uint8_t *p = cursor_take(&at, 4);
		if (!p) {
			d->cut = true;
			break;
		}
		struct disclosed_iface *f = &d->iface[d->n];
		f->netmask = word_of(c, DISCLOSE_IFACES + i, d);
		uint32_t mtu = word_of(c, 2 * DISCLOSE_IFACES + i, d);
		f->mtu = mtu >= MTU_LEAST && mtu <= MTU_MOST ? mtu : 0;
		f->addr = addr_from_v4(p);
		d->n += be32(p) != 0;
	}
	return d->has_uuid || d->n;
}

static bool read_list(struct cursor *c, struct disclosure *d)
{
	uint32_t n = cursor_u32(c);
	if (cursor_ok(c))
		read_addresses(c, n, d);
	d->cut |= !cursor_ok(c);
	return d->has_uuid || d->n;
}

static bool read_uuid_only(struct cursor *c, struct disclosure *d)
{
	return read_uuid(c, d) && d->has_uuid;
}

/* RegisterAddrs: uuid, a spare word, the addresses. */
static bool read_register(struct cursor *c, struct disclosure *d)
{
	if (!read_uuid(c, d))
		return false;
	cursor_skip(c, 4);
	return read_list(c, d);
}

/* GetAddrsU: uuid, uniquifier, number of entries, the addresses. */
static bool read_get_addrs(struct cursor *c, struct disclosure *d)
{
	if (!read_uuid(c, d))
		return false;
	cursor_skip(c, 8);
	return read_list(c, d);
}

static bool read_ubik(struct cursor *c, struct disclosure *d)
{
	read_addresses(c, UBIK_ADDRS, d);
	return d->n > 0;
}

enum { REQUEST = 1, REPLY = 2 };

static const struct row {
	enum afs_service service; /* AFS_UNKNOWN: any */
	uint32_t opcode;
	uint8_t ways;
	bool third_party;
	enum disclose_kind kind;
	bool (*read)(struct cursor *c, struct disclosure *d);
} rows[] = {
        {AFS_CB, 212, REPLY, false, DISCLOSE_WHO_ARE_YOU, read_interfaces},
        {AFS_CB, 65538, REPLY, false, DISCLOSE_TELL_ME, read_interfaces},
        {AFS_YFS_CB, 65538, REPLY, false, DISCLOSE_TELL_ME, read_interfaces},
        {AFS_CB, 211, REPLY, false, DISCLOSE_INIT_STATE2, read_interfaces},
        {AFS_CB, 213, REQUEST, false, DISCLOSE_INIT_STATE3, read_uuid_only},
        {AFS_VL, 532, REQUEST, false, DISCLOSE_REGISTER, read_register},
        {AFS_VL, 533, REPLY, true, DISCLOSE_GET_ADDRS, read_get_addrs},
        {AFS_UNKNOWN, 20012, REQUEST | REPLY, false, DISCLOSE_UBIK, read_ubik},
};

bool disclose_decode(enum afs_service s, uint32_t opcode, bool reply,
                     const uint8_t *data, size_t cap, size_t len, struct disclosure *d)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		if (r->opcode != opcode || !(r->ways & (reply ? REPLY : REQUEST)) ||
		    (r->service != AFS_UNKNOWN && r->service != s))
			continue;
		*d = (struct disclosure){.kind = (uint8_t)r->kind,
		                         .third_party = r->third_party};
		struct cursor c = cursor_init(data, cap, len);
		if (!reply)
			cursor_skip(&c, 4); /* the opcode */
		return r->read(&c, d);
	}
	return false;
}

const char *disclose_name(unsigned kind)
{
	static const char *const names[DISCLOSE_KINDS] = {
	        "WhoAreYou",           "TellMeAboutYourself", "InitCallBackState2",
	        "InitCallBackState3",  "RegisterAddrs",       "GetAddrsU",
	        "UpdateInterfaceAddr",
	};
	return kind < DISCLOSE_KINDS ? names[kind] : "unknown";
}

const char *uuid_format(const uint8_t uuid[UUID_BYTES], char buf[UUID_TEXT])
{
	const uint8_t *u = uuid;
	snprintf(buf, UUID_TEXT, "%08x-%04x-%04x-%02x-%02x-%02x%02x%02x%02x%02x%02x",
	         be32(u), be16(u + 4), be16(u + 6), u[8], u[9], u[10], u[11], u[12],
	         u[13], u[14], u[15]);
	return buf;
}
