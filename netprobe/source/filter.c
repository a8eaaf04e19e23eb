#include "netprobe/source/filter.h"

#include "netprobe/source/linktype.h"

#include <pcap/pcap.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SNAPLEN 262144 /* what a match returns; any positive number will do */

struct program {
	uint16_t link_type;
	struct bpf_program code;
};

struct filter {
	char *expression;
	struct program *program;
	size_t programs, last; /* last = the one used for the frame before */
};

/* Compiles text; false with libpcap's message. */
static bool compile(const char *text, uint16_t link_type, struct bpf_program *code,
                    char why[static PCAP_ERRBUF_SIZE])
{
	pcap_t *dead = pcap_open_dead(link_type_to_dlt(link_type), SNAPLEN);
	if (!dead) {
		snprintf(why, PCAP_ERRBUF_SIZE, "out of memory");
		return false;
	}
	bool ok = pcap_compile(dead, code, text, 1, PCAP_NETMASK_UNKNOWN) == 0;
	if (!ok)
		snprintf(why, PCAP_ERRBUF_SIZE, "%s", pcap_geterr(dead));
	pcap_close(dead);
	return ok;
}

/* libpcap does not tell the place of a mistake: it stands behind the longest
 * run of words that is an expression by itself. */
static size_t good_length(const char *text, uint16_t link_type)
{
	char *copy = strdup(text);
	size_t n = copy ? strlen(copy) : 0;
	for (; n > 0; n--) {
		struct bpf_program code;
		char why[PCAP_ERRBUF_SIZE];
		if (copy[n] != ' ')
			continue;
		copy[n] = '\0';
		if (compile(copy, link_type, &code, why)) {
			pcap_freecode(&code);
			break;
		}
	}
	free(copy);
	return n;
}

int filter_explain(const char *where, const char *expression, uint16_t link_type,
                   const char *why, struct err *err)
{
	size_t good = good_length(expression, link_type);
	if (good > 0)
		return err_set(err, ERR_USAGE,
		               "filter%s: %s, behind \"%.*s\" in \"%s\" (see "
		               "pcap-filter(7))",
		               where, why, (int)good, expression, expression);
	return err_set(err, ERR_USAGE, "filter%s: %s in \"%s\" (see pcap-filter(7))",
	               where, why, expression);
}

static int add_program(struct filter *f, uint16_t link_type, struct err *err)
{
	struct program *more =
	        realloc(f->program, (f->programs + 1) * sizeof *f->program);
	if (!more)
		return err_sys(err, errno, "memory for the filter");
	f->program = more;
	struct program *p = &more[f->programs];
	char why[PCAP_ERRBUF_SIZE];
	if (!compile(f->expression, link_type, &p->code, why))
		return filter_explain("", f->expression, link_type, why, err);
	p->link_type = link_type;
	f->last = f->programs++;
	return 0;
}

struct filter *filter_new(const char *expression, uint16_t link_type, struct err *err)
{
	struct filter *f = calloc(1, sizeof *f);
	if (f)
		f->expression = strdup(expression);
	if (!f || !f->expression) {
		err_sys(err, errno, "memory for the filter");
		filter_free(f);
		return NULL;
	}
	if (add_program(f, link_type, err) < 0) {
		filter_free(f);
		return NULL;
	}
	return f;
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->programs; i++)
		pcap_freecode(&f->program[i].code);
	free(f->program);
	free(f->expression);
	free(f);
}

static bool find_program(struct filter *f, uint16_t link_type)
{
	if (f->program[f->last].link_type == link_type)
		return true;
	for (size_t i = 0; i < f->programs; i++) {
		if (f->program[i].link_type == link_type) {
			f->last = i;
			return true;
		}
	}
	return false;
}

int filter_match(struct filter *f, const struct frame *frame, struct err *err)
{
	if (!find_program(f, frame->link_type) &&
	    add_program(f, frame->link_type, err) < 0)
		return -1;
	const struct pcap_pkthdr h = {.caplen = frame->caplen, .len = frame->wirelen};
	return pcap_offline_filter(&f->program[f->last].code, &h, frame->bytes) != 0;
}
