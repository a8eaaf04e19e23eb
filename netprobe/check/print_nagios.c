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

/* 'label'=value[UOM];warn;crit;min;max (Monitoring Plugins Development Guidelines).
 * "8548:" warns below 8548: then Rx sends more than gets through. */
static void put_row(const struct row *r, FILE *out)
{
	char text[PEER_TEXT], label[PEER_TEXT + 80], a[ADDR_TEXT];
	uint32_t mtu = r->probed ? r->path.passes : r->mtu;
	int n = snprintf(label, sizeof label, "%s %s", peer_format(&r->peer, text),
	                 r->has_iface ? r->iface.name : "-");
	if (r->has_from && r->has_source)
		snprintf(label + n, sizeof label - (size_t)n, " %s",
		         addr_format(&r->source, a));
	fprintf(out, " '%s'=", label);
	if (mtu)
		fprintf(out, "%uB;%u:;;0;%u", mtu, row_largest_packet(r), r->iface.mtu);
	else
		fputc('U', out); /* not known */
	if (r->probed && r->path.rtt_ns)
		fprintf(out, " '%s rtt'=%.6fs;;;0", label,
		        (double)r->path.rtt_ns / 1e9);
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
	for (size_t i = 0; i < m->n_rows; i++)
		if (!m->rows[i].only_seen && !matrix_row_repeats(m, i))
			put_row(&m->rows[i], out);
	fputc('\n', out);
	if (fflush(out) == EOF || ferror(out))
		return err_sys(err, errno, "cannot write the result");
	return 0;
}
