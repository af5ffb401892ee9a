/* net.h - shared by the files of `orrery net`: the curves that are measured. */
#ifndef ORRERY_CLI_NET_H
#define ORRERY_CLI_NET_H

#include "machine/machine.h"
#include "netsim/netsim.h"
#include "plot/plot.h"
#include "traffic/traffic.h"

typedef struct NetCurve { /* the curve of one traffic pattern */
    TrafficOptions options;
    TrafficBounds bounds;
    TrafficResult *points; /* by index of the load */
    uint64_t saturation;   /* load found by bisection; 0: not asked for, or not reached by the loads */
} NetCurve;

typedef struct NetStudy {
    const MachConfig *config;
    Network *net; /* only for names */
    TrafficBisection *bisection;
    GArray *loads;  /* uint64_t */
    GArray *curves; /* NetCurve */
} NetStudy;

/* Appends the table and the plot for a terminal. */
void cli_net_append_text(const NetStudy *study, GString *out);
/* Writes NAME.csv, NAME-latency.svg and NAME-throughput.svg. */
bool cli_net_write_files(const NetStudy *study, const PlotTheme *theme, const char *name, GError **error);
bool cli_net_write_json(const NetStudy *study, const char *path, GError **error);

#endif
