/* A folder of its own for a test, removed with all that is in it. */
#ifndef SUPPORT_TMPDIR_H
#define SUPPORT_TMPDIR_H

/* Makes one below $TMPDIR or /tmp; the path is to be freed by tmpdir_remove. */
char *tmpdir_make(void);
void tmpdir_remove(char *path);

#endif
