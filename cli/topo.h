/* topo.h - drawing a network: as text (topo_text.c) and as SVG (topo_svg.c). */
#ifndef ORRERY_CLI_TOPO_H
#define ORRERY_CLI_TOPO_H

#include "netsim/netsim.h"

/* Appends a drawing that fits a terminal; large networks are drawn in part, and it says so. */
void cli_topo_text(const Network *net, GString *out);
/* A complete SVG document. */
void cli_topo_svg(const Network *net, const char *title, GString *out);

#endif
