/* plot.h - pictures of runs, without a window.
 *
 *   draw   a canvas of shapes, its colours, the width of text, SVG
 *   chart  axes with ticks, legends, lines, scales of colours, curves
 *   data   what pictures show, from traces and tables, gathered in one pass with bounded memory
 *   kind   a file for each kind of picture, and a row of kind/kinds.def
 *
 * A canvas is a list of shapes. SVG is made of it here, as text; whoever has a library for it may paint PNG and PDF.
 * No coordinate depends on the fonts of the host: text is as wide as in DejaVu Sans, whose letters are wider than most.
 */
#ifndef ORRERY_PLOT_H
#define ORRERY_PLOT_H

#include "analysis/analysis.h"
#include "base/choice.h"
#include "trace/trace.h"

#define PLOT_ERROR (plot_error_quark())
GQuark plot_error_quark(void);
typedef enum PlotError {
    PLOT_ERROR_EMPTY, /* there is nothing to be seen */
    PLOT_ERROR_INPUT, /* the input is not what the picture needs */
    PLOT_ERROR_USAGE, /* the request makes no sense for this input */
} PlotError;

/* -- colours (draw/theme.c, colour.c) ----------------------------------------------------------------- */

/* The values of --theme. PRINT is black on white with greys, for printers without colours. */
/* clang-format off */
#define PLOT_THEMES(CHOICE) CHOICE(PLOT_LIGHT, "light") CHOICE(PLOT_DARK, "dark") CHOICE(PLOT_PRINT, "print")
/* clang-format on */
BASE_CHOICE_ENUM(PlotThemeName, PLOT_THEMES);

enum { PLOT_SERIES = 8 };

/* Strokes over a fill, by which areas can be told apart without colours. */
typedef enum PlotPattern { PLOT_PLAIN, PLOT_RISING, PLOT_FALLING, PLOT_DOTS, PLOT_CROSSED, PLOT_LEVEL } PlotPattern;
typedef enum PlotDash { PLOT_SOLID, PLOT_DASHED, PLOT_DOTTED, PLOT_DASH_DOT } PlotDash;

enum { PLOT_NONE = 0xff000000 }; /* no colour; colours are 0xrrggbb */

typedef struct PlotInk {
    uint32_t fill, line;  /* PLOT_NONE: none; of text, line is what is around its letters */
    double width;         /* of the line, in pixels */
    double opacity;       /* 0: opaque; otherwise from just above 0 to 1 */
    PlotDash dash;        /* of the line */
    PlotPattern pattern;  /* of the fill */
    uint32_t pattern_ink; /* its colour */
} PlotInk;

typedef struct PlotTheme {
    PlotThemeName name;
    uint32_t paper, ink, faint, grid; /* background, text, less important text, lines of the grid */
    uint32_t states[ANALYSIS_STATES]; /* neighbours differ in lightness as well as in hue */
    PlotPattern patterns[ANALYSIS_STATES];
    uint32_t series[PLOT_SERIES]; /* of lines and bars, in their order */
    uint32_t ramp[4];             /* from little to much; lightness changes in one direction */
} PlotTheme;
const PlotTheme *plot_theme(PlotThemeName name);
/* Returns the colour for a share from 0 to 1 of the most. */
uint32_t plot_theme_heat(const PlotTheme *theme, double share);
/* Returns how areas of a state, and those of the n-th series, look. */
PlotInk plot_theme_state(const PlotTheme *theme, AnalysisState state);
PlotInk plot_theme_series(const PlotTheme *theme, unsigned n);
/* Returns the relative luminance of a colour, from 0 (black) to 1 (white): WCAG 2.1, "relative luminance". */
double plot_colour_luminance(uint32_t colour);
/* Returns black or white, whichever can be read better on a colour. */
uint32_t plot_colour_on(uint32_t colour);

/* -- a canvas (draw/canvas.c) ------------------------------------------------------------------ */

typedef enum PlotShapeKind {
    PLOT_RECTANGLE, /* x, y: its left upper corner; width, height */
    PLOT_LINE,      /* through `count` points */
    PLOT_AREA,      /* within `count` points */
    PLOT_DISC,      /* around x, y; width: its radius */
    PLOT_TEXT,      /* x, y: of the base line where `align` says; height: size of the font */
    PLOT_GROUP,     /* begins a group of shapes, called `text` */
    PLOT_GROUP_END
} PlotShapeKind;
typedef enum PlotAlign { PLOT_LEFT, PLOT_MIDDLE, PLOT_RIGHT } PlotAlign;

typedef struct PlotPoint {
    double x, y;
} PlotPoint;

typedef struct PlotShape {
    PlotShapeKind kind;
    PlotInk ink;
    double x, y, width, height;
    guint first, count; /* of PlotCanvas.points */
    PlotAlign align;
    bool bold, upright; /* of text; upright: it runs from below to above */
    const char *text;   /* of other shapes: what is told when they are pointed at, or NULL */
} PlotShape;

typedef struct PlotCanvas {
    double width, height; /* in pixels of 1/96 inch */
    uint32_t paper;
    char *title, *description; /* for those who cannot see it */
    GArray *shapes;            /* PlotShape, in drawing order */
    GArray *points;            /* PlotPoint */
    GStringChunk *texts;
} PlotCanvas;

PlotCanvas *plot_canvas_new(uint32_t paper);
void plot_canvas_free(PlotCanvas *canvas);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PlotCanvas, plot_canvas_free)
/* Add shapes. `told` may be NULL; texts are copied. */
void plot_canvas_rectangle(PlotCanvas *canvas, double x, double y, double width, double height, PlotInk ink,
                           const char *told);
void plot_canvas_line(PlotCanvas *canvas, const PlotPoint *points, guint count, PlotInk ink, const char *told);
void plot_canvas_area(PlotCanvas *canvas, const PlotPoint *points, guint count, PlotInk ink, const char *told);
void plot_canvas_disc(PlotCanvas *canvas, double x, double y, double radius, PlotInk ink, const char *told);
void plot_canvas_text(PlotCanvas *canvas, double x, double y, double size, PlotAlign align, uint32_t colour,
                      const char *text);
void plot_canvas_bold(PlotCanvas *canvas, double x, double y, double size, PlotAlign align, uint32_t colour,
                      const char *text);
void plot_canvas_upright(PlotCanvas *canvas, double x, double y, double size, PlotAlign align, uint32_t colour,
                         const char *text);
/* Adds text that can be read over lines: `paper` is around its letters. */
void plot_canvas_label(PlotCanvas *canvas, double x, double y, double size, PlotAlign align, uint32_t colour,
                       uint32_t paper, const char *text);
void plot_canvas_group(PlotCanvas *canvas, const char *name);
void plot_canvas_group_end(PlotCanvas *canvas);
/* Adds a line with a head at its end; the head is `head` pixels long. */
void plot_canvas_arrow(PlotCanvas *canvas, PlotPoint from, PlotPoint to, double head, PlotInk ink, const char *told);
typedef struct PlotBox {
    double left, top, right, bottom;
} PlotBox;
/* Returns what the shapes take, of lines without their width; {0} if there are none. */
PlotBox plot_canvas_box(const PlotCanvas *canvas);
/* Moves all shapes. */
void plot_canvas_move(PlotCanvas *canvas, double x, double y);
/* Two rectangles of the same look, one after the other, may be painted together if neither tells anything. */
bool plot_canvas_alike(const PlotShape *one, const PlotShape *other);

/* -- text (draw/text.c) ------------------------------------------------------------------------ */

#define PLOT_FONT "DejaVu Sans"
/* Returns how wide a line of text is at a size of the font, both in pixels. */
double plot_text_width(const char *text, double size, bool bold);
/* Returns the text, cut in its middle if it is wider than that. For g_free(). */
char *plot_text_fit(const char *text, double size, bool bold, double width);

/* -- files (draw/svg.c) ------------------------------------------------------------------------ */

/* Returns a whole SVG document. The same canvas gives the same bytes, whatever locale, fonts and date. */
GString *plot_svg(const PlotCanvas *canvas);
/* Where the strokes of patterns are: every PLOT_PATTERN_STEP pixels, PLOT_PATTERN_WIDTH wide. */
#define PLOT_PATTERN_STEP  6.0
#define PLOT_PATTERN_WIDTH 1.2

/* -- curves (chart/curves.c, series.c) --------------------------------------------------------- */

typedef enum PlotNumbers { /* how values are labelled */
                           PLOT_NUMBERS,
                           PLOT_COUNTS, /* 1500000 is 1.5 M */
                           PLOT_SIZES,  /* bytes: 65536 is 64 KiB */
                           PLOT_TIMES,  /* ps: 1500000 is 1.5 us */
} PlotNumbers;

typedef struct PlotSeries {
    char *name;
    GArray *points; /* PlotPoint in units of the axes, ascending by x */
    GArray *beyond; /* of double: x of points that are too high to be drawn; they are marked at the top */
    bool guide;     /* a thin line without marks, such as the ideal */
} PlotSeries;
PlotSeries *plot_series_new(const char *name);
void plot_series_free(PlotSeries *series);
/* Returns the series of a name, which is added if it is not there. */
PlotSeries *plot_series_of(GPtrArray *all, const char *name);
/* Sorts points by x. */
void plot_series_sort(GPtrArray *all);

typedef struct PlotAxis {
    const char *name; /* with its unit, where that does not stand at the numbers */
    unsigned base;    /* 0: linear, from 0 on; 2 or 10: logarithmic, and all values must be above 0 */
    PlotNumbers numbers;
    const GPtrArray *names; /* of char *: of the values 1, 2, ..., instead of numbers; NULL: none */
} PlotAxis;
typedef struct PlotCurves {
    const char *title, *subtitle, *note; /* subtitle and note may be NULL */
    PlotAxis x, y;
    const GPtrArray *series; /* PlotSeries; there may be none, and they may be empty */
    double width, height;    /* of the picture, and of the area of its lines; 0: as usual */
} PlotCurves;
/* Draws lines with their marks, legend and axes, which reach as far as the points do. */
void plot_curves_draw(const PlotCurves *curves, const PlotTheme *theme, PlotCanvas *canvas);

/* -- tables (data/table.c) --------------------------------------------------------------------- */

typedef struct PlotTable { /* text by rows and columns: RFC 4180 */
    GPtrArray *columns;    /* of char *: their names */
    GPtrArray *rows;       /* of GPtrArray of char *, as many as columns */
} PlotTable;
/* Reads a table whose first line has the names of its columns. Returns NULL with an error that names the line. */
PlotTable *plot_table_new(const char *text, gsize size, GError **error);
void plot_table_free(PlotTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PlotTable, plot_table_free)
/* Returns the index of a column, or -1. */
int plot_table_column(const PlotTable *table, const char *name);
const char *plot_table_text(const PlotTable *table, guint row, int column);
/* Sets the number in a field. Returns false if there is none, or the field is empty. */
bool plot_table_number(const PlotTable *table, guint row, int column, double *number);

/* -- profiles (data/profile.c) ----------------------------------------------------------------- */

/* A function of a program, by itself or on one path of calls. Times are its own, without those that it calls, of all
 * ranks together. */
typedef struct PlotFunction {
    const char *name;
    uint32_t parent; /* index of the caller's node, less than its own; UINT32_MAX: none */
    uint64_t ps[ANALYSIS_STATES];
    uint64_t instructions, accesses; /* to memory: see PlotProfile.misses */
} PlotFunction;
typedef struct PlotProfile {
    const char *machine;
    uint64_t ranks, makespan_ps;
    GArray *nodes;     /* PlotFunction: paths of calls */
    GArray *functions; /* PlotFunction */
    bool misses;       /* accesses are misses of the last cache; otherwise loads and stores */
    GStringChunk *texts;
} PlotProfile;
/* Reads what `orrery profile --json` writes. Returns NULL with an error that says what is wrong. */
PlotProfile *plot_profile_new(const char *text, gsize size, GError **error);
void plot_profile_free(PlotProfile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PlotProfile, plot_profile_free)

/* -- pictures (kind/) -------------------------------------------------------------------------- */

typedef struct PlotVertex { /* of a network; positions in any unit */
    double x, y;
    bool is_switch;
    const char *name;
} PlotVertex;
typedef struct PlotEdge { /* a link in one direction */
    uint32_t from, to;
    const char *name; /* as traces have it */
} PlotEdge;
typedef struct PlotGraph {
    const char *name;
    PlotVertex *vertices;
    PlotEdge *edges;
    uint32_t n_vertices, n_edges;
} PlotGraph;

/* clang-format off */
#define PLOT_MEASURES(CHOICE) CHOICE(PLOT_BYTES, "bytes") CHOICE(PLOT_MESSAGES, "messages")
/* clang-format on */
BASE_CHOICE_ENUM(PlotMeasure, PLOT_MEASURES);

/* What a picture can be made from: bits. */
typedef enum PlotInput {
    PLOT_INPUT_TRACE = 1,
    PLOT_INPUT_TABLE = 2,
    PLOT_INPUT_PROFILE = 4,
    PLOT_INPUT_GRAPH = 8, /* it also needs the network of the machine */
    PLOT_INPUT_NETWORK = PLOT_INPUT_TRACE | PLOT_INPUT_GRAPH,
    PLOT_INPUT_TRACE_OR_PROFILE = PLOT_INPUT_TRACE | PLOT_INPUT_PROFILE,
    PLOT_INPUT_TABLE_OR_PROFILE = PLOT_INPUT_TABLE | PLOT_INPUT_PROFILE
} PlotInput;

typedef struct PlotRequest {
    const PlotTheme *theme;
    const char *title;          /* NULL: the kind's own */
    TraceReader *reader;        /* PLOT_INPUT_TRACE; NULL: the input is another one */
    TraceSelection selection;   /* of it: time, locations */
    const PlotGraph *graph;     /* PLOT_INPUT_GRAPH */
    const PlotTable *table;     /* PLOT_INPUT_TABLE; NULL: the input is another one */
    const PlotProfile *profile; /* PLOT_INPUT_PROFILE; NULL: the input is another one */
    PlotMeasure measure;        /* of matrices */
    bool at_given, message_given;
    uint64_t at_ps;         /* network: when; if not given, when a link is busiest */
    uint64_t message;       /* message: its number; the one that took longest if not given */
    double peak, bandwidth; /* roofline: operations and bytes per second; 0: not given */
} PlotRequest;

typedef struct PlotKind {
    const char *name; /* as on the command line */
    const char *help; /* what it shows, in a few words */
    PlotInput input;
    const char *detail; /* what a trace should have besides calls and messages, such as "links"; NULL: nothing */
    /* Draws the picture. Returns false with an error if there is nothing to be seen, or the input is damaged. */
    bool (*draw)(const PlotRequest *request, PlotCanvas *canvas, GError **error);
} PlotKind;
extern const PlotKind plot_kinds[]; /* ends with a name of NULL */
/* Returns the kind of a name. Otherwise NULL with an error that names all, and the one probably meant. */
const PlotKind *plot_kind_find(const char *name, GError **error);

#endif
