#include "src/study/study_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/process.h"
#include "src/run/facts.h"

void study_lab_name(void)
{
	setenv("CELLBENCH_LAB", STUDY_LAB, 0);
	setenv("LAB_QUIET", "1", 0);
}

char *study_quote(const char *text)
{
	char *out = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&out, &n);
	if (!f)
		return NULL;
	fputc('\'', f);
	for (const char *p = text; *p; p++)
		if (*p == '\'')
			fputs("'\\''", f);
		else
			fputc(*p, f);
	fputc('\'', f);
	return fclose(f) == 0 ? out : NULL;
}

char *study_self(void)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0)
		return NULL;
	self[n] = '\0';
	/* made anew meanwhile: the new one does as well */
	char *gone = strstr(self, " (deleted)");
	if (gone)
		*gone = '\0';
	return self[strcspn(self, " '\"$\\*?;&|<>()")] ? study_quote(self)
	                                               : strdup(self);
}

/* The most clients that any cell needs: the hosts are made once. */
static unsigned most_clients(const struct study *s)
{
	unsigned most = 1;
	for (size_t i = 0; i < s->n; i++) {
		unsigned n = (unsigned)atoi(s->cells[i].c->value[AXIS_CLIENTS]);
		most = n > most ? n : most;
	}
	return most;
}

static char *server_options(const struct study *s, const struct cell *c)
{
	char *file = study_job_all(s->job, c, SET_FILESERVER_OPTIONS, " ");
	char *vol = study_job_all(s->job, c, SET_VOLSERVER_OPTIONS, " ");
	char *file_word = file ? study_quote(file) : NULL;
	char *vol_word = vol ? study_quote(vol) : NULL;
	char *out = NULL;
	if (!file_word || !vol_word ||
	    asprintf(&out, "%s%s%s%s", file[0] ? " --fileserver-options " : "",
	             file[0] ? file_word : "", vol[0] ? " --volserver-options " : "",
	             vol[0] ? vol_word : "") < 0)
		out = NULL;
	free(file);
	free(vol);
	free(file_word);
	free(vol_word);
	return out;
}

static char *raise_options(const struct study *s, const struct cell *c)
{
	char *more = study_job_all(s->job, c, SET_LAB_OPTIONS, " "), *out = NULL;
	const char *fs = c->value[AXIS_VICEP_FS];
	bool usual = strcmp(fs, axis_kinds[AXIS_VICEP_FS].usual) == 0;
	if (!more || asprintf(&out, " --clients %u%s%s%s%s", most_clients(s),
	                      usual ? "" : " --vicep-fs ", usual ? "" : fs,
	                      more[0] ? " " : "", more) < 0)
		out = NULL;
	free(more);
	return out;
}

static char *lab_command(const char *what, const char *a, const char *b)
{
	char *self = study_self(), *out = NULL;
	if (!self || asprintf(&out, "exec %s lab %s%s%s", self, what, a, b) < 0)
		out = NULL;
	free(self);
	return out;
}

char *study_lab_up_command(const struct study *s, const struct cell *c)
{
	char *raised = raise_options(s, c), *server = server_options(s, c);
	char *out = raised && server ? lab_command("up", raised, server) : NULL;
	free(raised);
	free(server);
	return out;
}

static int run(const struct study *s, char *command, const volatile sig_atomic_t *stop,
               const char *what, struct err *e)
{
	char log[4200], why[256];
	struct process_end end;
	snprintf(log, sizeof log, "%s/lab.log", s->dir);
	if (!command)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	struct process p = {.command = command, .log = log, .stop = stop};
	int r = process_run(&p, &end, e);
	if (r == 0 && end.status != 0) {
		process_text(&end, why, sizeof why);
		r = err_set(e, ERR_ENVIRONMENT, "%s: %s", what, why);
	}
	free(command);
	return r;
}

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* A file that says that this study has raised a lab, should it be killed. */
static void marker(const struct study *s, char *path, size_t size)
{
	snprintf(path, size, "%s/lab.raised", s->dir);
}

static int raise_lab(struct study_lab *l, const struct study *s, const char *raised,
                     const char *restarted, const volatile sig_atomic_t *stop,
                     struct err *e)
{
	char path[4200];
	const char *state = getenv("CELLBENCH_LAB");
	marker(s, path, sizeof path);
	bool ours = access(path, F_OK) == 0;
	if (!ours && state && access(state, F_OK) == 0)
		return err_set(
		        e, ERR_ENVIRONMENT,
		        "there is a lab in %s that is not this study's; take it down "
		        "with cellbench lab down, or name another place in "
		        "CELLBENCH_LAB",
		        state);
	l->up = true; /* also half made it is to be taken down */
	if (ours && run(s, lab_command("down", "", ""), NULL,
	                "the lab of a killed study did not go down", e) < 0)
		return -1;
	FILE *f = fopen(path, "we");
	if (f)
		fclose(f);
	return run(s, lab_command("up", raised, restarted), stop,
	           "the lab did not come up", e);
}

int study_lab_need(struct study_lab *l, const struct study *s, const struct cell *c,
                   const volatile sig_atomic_t *stop, struct err *e)
{
	char *raised = raise_options(s, c), *restarted = server_options(s, c);
	int r = raised && restarted ? 0 : err_set(e, ERR_ENVIRONMENT, "out of memory");
	if (r == 0 && l->up && !same(raised, l->raised))
		r = study_lab_down(l, s, e);
	if (r == 0 && !l->up) {
		r = raise_lab(l, s, raised, restarted, stop, e);
	} else if (r == 0 && !same(restarted, l->restarted)) {
		r = run(s, lab_command("restart", restarted, ""), stop,
		        "the lab's servers did not restart", e);
	}
	free(l->raised);
	free(l->restarted);
	l->raised = r == 0 ? raised : NULL;
	l->restarted = r == 0 ? restarted : NULL;
	if (r < 0) {
		free(raised);
		free(restarted);
	}
	return r;
}

int study_lab_down(struct study_lab *l, const struct study *s, struct err *e)
{
	int r = l->up ? run(s, lab_command("down", "", ""), NULL,
	                    "the lab did not go down; cellbench lab down takes it down",
	                    e)
	              : 0;
	char path[4200];
	marker(s, path, sizeof path);
	if (r == 0 && l->up)
		unlink(path);
	free(l->raised);
	free(l->restarted);
	*l = (struct study_lab){0};
	return r;
}

long study_lab_fileserver(void)
{
	json_t *lab = facts_lab();
	long pid = 0;
	size_t i;
	const json_t *server;
	json_array_foreach(json_object_get(lab, "servers"), i, server)
	{
		const char *name = json_string_value(json_object_get(server, "name"));
		if (name && strcmp(name, "fileserver") == 0)
			pid = (long)json_integer_value(json_object_get(server, "pid"));
	}
	json_decref(lab);
	return pid;
}
