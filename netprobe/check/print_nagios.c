#include "netprobe/check/print.h"

#include <errno.h>

static const struct {
	const char *word;
	int code;
} states[] = {
        [GRAVITY_OK] = {"OK", 0},
        [GRAVITY_NOTE] = {"OK", 0},
        [GRAVITY_WARNING] = {"WARNING", 1},
        [GRAVITY_CRITICAL] = {"CRITICAL", 2},
};

int print_nagios_code(const struct matrix *m)
{
	return matrix_exit_code(m) == ERR_ENVIRONMENT ? 3
	                                              : states[matrix_gravity(m)].code;
}

static const struct row_finding *gravest(const struct matrix *m)
{
	enum gravity worst = matrix_gravity(m);
	for (size_t i = 0; i < m->n_rows && worst > GRAVITY_NOTE; i++)
		for (size_t f = 0; f < m->rows[i].findings; f++)
			if (verdict_gravity(m->rows[i].finding[f].verdict) == worst)
				return &m->rows[i].finding[f];
	return NULL;
}

static size_t bad_rows(const struct matrix *m)
{
	size_t n = 0;
	for (size_t i = 0; i < m->n_rows; i++)
		n += verdict_gravity(m->rows[i].verdict) >= GRAVITY_WARNING;
	return n;
}

/* A bar begins the performance data. */
static void put_text(const char *text, FILE *out)
{
	for (; *text; text++)
		fputc(*text == '|' || *text == '\n' ? ' ' : *text, out);
}

int print_nagios(const struct matrix *m, const struct print_options *o, FILE *out,
                 struct err *err)
{
	const struct row_finding *f = gravest(m);
	int code = print_nagios_code(m);
	size_t bad = bad_rows(m);
	(void)o;
	fprintf(out, "NETPROBE %s - ",
	        code == 3 ? "UNKNOWN" : states[matrix_gravity(m)].word);
	if (f) {
		fprintf(out, "%s: ", verdict_id(f->verdict));
		put_text(f->text, out);
		if (bad > 1)
			fprintf(out, " (and %zu more of %zu)", bad - 1, m->n_rows);
	} else {
		fprintf(out, "%zu path%s as they should be", m->n_rows,
		        m->n_rows == 1 ? "" : "s");
	}
	fputs(" |", out);
	for (size_t i = 0; i < m->n_rows; i++) {
		const struct row *r = &m->rows[i];
		char text[PEER_TEXT];
		uint32_t mtu = r->probed ? r->path.passes : r->mtu;
		fprintf(out, " '%s %s'=", peer_format(&r->peer, text),
		        r->has_iface ? r->iface.name : "-");
		if (mtu)
			fprintf(out, "%uB", mtu);
		else
			fputc('U', out); /* not known */
	}
	fputc('\n', out);
	if (fflush(out) == EOF || ferror(out))
		return err_sys(err, errno, "cannot write the result");
	return 0;
}
