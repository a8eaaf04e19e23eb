#include "netprobe/decode/disclose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define BYTES 1400u

/* XDR words, one after the other. */
struct xdr {
	uint8_t bytes[BYTES];
	size_t len;
};

static void word(struct xdr *x, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		x->bytes[x->len++] = (uint8_t)(v >> (24 - 8 * i));
}

static void words(struct xdr *x, uint32_t v, unsigned n)
{
	while (n--)
		word(x, v);
}

static const uint8_t uuid[UUID_BYTES] = {0x00, 0x93, 0x38, 0xc0, 0x84, 0x1f,
                                         0x1b, 0x0d, 0xa9, 0xb2, 0x0a, 0x4d,
                                         0x02, 0x0c, 0xaa, 0x77};

/* chars are sign-extended by some senders */
static void put_uuid(struct xdr *x)
{
	word(x, 0x009338c0);
	word(x, 0x841f);
	word(x, 0x1b0d);
	word(x, 0xffffffa9);
	word(x, 0xb2);
	for (unsigned i = 10; i < UUID_BYTES; i++)
		word(x, (uint32_t)(int32_t)(int8_t)uuid[i]);
}

static struct addr v4(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
	const uint8_t bytes[4] = {a, b, c, d};
	return addr_from_v4(bytes);
}

static void put_interfaces(struct xdr *x, uint32_t n)
{
	word(x, n);
	put_uuid(x);
	word(x, 0x0a4d020c); /* 10.77.2.12 */
	word(x, 0x0a4d010c);
	words(x, 0, 30);
	word(x, 0xffffff00);
	word(x, 0xffff0000);
	words(x, 0, 30);
	word(x, 9180);
	word(x, 1500);
	words(x, 0, 30);
}

static void check_addr(const struct addr *a, const char *text)
{
	char buf[ADDR_TEXT];
	assert_string_equal(addr_format(a, buf), text);
}

static void test_who_are_you(void **state)
{
	(void)state;
	struct xdr x = {.len = 0};
	struct disclosure d;
	char text[UUID_TEXT];
	put_interfaces(&x, 2);
	assert_int_equal(x.len, 432);
	assert_true(disclose_decode(AFS_CB, 212, true, x.bytes, x.len, x.len, &d));
	assert_int_equal(d.kind, DISCLOSE_WHO_ARE_YOU);
	assert_string_equal(disclose_name(d.kind), "WhoAreYou");
	assert_false(d.third_party);
	assert_false(d.cut);
	assert_true(d.has_uuid);
	assert_memory_equal(d.uuid, uuid, UUID_BYTES);
	assert_string_equal(uuid_format(d.uuid, text),
	                    "009338c0-841f-1b0d-a9-b2-0a4d020caa77");
	assert_int_equal(d.n, 2);
	check_addr(&d.iface[0].addr, "10.77.2.12");
	check_addr(&d.iface[1].addr, "10.77.1.12");
	assert_int_equal(d.iface[0].netmask, 0xffffff00);
	assert_int_equal(d.iface[0].mtu, 9180);
	assert_int_equal(d.iface[1].netmask, 0xffff0000);
	assert_int_equal(d.iface[1].mtu, 1500);
	/* a request for it says nothing, and neither does another service's 212 */
	assert_false(disclose_decode(AFS_CB, 212, false, x.bytes, x.len, x.len, &d));
	assert_false(disclose_decode(AFS_FS, 212, true, x.bytes, x.len, x.len, &d));
	/* capabilities follow in this one */
	word(&x, 1);
	word(&x, 1);
	assert_true(disclose_decode(AFS_CB, 65538, true, x.bytes, x.len, x.len, &d));
	assert_int_equal(d.kind, DISCLOSE_TELL_ME);
	assert_int_equal(d.n, 2);
	assert_true(
	        disclose_decode(AFS_YFS_CB, 65538, true, x.bytes, x.len, x.len, &d));
}

/* Every length captured, and every length on the wire: what is there is right, the
 * rest is told to be cut. */
static void test_who_are_you_cut(void **state)
{
	(void)state;
	struct xdr x = {.len = 0};
	put_interfaces(&x, 2);
	for (size_t n = 0; n < x.len; n++) {
		for (unsigned snapped = 0; snapped < 2; snapped++) {
			uint8_t *copy = malloc(n ? n : 1);
			assert_non_null(copy);
			memcpy(copy, x.bytes, n);
			struct disclosure d;
			bool some = disclose_decode(AFS_CB, 212, true, copy, n,
			                            snapped ? x.len : n, &d);
			free(copy);
			assert_int_equal(some, n >= 48);
			if (!some)
				continue;
			assert_true(d.has_uuid);
			assert_int_equal(d.n, n < 52 ? 0 : n < 56 ? 1 : 2);
			assert_int_equal(d.cut, n < 48 + 256 + 8);
			if (d.n > 0)
				assert_int_equal(d.iface[0].mtu,
				                 n >= 48 + 256 + 4 ? 9180 : 0);
			if (d.n > 1)
				assert_int_equal(d.iface[1].netmask,
				                 n >= 48 + 128 + 8 ? 0xffff0000 : 0);
		}
	}
}

static void test_interfaces_absurd(void **state)
{
	(void)state;
	struct xdr x = {.len = 0};
	struct disclosure d;
	put_interfaces(&x, 33);
	assert_false(disclose_decode(AFS_CB, 212, true, x.bytes, x.len, x.len, &d));
	x.len = 0;
	put_interfaces(&x, 0xffffffff);
	assert_false(disclose_decode(AFS_CB, 212, true, x.bytes, x.len, x.len, &d));
	/* more interfaces than filled places: those of address 0 do not count */
	x.len = 0;
	put_interfaces(&x, 32);
	assert_true(disclose_decode(AFS_CB, 212, true, x.bytes, x.len, x.len, &d));
	assert_int_equal(d.n, 2);
	/* an MTU that no interface has is not told */
	x.bytes[48 + 256] = 0x7f;
	assert_true(disclose_decode(AFS_CB, 212, true, x.bytes, x.len, x.len, &d));
	assert_int_equal(d.iface[0].mtu, 0);
	assert_int_equal(d.iface[1].mtu, 1500);
}

static void test_uuid_only(void **state)
{
	(void)state;
	struct xdr x = {.len = 0};
	struct disclosure d;
	word(&x, 213);
	put_uuid(&x);
	for (size_t n = 0; n <= x.len; n++)
		assert_int_equal(
		        disclose_decode(AFS_CB, 213, false, x.bytes, n, x.len, &d),
		        n == 48);
	assert_int_equal(d.kind, DISCLOSE_INIT_STATE3);
	assert_memory_equal(d.uuid, uuid, UUID_BYTES);
	assert_int_equal(d.n, 0);
	assert_false(disclose_decode(AFS_CB, 213, true, x.bytes, x.len, x.len, &d));
	/* a uuid of zeros names nobody */
	x.len = 4;
	words(&x, 0, 11);
	assert_false(disclose_decode(AFS_CB, 213, false, x.bytes, x.len, x.len, &d));
}

static void test_register(void **state)
{
	(void)state;
	struct xdr x = {.len = 0};
	struct disclosure d;
	word(&x, 532);
	put_uuid(&x);
	word(&x, 0);
	word(&x, 2);
	word(&x, 0x0a4d0101);
	word(&x, 0x0a4d0201);
	for (size_t n = 0; n <= x.len; n++) {
		bool some = disclose_decode(AFS_VL, 532, false, x.bytes, n, x.len, &d);
		assert_int_equal(some, n >= 48);
		if (!some)
			continue;
		assert_int_equal(d.n, n < 60 ? 0 : n < 64 ? 1 : 2);
		assert_int_equal(d.cut, n < 64);
	}
	assert_false(d.third_party);
	check_addr(&d.iface[0].addr, "10.77.1.1");
	check_addr(&d.iface[1].addr, "10.77.2.1");
	assert_int_equal(d.iface[0].mtu, 0);
	/* a length that promises more than there is */
	x.bytes[52] = 0xff;
	assert_true(disclose_decode(AFS_VL, 532, false, x.bytes, x.len, x.len, &d));
	assert_int_equal(d.n, 2);
	assert_true(d.cut);
}

static void test_get_addrs(void **state)
{
	(void)state;
	struct xdr x = {.len = 0};
	struct disclosure d;
	put_uuid(&x);
	word(&x, 7); /* uniquifier */
	word(&x, 40);
	word(&x, 40);
	for (uint32_t i = 0; i < 40; i++)
		word(&x, 0x0a000001 + i);
	assert_true(disclose_decode(AFS_VL, 533, true, x.bytes, x.len, x.len, &d));
	assert_true(d.third_party);
	assert_true(d.cut);
	assert_int_equal(d.n, DISCLOSE_IFACES);
	check_addr(&d.iface[31].addr, "10.0.0.32");
	struct addr first = v4(10, 0, 0, 1);
	assert_int_equal(addr_compare(&d.iface[0].addr, &first), 0);
	assert_false(disclose_decode(AFS_VL, 533, false, x.bytes, x.len, x.len, &d));
}

static void test_ubik(void **state)
{
	(void)state;
	struct xdr x = {.len = 0};
	struct disclosure d;
	word(&x, 20012);
	word(&x, 0x0a4d0101);
	word(&x, 0x0a4d0201);
	words(&x, 0, 254);
	const enum afs_service any[] = {AFS_UBIK, AFS_VL, AFS_PT, AFS_BUDB};
	for (size_t i = 0; i < 4; i++) {
		assert_true(disclose_decode(any[i], 20012, false, x.bytes, x.len, x.len,
		                            &d));
		assert_int_equal(d.kind, DISCLOSE_UBIK);
		assert_int_equal(d.n, 2);
		assert_false(d.cut);
		assert_false(d.has_uuid);
	}
	assert_true(disclose_decode(AFS_UBIK, 20012, true, x.bytes + 4, x.len - 4,
	                            x.len - 4, &d));
	assert_int_equal(d.n, 2);
	assert_true(disclose_decode(AFS_UBIK, 20012, true, x.bytes + 4, 8, 1024, &d));
	assert_int_equal(d.n, 2);
	assert_true(d.cut);
	assert_false(disclose_decode(AFS_UBIK, 20012, true, x.bytes + 4, 3, 1024, &d));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_who_are_you),
	        cmocka_unit_test(test_who_are_you_cut),
	        cmocka_unit_test(test_interfaces_absurd),
	        cmocka_unit_test(test_uuid_only),
	        cmocka_unit_test(test_register),
	        cmocka_unit_test(test_get_addrs),
	        cmocka_unit_test(test_ubik),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
