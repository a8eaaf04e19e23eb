#include "netprobe/decode/afs.h"

#include "netprobe/decode/afs_ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_services(void **state)
{
	(void)state;
	static const struct {
		uint16_t id, port;
		enum afs_service s;
	} row[] = {
	        {1, 7000, AFS_FS},        {1, 7001, AFS_CB},
	        {1, 7007, AFS_BOS},       {1, 7025, AFS_BUTC},
	        {1, 38959, AFS_CB},       {1, 7010, AFS_UNKNOWN},
	        {4, 7005, AFS_VOL},       {4, 7008, AFS_UPDATE},
	        {4, 7009, AFS_UNKNOWN},   {4, 40000, AFS_UNKNOWN},
	        {52, 7003, AFS_VL},       {52, 12345, AFS_VL},
	        {50, 7003, AFS_UBIK},     {51, 7002, AFS_UBIK},
	        {73, 7002, AFS_PT},       {731, 7004, AFS_KA},
	        {22314, 7021, AFS_BUDB},  {409, 7000, AFS_RXSTATS},
	        {2500, 7000, AFS_YFS_FS}, {2501, 7001, AFS_YFS_CB},
	        {2503, 7003, AFS_YFS_VL}, {34567, 7003, AFS_RXGK},
	        {0, 7000, AFS_FS},        {0, 7021, AFS_BUDB},
	        {0, 53, AFS_UNKNOWN},     {999, 7000, AFS_UNKNOWN},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		assert_int_equal(afs_service_of(row[i].id, row[i].port), row[i].s);
	for (int s = 0; s < AFS_SERVICES; s++)
		assert_non_null(afs_service_name((enum afs_service)s));
	assert_string_equal(afs_service_name(AFS_VOL), "vol");
}

static void test_ports(void **state)
{
	(void)state;
	for (unsigned p = 0; p < 65536; p++) {
		bool afs = (p >= 7000 && p <= 7011) || p == 7020 || p == 7021 ||
		           (p >= 7025 && p <= 7032);
		assert_int_equal(afs_port((uint16_t)p), afs);
	}
}

static void test_opcodes(void **state)
{
	(void)state;
	static const struct {
		enum afs_service s;
		uint32_t op;
		const char *name;
		enum afs_bulk bulk;
	} row[] = {
	        {AFS_FS, 130, "FetchData", AFS_BULK_TO_CLIENT},
	        {AFS_FS, 133, "StoreData", AFS_BULK_TO_SERVER},
	        {AFS_FS, 153, "GetTime", AFS_BULK_NONE},
	        {AFS_FS, 65536, "InlineBulkStatus", AFS_BULK_TO_CLIENT},
	        {AFS_FS, 65537, "FetchData64", AFS_BULK_TO_CLIENT},
	        {AFS_FS, 65538, "StoreData64", AFS_BULK_TO_SERVER},
	        {AFS_CB, 65538, "TellMeAboutYourself", AFS_BULK_NONE},
	        {AFS_CB, 204, "CallBack", AFS_BULK_NONE},
	        {AFS_VL, 501, "CreateEntry", AFS_BULK_NONE},
	        {AFS_PT, 501, "WhereIsIt", AFS_BULK_NONE},
	        {AFS_VL, 532, "RegisterAddrs", AFS_BULK_NONE},
	        {AFS_VL, 20005, "GetFile", AFS_BULK_TO_CLIENT},
	        {AFS_PT, 530, "ListSuperGroups", AFS_BULK_NONE},
	        {AFS_UBIK, 20012, "UpdateInterfaceAddr", AFS_BULK_NONE},
	        {AFS_UBIK, 20006, "SendFile", AFS_BULK_TO_SERVER},
	        {AFS_VOL, 100, "CreateVolume", AFS_BULK_NONE},
	        {AFS_BOS, 100, "RestartAll", AFS_BULK_NONE},
	        {AFS_VOL, 102, "Restore", AFS_BULK_TO_SERVER},
	        {AFS_VOL, 65538, "DumpV2", AFS_BULK_TO_CLIENT},
	        {AFS_BOS, 112, "GetLog", AFS_BULK_TO_CLIENT},
	        {AFS_KA, 21, "Authenticate", AFS_BULK_NONE},
	        {AFS_BUDB, 0, "AddVolume", AFS_BULK_NONE},
	        {AFS_BUDB, 24, "DumpDB", AFS_BULK_TO_CLIENT},
	        {AFS_BUDB, 30, "ListDumps", AFS_BULK_NONE},
	        {AFS_RXSTATS, 8, "QueryRPCStatsVersion", AFS_BULK_NONE},
	        {AFS_BUTC, 12, "DeleteDump", AFS_BULK_NONE},
	        {AFS_UPDATE, 1, "FetchFile", AFS_BULK_TO_CLIENT},
	        {AFS_YFS_FS, 64537, "FetchData64", AFS_BULK_TO_CLIENT},
	        {AFS_YFS_FS, 65538, "StoreData64", AFS_BULK_TO_SERVER},
	        {AFS_YFS_CB, 64204, "CallBack", AFS_BULK_NONE},
	        {AFS_YFS_VL, 64002, "GetEndpoints", AFS_BULK_NONE},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const char *name = afs_opcode_name(row[i].s, row[i].op);
		assert_non_null(name);
		assert_string_equal(name, row[i].name);
		assert_int_equal(afs_bulk_of(row[i].s, row[i].op), row[i].bulk);
	}
	assert_null(afs_opcode_name(AFS_FS, 501));
	assert_null(afs_opcode_name(AFS_FS, 129));
	assert_null(afs_opcode_name(AFS_FS, UINT32_MAX));
	assert_null(afs_opcode_name(AFS_UNKNOWN, 130));
	assert_null(afs_opcode_name(AFS_RXGK, 1));
	assert_int_equal(afs_bulk_of(AFS_UNKNOWN, 130), AFS_BULK_NONE);
}

/* The lookup halves: rows must rise. */
static void test_tables_rise(void **state)
{
	(void)state;
	struct afs_ops (*const all[])(void) = {
	        afs_ops_fs,     afs_ops_cb,     afs_ops_yfs_fs,  afs_ops_yfs_cb,
	        afs_ops_vl,     afs_ops_yfs_vl, afs_ops_pt,      afs_ops_ka,
	        afs_ops_budb,   afs_ops_ubik,   afs_ops_vol,     afs_ops_bos,
	        afs_ops_update, afs_ops_butc,   afs_ops_rxstats,
	};
	for (size_t t = 0; t < sizeof all / sizeof *all; t++) {
		struct afs_ops ops = all[t]();
		assert_true(ops.n > 0);
		for (size_t i = 1; i < ops.n; i++)
			assert_true(ops.op[i - 1].opcode < ops.op[i].opcode);
	}
}

static size_t put(uint8_t *p, const uint32_t *word, size_t n)
{
	for (size_t i = 0; i < 4 * n; i++)
		p[i] = (uint8_t)(word[i / 4] >> (24 - 8 * (i % 4)));
	return 4 * n;
}

struct range_case {
	enum afs_service s;
	uint32_t op;
	uint32_t word[24]; /* behind the opcode */
	size_t words;
	struct afs_range want;
};

static const struct range_case ranges[] = {
        {AFS_FS, 130, {11, 12, 13, 65536, 4096}, 5, {11, 12, 13, 65536, 4096, 4, 120}},
        {AFS_FS,
         65537,
         {11, 12, 13, 1, 2, 3, 4},
         7,
         {11, 12, 13, 0x100000002, 0x300000004, 8, 120}},
        {AFS_FS, 133, {11, 12, 13, [9] = 7, 8, 9}, 12, {11, 12, 13, 7, 8, 52, 0}},
        {AFS_FS,
         65538,
         {11, 12, 13, [9] = 0, 7, 0, 8, 0, 9},
         15,
         {11, 12, 13, 7, 8, 64, 0}},
        {AFS_YFS_FS,
         64537,
         {0, 0, 11, 0, 12, 0, 13, 0, 7, 0, 8},
         11,
         {11, 12, 13, 7, 8, 8, 160}},
        {AFS_YFS_FS,
         64538,
         {0, 0, 11, 0, 12, 0, 13, [15] = 0, 7, 0, 8, 0, 9},
         21,
         {11, 12, 13, 7, 8, 88, 0}},
};

static void test_ranges(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		const struct range_case *t = &ranges[i];
		uint8_t b[100];
		size_t n = put(b, t->word, t->words);
		/* a store's file bytes begin where its arguments end */
		if (t->want.suffix == 0)
			assert_int_equal(t->want.prefix, 4 + n);
		struct cursor c = cursor_init(b, n, n);
		struct afs_range r;
		assert_true(afs_range_decode(t->s, t->op, &c, &r));
		assert_int_equal(r.volume, t->want.volume);
		assert_int_equal(r.vnode, t->want.vnode);
		assert_int_equal(r.unique, t->want.unique);
		assert_true(r.offset == t->want.offset);
		assert_true(r.length == t->want.length);
		assert_int_equal(r.prefix, t->want.prefix);
		assert_int_equal(r.suffix, t->want.suffix);
		/* a store's file length comes behind what is needed */
		size_t need = t->op == 133 ? n - 4 : t->want.suffix ? n : n - 8;
		for (size_t cap = 0; cap < n; cap++) {
			uint8_t *cut = malloc(cap ? cap : 1);
			assert_non_null(cut);
			memcpy(cut, b, cap);
			c = cursor_init(cut, cap, n);
			assert_int_equal(afs_range_decode(t->s, t->op, &c, &r),
			                 cap >= need);
			free(cut);
		}
	}
	struct cursor none = cursor_init(NULL, 0, 0);
	struct afs_range r;
	assert_false(afs_range_decode(AFS_FS, 132, &none, &r));
	assert_false(afs_range_decode(AFS_CB, 65538, &none, &r));
	assert_false(afs_range_decode(AFS_FS, 130, &none, &r));
}

static void test_aborts(void **state)
{
	(void)state;
	static const struct {
		int32_t code;
		const char *name;
	} row[] = {
	        {2, "ENOENT (2)"},
	        {102, "VNOVNODE (102)"},
	        {110, "VBUSY (110)"},
	        {120, "VRESTRICTED (120)"},
	        {-1, "RX_CALL_DEAD (-1)"},
	        {-100, "RX_RESTARTING (-100)"},
	        {-455, "RXGEN_OPCODE (-455)"},
	        {5376, "UNOQUORUM (5376)"},
	        {5377, "UNOTSYNC (5377)"},
	        {39430, "BZACCESS (39430)"},
	        {180484, "KANOENT (180484)"},
	        {267268, "PRNOENT (267268)"},
	        {363524, "VL_NOENT (363524)"},
	        {19270400, "RXKADINCONSISTENCY (19270400)"},
	        {19270409, "RXKADEXPIRED (19270409)"},
	        {49733376, "UAEPERM (49733376)"},
	        {49733388, "UAEACCES (49733388)"},
	        {1233242880, "RXGK_INCONSISTENCY (1233242880)"},
	        {1492325127, "VOLSERBAD_ACCESS (1492325127)"},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const char *name = afs_abort_name(row[i].code);
		assert_non_null(name);
		assert_string_equal(name, row[i].name);
	}
	assert_null(afs_abort_name(0));
	assert_null(afs_abort_name(INT32_MIN));
	assert_null(afs_abort_name(INT32_MAX));
	assert_null(afs_abort_name(19270413));
	assert_null(afs_abort_name(5375));
}

/* Whatever has a name says its own number in it. */
static void test_abort_numbers(void **state)
{
	(void)state;
	static const int32_t near[] = {0,         5376,       39424,     180480,
	                               267264,    363520,     19270400,  49733376,
	                               156303872, 1233242880, 1492325120};
	unsigned named = 0;
	for (size_t i = 0; i < sizeof near / sizeof *near; i++)
		for (int32_t code = near[i] - 600; code < near[i] + 600; code++) {
			const char *name = afs_abort_name(code);
			if (!name)
				continue;
			named++;
			const char *open = strrchr(name, '(');
			assert_non_null(open);
			assert_int_equal(strtol(open + 1, NULL, 10), code);
		}
	assert_in_range(named, 330, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_services),
	        cmocka_unit_test(test_ports),
	        cmocka_unit_test(test_opcodes),
	        cmocka_unit_test(test_tables_rise),
	        cmocka_unit_test(test_ranges),
	        cmocka_unit_test(test_aborts),
	        cmocka_unit_test(test_abort_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
