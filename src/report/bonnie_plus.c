#include "src/report/bonnie_plus.h"

#include <math.h>

enum { LABEL = FIGURE_TEXT + 16, NUMBER = 32 };

/* "host-cold" */
static void label_of(const struct bonnie_result *b, char label[LABEL])
{
	snprintf(label, LABEL, "%s%s%s", b->name, b->name[0] && b->cache[0] ? "-" : "",
	         b->cache);
	for (char *p = label; *p; p++) /* neither format has a way to quote */
		if (*p == ',' || *p == ' ')
			*p = '_';
	if (!label[0])
		snprintf(label, LABEL, "-");
}

static void size_text(uint64_t bytes, char text[NUMBER])
{
	if (bytes == 0)
		text[0] = '\0';
	else if (bytes % (UINT64_C(1) << 30) == 0)
		snprintf(text, NUMBER, "%lluG", (unsigned long long)(bytes >> 30));
	else
		snprintf(text, NUMBER, "%lluM",
		         (unsigned long long)((bytes + (1 << 20) - 1) >> 20));
}

/* A rate in five columns, with its unit behind it. */
static void rate_text(double kib_s, char text[NUMBER])
{
	static const char units[] = "kmgt";
	int u = 0;
	while (u < 3 && kib_s >= 9999.5) {
		kib_s /= 1024;
		u++;
	}
	snprintf(text, NUMBER, "%.*f%c", u > 0 && kib_s < 99.95, kib_s, units[u]);
}

static void latency_text(int64_t ns, char text[NUMBER])
{
	long long us = (long long)((ns + 500) / 1000);
	text[0] = '\0';
	if (ns <= 0)
		return;
	if (us < 100000)
		snprintf(text, NUMBER, "%lldus", us);
	else if (us < 100000000)
		snprintf(text, NUMBER, "%lldms", us / 1000);
	else
		snprintf(text, NUMBER, "%llds", us / 1000000);
}

/* The figure at `seeks` has no unit and one digit more. */
static void print_cells(const struct bonnie_cell cells[6], bool units, int seeks,
                        FILE *out)
{
	for (int i = 0; i < 6; i++) {
		char rate[NUMBER] = "", cpu[NUMBER] = "";
		double x = cells[i].rate;
		if (!isnan(x) && units && i != seeks)
			rate_text(x, rate);
		else if (!isnan(x))
			snprintf(rate, sizeof rate, "%.*f", i == seeks && x < 9999.95,
			         x);
		if (!isnan(cells[i].cpu))
			snprintf(cpu, sizeof cpu, "%.0f", cells[i].cpu);
		fprintf(out, " %5s %3s", rate, cpu);
	}
	fputc('\n', out);
}

static bool any(const struct bonnie_cell cells[6])
{
	for (int i = 0; i < 6; i++)
		if (!isnan(cells[i].rate))
			return true;
	return false;
}

static void print_latencies(const struct bonnie_cell cells[6], FILE *out)
{
	bool told = false;
	for (int i = 0; i < 6; i++)
		told |= cells[i].latency_ns > 0;
	if (!told)
		return;
	fprintf(out, "Latency           ");
	for (int i = 0; i < 6; i++) {
		char text[NUMBER];
		latency_text(cells[i].latency_ns, text);
		fprintf(out, " %9s", text);
	}
	fputc('\n', out);
}

static const char files_heading[] =
        "                    ------Sequential Create------ --------Random "
        "Create--------\n"
        "                    -Create-- --Read--- -Delete-- -Create-- --Read--- "
        "-Delete--\n"
        "              files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec "
        "%CP\n";

static void print_files(const struct bonnie_result *rows, size_t n, bool latencies,
                        FILE *out)
{
	bool begun = false;
	for (size_t i = 0; i < n; i++) {
		const struct bonnie_result *b = &rows[i];
		char label[LABEL], files[NUMBER] = "-";
		if (!any(b->file))
			continue;
		if (!begun)
			fputs(files_heading, out);
		begun = true;
		label_of(b, label);
		if (b->files)
			snprintf(files, sizeof files, "%llu",
			         (unsigned long long)b->files);
		fprintf(out, "%-15.15s%4s", label, files);
		print_cells(b->file, false, -1, out);
		if (latencies)
			print_latencies(b->file, out);
	}
}

static void print_data(const struct bonnie_result *b, bool units, FILE *out)
{
	char label[LABEL], size[NUMBER];
	label_of(b, label);
	size_text(b->size, size);
	fprintf(out, "%-14.14s%5s", label, size);
	print_cells(b->data, units, 5, out);
}

void bonnie_plus_table_1(const struct bonnie_result *rows, size_t n, FILE *out)
{
	fputs("                    ------Sequential Output------ --Sequential Input- "
	      "--Random-\n"
	      "                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- "
	      "--Seeks--\n"
	      "Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  "
	      "/sec %CP\n",
	      out);
	for (size_t i = 0; i < n; i++)
		if (any(rows[i].data))
			print_data(&rows[i], false, out);
	print_files(rows, n, false, out);
}

void bonnie_plus_table_2(const struct bonnie_result *rows, size_t n, FILE *out)
{
	fputs("                    ------Sequential Output------ --Sequential Input- "
	      "--Random-\n"
	      "                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- "
	      "--Seeks--\n"
	      "Name:Size etc        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  "
	      "/sec %CP\n",
	      out);
	for (size_t i = 0; i < n; i++) {
		if (!any(rows[i].data))
			continue;
		print_data(&rows[i], true, out);
		print_latencies(rows[i].data, out);
	}
	print_files(rows, n, true, out);
}

static void csv_count(uint64_t n, FILE *out)
{
	if (n)
		fprintf(out, ",%llu", (unsigned long long)n);
	else
		fputc(',', out);
}

static void csv_cells(const struct bonnie_cell cells[6], int seeks, FILE *out)
{
	for (int i = 0; i < 6; i++) {
		if (isnan(cells[i].rate))
			fputc(',', out);
		else
			fprintf(out, ",%.*f", i == seeks, cells[i].rate);
		if (isnan(cells[i].cpu))
			fputc(',', out);
		else
			fprintf(out, ",%.0f", cells[i].cpu);
	}
}

static void csv_latencies(const struct bonnie_cell cells[6], FILE *out)
{
	for (int i = 0; i < 6; i++) {
		char text[NUMBER];
		latency_text(cells[i].latency_ns, text);
		fprintf(out, ",%s", text);
	}
}

void bonnie_plus_csv(const struct bonnie_result *rows, size_t n, FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		const struct bonnie_result *b = &rows[i];
		char label[LABEL], size[NUMBER];
		if (!any(b->data) && !any(b->file))
			continue;
		label_of(b, label);
		size_text(b->size, size);
		/* 1.98 has a byte a call in the first column, 1.0x had putc: what
		 * reads it must know which it is */
		fprintf(out, "1.98,%s,%s,1", b->bytes ? "2.00" : "1.03", label);
		csv_count(b->seed, out);
		fprintf(out, ",%s", size);
		csv_count(b->request_size, out);
		csv_count(b->seeks, out);
		csv_count(b->seekers, out);
		csv_cells(b->data, 5, out);
		csv_count(b->files, out);
		csv_count(b->file_max, out);
		csv_count(b->file_min, out);
		csv_count(b->dirs, out);
		csv_count(0, out);
		csv_cells(b->file, -1, out);
		csv_latencies(b->data, out);
		csv_latencies(b->file, out);
		fputc('\n', out);
	}
}
