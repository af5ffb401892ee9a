/* net.h - what the files of `orrery net` share: the curves that are measured. */
#ifndef ORRERY_CLI_NET_H
#define ORRERY_CLI_NET_H

#include "machine/machine.h"
#include "netsim/netsim.h"
#include "traffic/traffic.h"

typedef struct NetCurve { /* one traffic pattern */
    TrafficOptions options;
    TrafficBounds bounds;
    TrafficResult *points; /* by load */
    uint64_t saturation;   /* found by bisection; 0: was not asked for, or not reached by the loads */
} NetCurve;

typedef struct NetStudy {
    const MachConfig *config;
    Network *net; /* for names */
    TrafficBisection *bisection;
    GArray *loads;  /* uint64_t */
    GArray *curves; /* NetCurve */
} NetStudy;

/* The table and the plot that a terminal shows. */
void cli_net_append_text(const NetStudy *study, GString *out);
/* NAME.csv, NAME-latency.svg and NAME-throughput.svg. */
bool cli_net_write_files(const NetStudy *study, const char *name, GError **error);
bool cli_net_write_json(const NetStudy *study, const char *path, GError **error);

#endif
