#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/engine/engine.h"
#include "src/engine/mount.h"

static void test_mount_describe_root(void **state)
{
	(void)state;
	json_t *o = mount_describe("/");
	assert_string_equal(json_string_value(json_object_get(o, "target")), "/");
	assert_true(json_is_string(json_object_get(o, "type")));
	assert_true(json_integer_value(json_object_get(o, "block_size")) > 0);
	json_decref(o);
}

static void test_mount_caps_by_kind(void **state)
{
	(void)state;
	static const struct {
		const char *type, *source, *options;
		unsigned caps;
	} cases[] = {
	        {"ext4", "/dev/sda", "rw", 0},
	        {"tmpfs", "none", "rw", 0},
	        {"afs", "AFS", "rw", ENGINE_NETWORK | ENGINE_OWN_CACHE},
	        {"fuse", "AFS", "rw,allow_other", ENGINE_NETWORK | ENGINE_OWN_CACHE},
	        {"fuse", "other", "rw", 0},
	        {"nfs4", "s:/x", "rw,proto=tcp", ENGINE_NETWORK},
	        {"nfs", "s:/x", "rw,fsc,proto=tcp", ENGINE_NETWORK | ENGINE_OWN_CACHE},
	        {"nfs4", "s:/x", "rw,proto=rdma", 0},
	        {"cifs", "//s/x", "rw,rdma", 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		json_t *o =
		        json_pack("{s:s, s:s, s:s}", "type", cases[i].type, "source",
		                  cases[i].source, "options", cases[i].options);
		if (mount_caps(o) != cases[i].caps)
			fail_msg("%s of %s with %s: %x", cases[i].type, cases[i].source,
			         cases[i].options, mount_caps(o));
		json_decref(o);
	}
	json_t *nothing = json_object(); /* of a path that is on no mount */
	assert_int_equal(mount_caps(nothing), 0);
	json_decref(nothing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_mount_describe_root),
	        cmocka_unit_test(test_mount_caps_by_kind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
