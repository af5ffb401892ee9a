/* topo.h - drawing a network: as text (text.c), or as a picture: a list of shapes (picture.c), which becomes
 * SVG (svg.c) or, where Cairo is at hand, PNG (cli/gui/png_window.c). load.c reads how busy links were.
 */
#ifndef ORRERY_CLI_TOPO_H
#define ORRERY_CLI_TOPO_H

#include "netsim/netsim.h"

/* Appends a drawing that fits a terminal; large networks are drawn in part, and it says so. Links that fail are marked,
 * and told one by one below. */
void cli_topo_text(const Network *net, GString *out);

/* -- pictures ---------------------------------------------------------------------------------- */

typedef enum TopoKind {
    TOPO_LINE,   /* x, y to to_x, to_y; `size` is its width */
    TOPO_CURVE,  /* the same by way of via_x, via_y, a control point of a quadratic Bezier curve */
    TOPO_DISC,   /* around x, y; `size` is its radius */
    TOPO_SQUARE, /* around x, y; `size` is half a side */
    TOPO_TEXT,   /* its middle, or beginning, at x, y, the foot of the letters; `size` is that of the font */
} TopoKind;

typedef struct TopoShape {
    TopoKind kind;
    double x, y, to_x, to_y, via_x, via_y, size;
    uint32_t colour;  /* 0xrrggbb: of lines, text and insides */
    bool dashed;      /* lines and curves */
    bool from_middle; /* text: else from its beginning */
    bool halo;        /* text: white around it, since lines run behind */
    char *text;       /* of text; of discs and squares: their names, for whoever points at them */
} TopoShape;

typedef struct TopoPicture {
    double width, height; /* pixels */
    GArray *shapes;       /* TopoShape, those behind first */
} TopoPicture;

typedef struct TopoDrawing {
    const char *title;
    bool name_nodes, name_links; /* labels */
    const double *load;          /* by link: 0 to 1, how busy it was; NULL: not known */
} TopoDrawing;
/* NULL: there is too much to be seen, or no link. */
TopoPicture *cli_topo_picture(const Network *net, const TopoDrawing *drawing, GError **error);
void cli_topo_picture_free(TopoPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TopoPicture, cli_topo_picture_free)
/* A complete SVG document. */
void cli_topo_svg(const TopoPicture *picture, GString *out);

/* How busy the links of a network were, of the whole run: by a file of `orrery run --json` or --network-report. */
double *cli_topo_load(const Network *net, const char *path, GError **error);

/* Degree, diameter, distances, bisection, cost (shape.c). */
void cli_topo_shape(const Network *net, GString *out);

#endif
