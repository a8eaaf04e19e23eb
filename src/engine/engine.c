#include "src/engine/engine.h"

#include <string.h>

const char *const engine_op_names[ENGINE_OP_COUNT] = {
        [ENGINE_OPEN] = "open",     [ENGINE_CLOSE] = "close",
        [ENGINE_READ] = "read",     [ENGINE_WRITE] = "write",
        [ENGINE_SEEK] = "seek",     [ENGINE_FSYNC] = "fsync",
        [ENGINE_UNLINK] = "unlink", [ENGINE_MKDIR] = "mkdir",
        [ENGINE_RMDIR] = "rmdir",   [ENGINE_RENAME] = "rename",
        [ENGINE_STAT] = "stat",     [ENGINE_READDIR] = "readdir",
        [ENGINE_DROP] = "drop",
};

const struct engine_ops *const engine_table[] = {
        &engine_posix,
        &engine_null,
#ifdef HAVE_UAFS
        &engine_afs,
#endif
        NULL,
};

const struct engine_ops *engine_find(const char *name)
{
	for (size_t i = 0; engine_table[i]; i++)
		if (strcmp(engine_table[i]->name, name) == 0)
			return engine_table[i];
	return NULL;
}

int engine_start(struct engine *en, const struct engine_ops *ops,
                 const struct engine_options *o, struct err *e)
{
	en->ops = ops;
	en->st = NULL;
	if (ops->start(o, &en->st, e) == 0)
		return 0;
	en->ops = NULL;
	return -1;
}

void engine_stop(struct engine *en)
{
	if (en->ops)
		en->ops->stop(en->st);
	*en = (struct engine){0};
}

unsigned engine_caps(const struct engine *en)
{
	return en->ops->caps | (en->ops->caps_here ? en->ops->caps_here(en->st) : 0);
}
