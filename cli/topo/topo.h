/* topo.h - drawing a network: as text (text.c) or as a picture, which is a list of shapes (picture.c). A picture
 * becomes SVG (svg.c) or, with Cairo, PNG (cli/gui/png_window.c). load.c reads how busy links were.
 */
#ifndef ORRERY_CLI_TOPO_H
#define ORRERY_CLI_TOPO_H

#include "netsim/netsim.h"

/* Appends a drawing that fits a terminal. Large networks are drawn in part, and the drawing says so. Links that fail
 * are marked, and the failures are listed below. */
void cli_topo_text(const Network *net, GString *out);

/* -- pictures ---------------------------------------------------------------------------------- */

typedef enum TopoKind {
    TOPO_LINE,   /* from x, y to to_x, to_y; `size` is its width */
    TOPO_CURVE,  /* a line by way of via_x, via_y, the control point of a quadratic Bezier curve */
    TOPO_DISC,   /* around x, y; `size` is its radius */
    TOPO_SQUARE, /* around x, y; `size` is half a side */
    TOPO_TEXT,   /* its middle or beginning is at x, and y is the base line; `size` is that of the font */
} TopoKind;

typedef struct TopoShape {
    TopoKind kind;
    double x, y, to_x, to_y, via_x, via_y, size;
    uint32_t colour;  /* 0xrrggbb, of lines, of text and of the inside of discs and squares */
    bool dashed;      /* of lines and curves */
    bool from_middle; /* of text: x is its middle, else its beginning */
    bool halo;        /* of text: white around it, since lines run behind */
    char *text;       /* the text; of discs and squares: their names, shown when pointed at */
} TopoShape;

typedef struct TopoPicture {
    double width, height; /* pixels */
    GArray *shapes;       /* TopoShape, in drawing order */
} TopoPicture;

typedef struct TopoDrawing {
    const char *title;
    bool name_nodes, name_links; /* whether labels are shown */
    const double *load;          /* by link: how busy it was, from 0 to 1; NULL: not known */
} TopoDrawing;
/* Makes the picture. Returns NULL with an error if it would be too large, or if there is no link. */
TopoPicture *cli_topo_picture(const Network *net, const TopoDrawing *drawing, GError **error);
void cli_topo_picture_free(TopoPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TopoPicture, cli_topo_picture_free)
/* Appends a complete SVG document. */
void cli_topo_svg(const TopoPicture *picture, GString *out);

/* Returns how busy each link of a network was in the whole run, from a file of `orrery run --json` or --network-report.
 * NULL with an error. The caller frees it with g_free(). */
double *cli_topo_load(const Network *net, const char *path, GError **error);

/* Appends degree, diameter, distances, bisection and cost (shape.c). */
void cli_topo_shape(const Network *net, GString *out);

#endif
