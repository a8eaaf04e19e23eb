/* The command line of `netprobe read`. */
#ifndef NETPROBE_READ_OPTIONS_H
#define NETPROBE_READ_OPTIONS_H

#include "netprobe/report/host_map.h"
#include "netprobe/report/result.h"
#include "netprobe/report/stream.h"
#include "netprobe/source/window.h"

enum read_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_RECORDS };

struct read_options {
	const char **paths; /* owned, as are links and host_map; texts are argv's */
	size_t n_paths;
	const char *filter; /* libpcap expression, NULL = all */
	struct window window;
	enum read_format format;
	struct stream stream; /* of FORMAT_RECORDS */
	int64_t interval_ns;  /* 0 = no series */
	struct result_link *links;
	size_t n_links;
	const char *host_map_path; /* NULL = none */
	struct host_map host_map;  /* empty until it is read */
	enum result_sort sort;
	size_t top;    /* flows of each interface; 0 = all */
	bool top_told; /* else it is for people only */
	bool quiet;
	bool screen;  /* a live screen while reading */
	bool no_fail; /* findings do not change the exit code */
	bool local;   /* times in the zone of TZ */
	bool color;   /* for the text report; "auto" is worked out */
};

/* Reads the command line; ends the program on --help and on wrong usage, as argp
 * does. */
void read_options_parse(struct read_options *o, int argc, char **argv);
void read_options_free(struct read_options *o);

#endif
