/* topo.h - drawing a network: as text (text.c) or as a picture on a canvas of plot/ (picture.c). load.c reads how busy
 * links were.
 */
#ifndef ORRERY_CLI_TOPO_H
#define ORRERY_CLI_TOPO_H

#include "netsim/netsim.h"
#include "plot/plot.h"

/* Appends a drawing that fits a terminal. Large networks are drawn in part, and the drawing says so. Links that fail
 * are marked, and the failures are listed below. */
void cli_topo_text(const Network *net, GString *out);

/* -- pictures ---------------------------------------------------------------------------------- */

typedef struct TopoDrawing {
    const PlotTheme *theme;
    const char *title;
    bool name_nodes, name_links; /* whether labels are shown */
    const double *load;          /* by link: how busy it was, from 0 to 1; NULL: not known */
} TopoDrawing;
/* Draws the picture. Returns false with an error if it would be too large, or if there is no link. */
bool cli_topo_draw(const Network *net, const TopoDrawing *drawing, PlotCanvas *canvas, GError **error);

/* Returns how busy each link of a network was in the whole run, from a file of `orrery run --json` or --network-report.
 * NULL with an error. The caller frees it with g_free(). */
double *cli_topo_load(const Network *net, const char *path, GError **error);

/* Appends degree, diameter, distances, bisection and cost (shape.c). */
void cli_topo_shape(const Network *net, GString *out);

#endif
