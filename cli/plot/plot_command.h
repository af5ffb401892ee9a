/* plot_command.h - what the files of `orrery plot` share.
 *
 *   cmd_plot.c  options, and from request to file    input.c  traces, tables, profiles, programs that are run
 *   graph.c     the network of a machine
 */
#ifndef ORRERY_CLI_PLOT_COMMAND_H
#define ORRERY_CLI_PLOT_COMMAND_H

#include "cli/run/run.h"
#include "plot/plot.h"

typedef struct PlotTarget { /* the options of the command */
    CliRunOptions run;
    char *output, *theme, *title, *measure, *from, *to, *ranks, *at, *id, *peak, *bandwidth;
    gboolean print;
} PlotTarget;

typedef struct PlotSource {
    TraceReader *reader;
    PlotTable *table;
    PlotProfile *profile;
    char *recorded; /* a trace that was made for this picture, and is removed again; NULL: none */
    int status;     /* of the program that was run */
} PlotSource;
/* Opens what a kind is drawn from: `argv` has a trace, a table, a profile, or a program with its arguments, which is
 * run. Returns false with an error. The caller calls cli_plot_close() in any case. */
bool cli_plot_open(PlotSource *source, const PlotKind *kind, PlotTarget *target, int argc, char **argv, GError **error);
void cli_plot_close(PlotSource *source);

/* Makes the network of the machine on which a trace was recorded, or of --machine. Returns NULL with an error. */
PlotGraph *cli_plot_graph(const PlotTarget *target, const TraceReader *reader, GError **error);
void cli_plot_graph_free(PlotGraph *graph);

#endif
