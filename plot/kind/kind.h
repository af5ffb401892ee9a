/* kind.h - what several kinds of pictures share.
 *
 *   kinds.c   the table of kinds                 rows.c   rows of ranks over time, and what they did
 *   bars.c    histograms over powers of two
 */
#ifndef ORRERY_PLOT_KIND_H
#define ORRERY_PLOT_KIND_H

#include "plot/chart/chart.h"
#include "plot/data/data.h"

#define PLOT_KIND(identifier, name, input, detail, help)                                                               \
    bool plot_draw_##identifier(const PlotRequest *request, PlotCanvas *canvas, GError **error);
#include "plot/kind/kinds.def"

/* Why a trace may have no samples of links. */
#define PLOT_KIND_WITHOUT_LINKS                                                                                        \
    "--trace-detail links records them, where the network's model uses links and messages take them"

enum { KIND_WIDTH = 1000, KIND_RIGHT = 34 };

/* -- rows of ranks over time (rows.c) ---------------------------------------------------------- */

enum { KIND_MOST_ROWS = 256 };

typedef struct KindRows {
    const PlotRequest *request;
    ChartFrame frame;
    ChartScale time;
    DataRows *rows;
    uint64_t from_ps, to_ps;
    DataGrid *grid, *all; /* by row; of all together */
    GArray *exact;        /* AnalysisInterval, while there are few; NULL: too many */
    bool used[ANALYSIS_STATES];
    double height, bar; /* of a row, and of what is drawn in it */
    double tint;        /* opacity of the states; 0: full */
} KindRows;
/* Gathers what the selected locations did. The caller calls plot_kind_rows_clear() in any case. */
bool plot_kind_rows_read(KindRows *rows, const PlotRequest *request, GError **error);
void plot_kind_rows_clear(KindRows *rows);
/* Begins the picture, with the states in its legend. */
void plot_kind_rows_begin(KindRows *rows, PlotCanvas *canvas, const char *title);
/* Says how high rows are, lays out the area, draws axes and the states: bars of `share` of the rows' height. */
void plot_kind_rows_draw(KindRows *rows, double height, double share);
/* Returns the middle of a row. */
double plot_kind_rows_middle(const KindRows *rows, uint32_t row);
/* Adds what is to be known about rows of several ranks, if there are such. */
void plot_kind_rows_notes(KindRows *rows);

/* -- histograms (bars.c) ----------------------------------------------------------------------- */

enum { KIND_BINS = 65 };
/* Returns the bin of a value: 0 of 0, otherwise 1 + the greatest power of two in it. */
static inline unsigned plot_kind_bin(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}
typedef struct KindBars {
    char *name;
    uint64_t counts[KIND_BINS];
    uint64_t total; /* of what is counted: bytes, ps */
} KindBars;
void plot_kind_bars_free(KindBars *bars);
/* Returns the bars of a name, which are added if they are not there. */
KindBars *plot_kind_bars_of(GPtrArray *all, const char *name);
/* Draws a histogram of stacked bars. `across`: values of the bins. */
void plot_kind_bars_draw(const PlotRequest *request, PlotCanvas *canvas, const GPtrArray *all, const char *title,
                         PlotNumbers numbers, const char *across, const char *up, const char *note);

#endif
