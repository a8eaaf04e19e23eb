#include "netprobe/check/print.h"

#include <errno.h>
#include <inttypes.h>

/* A metric of a row; false where it is not known. */
typedef bool value_fn(const struct row *r, double *v);

static bool link_mtu(const struct row *r, double *v)
{
	*v = r->iface.mtu;
	return r->has_iface;
}

static bool configured_mtu(const struct row *r, double *v)
{
	*v = r->mtu;
	return r->mtu != 0;
}

static bool path_mtu(const struct row *r, double *v)
{
	*v = r->path.passes;
	return r->probed && r->path.passes != 0;
}

static bool rtt(const struct row *r, double *v)
{
	*v = (double)r->path.rtt_ns / 1e9;
	return r->probed && r->path.passes != 0;
}

static bool expected(const struct row *r, double *v)
{
	*v = r->expect.size[EXPECT_CLEAR].udp_payload;
	return r->has_expect;
}

static bool sent(const struct row *r, double *v)
{
	*v = r->seen ? r->seen->way[SEEN_SENT].largest : 0;
	return *v > 0;
}

static bool received(const struct row *r, double *v)
{
	*v = r->seen ? r->seen->way[SEEN_RECEIVED].largest : 0;
	return *v > 0;
}

static bool ok(const struct row *r, double *v)
{
	*v = verdict_gravity(r->verdict) < GRAVITY_WARNING;
	return true;
}

static const struct {
	const char *name, *help;
	value_fn *value;
} metrics[] = {
        {"netprobe_link_mtu_bytes", "MTU of the interface towards the peer", link_mtu},
        {"netprobe_configured_mtu_bytes",
         "IP packet size that this host is set to: less of link and route MTU",
         configured_mtu},
        {"netprobe_path_mtu_bytes", "largest IP packet that was answered", path_mtu},
        {"netprobe_path_rtt_seconds", "round trip of that packet", rtt},
        {"netprobe_expected_datagram_bytes",
         "UDP payload of the largest Rx datagram that is expected", expected},
        {"netprobe_sent_datagram_bytes",
         "UDP payload of the largest Rx DATA datagram to the peer in the capture",
         sent},
        {"netprobe_received_datagram_bytes",
         "UDP payload of the largest Rx DATA datagram from the peer in the capture",
         received},
        {"netprobe_path_ok", "1 unless a finding is a warning or worse", ok},
};

static void put_label(FILE *out, const char *name, const char *text, const char *before)
{
	fprintf(out, "%s%s=\"", before, name);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		if (*text != '\n')
			fputc(*text, out);
	}
	fputc('"', out);
}

static void put_labels(FILE *out, const struct row *r)
{
	char text[PEER_TEXT], a[ADDR_TEXT];
	put_label(out, "peer", peer_format(&r->peer, text), "{");
	put_label(out, "interface", r->has_iface ? r->iface.name : "", ",");
	put_label(out, "source", r->has_source ? addr_format(&r->source, a) : "", ",");
}

int print_prometheus(const struct matrix *m, const struct print_options *o, FILE *out,
                     struct err *err)
{
	for (size_t k = 0; k < sizeof metrics / sizeof *metrics; k++) {
		fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", metrics[k].name,
		        metrics[k].help, metrics[k].name);
		for (size_t i = 0; i < m->n_rows; i++) {
			double v;
			if (matrix_row_repeats(m, i)) /* one sample a set of labels */
				continue;
			if (!metrics[k].value(&m->rows[i], &v))
				continue;
			fputs(metrics[k].name, out);
			put_labels(out, &m->rows[i]);
			fprintf(out, "} %.9g\n", v);
		}
	}
	fputs("# HELP netprobe_path_verdict 1 for the gravest finding of the path\n"
	      "# TYPE netprobe_path_verdict gauge\n",
	      out);
	for (size_t i = 0; i < m->n_rows; i++) {
		if (matrix_row_repeats(m, i))
			continue;
		fputs("netprobe_path_verdict", out);
		put_labels(out, &m->rows[i]);
		put_label(out, "verdict", verdict_id(m->rows[i].verdict), ",");
		fputs("} 1\n", out);
	}
	fprintf(out,
	        "# HELP netprobe_check_timestamp_seconds when it was checked\n"
	        "# TYPE netprobe_check_timestamp_seconds gauge\n"
	        "netprobe_check_timestamp_seconds %" PRId64 "\n",
	        o->time_ns / 1000000000);
	if (fflush(out) == EOF || ferror(out))
		return err_sys(err, errno, "cannot write the result");
	return 0;
}
