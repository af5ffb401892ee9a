/* chart.h - parts of charts: axes with ticks, a frame with title, legend and notes.
 *
 *   ticks.c   values at which axes are labelled, and their labels      frame.c   title, legend, area, notes
 *   axes.c    axes and their grid                                      lines.c   lines with marks
 *   curves.c  whole pictures of lines                                  series.c  the points of lines
 */
#ifndef ORRERY_PLOT_CHART_H
#define ORRERY_PLOT_CHART_H

#include "plot/plot.h"

/* -- scales and ticks (ticks.c) ---------------------------------------------------------------- */

typedef struct ChartScale {
    double low, high; /* values at its ends, low < high; with a base, both above 0 */
    unsigned base;    /* 0: linear, 2 or 10: logarithmic */
    PlotNumbers numbers;
    const GArray *ticks;          /* of ChartTick, instead of those that plot_chart_ticks() finds; NULL: none */
    double pixel_low, pixel_high; /* where they are */
} ChartScale;
double plot_chart_scale_place(const ChartScale *scale, double value);

enum { CHART_LABEL = 40 };
typedef struct ChartTick {
    double value;
    char label[CHART_LABEL]; /* "": a line of the grid without a label */
} ChartTick;
/* Returns an array of ChartTick in ascending order: steps of 1, 2 or 5 times a power of ten, or powers of the base. At
 * most `most` of them have labels. */
GArray *plot_chart_ticks(const ChartScale *scale, unsigned most);
/* Writes the label of a value; `step` is the distance to the next one, which says how many decimals are needed. */
void plot_chart_label(PlotNumbers numbers, double value, double step, char label[CHART_LABEL]);
/* Returns the step of plot_chart_label() that leaves so many digits of a value. */
double plot_chart_rounding(double value, unsigned digits);
/* Widens a linear scale that ends at `high` so that it ends at a step: returns the new end. */
double plot_chart_nice_end(double high, unsigned steps);

typedef struct ChartUnit {
    const char *name;
    uint64_t ps;
} ChartUnit;
/* Returns the unit in which a span of time has one to four digits before the point. */
ChartUnit plot_chart_time_unit(uint64_t span_ps);

/* -- the frame (frame.c) ----------------------------------------------------------------------- */

#define CHART_TITLE_FONT 17.0
#define CHART_FONT       12.0
#define CHART_TICK_FONT  11.0
#define CHART_MARGIN     18.0

typedef enum ChartMark { CHART_MARK_AREA, CHART_MARK_LINE, CHART_MARK_ARROW } ChartMark;

typedef struct ChartFrame {
    PlotCanvas *canvas;
    const PlotTheme *theme;
    double width;                    /* of the picture */
    double left, top, right, bottom; /* the area; before plot_chart_frame_area(), `top` is the end of the head */
    double below;                    /* how far the picture goes */
    double legend_x;                 /* where the next entry of the legend begins; 0: there is no legend yet */
} ChartFrame;
/* Begins a picture so many pixels wide: title, and a line below it. Too long ones are cut. `subtitle` may be NULL. */
void plot_chart_frame_begin(ChartFrame *frame, PlotCanvas *canvas, const PlotTheme *theme, double width,
                            const char *title, const char *subtitle);
/* Adds an entry to the legend: before plot_chart_frame_area(). Returns the middle of its mark. */
PlotPoint plot_chart_frame_legend(ChartFrame *frame, ChartMark mark, PlotInk ink, const char *text);
/* Says where the area is: `left` pixels from the edge and `height` pixels high, with `right` pixels beside it. */
void plot_chart_frame_area(ChartFrame *frame, double left, double height, double right);
/* Adds lines of text below all that is there; long ones are broken. */
void plot_chart_frame_note(ChartFrame *frame, const char *text);
/* Adds a scale of colours to the right of the area, from `low` to `high`, both as labels. */
void plot_chart_frame_ramp(ChartFrame *frame, const char *what, const ChartScale *scale);
/* Ends the picture: its size is known. */
void plot_chart_frame_end(ChartFrame *frame);

/* -- axes (axes.c) ----------------------------------------------------------------------------- */

/* Returns how much room labels of a vertical axis need at its left, the name of the axis included. */
double plot_chart_axis_room(const ChartScale *scale, double height);
/* Draw the grid, then labels and name of an axis. Their scales get their pixels here. */
void plot_chart_axis_across(ChartFrame *frame, ChartScale *scale, const char *name);
void plot_chart_axis_up(ChartFrame *frame, ChartScale *scale, const char *name);
/* Draws the lines at the left and below the area. */
void plot_chart_axis_lines(ChartFrame *frame);
/* Draws an axis of time below the area, from and to so many ps, named by its unit. */
ChartScale plot_chart_axis_time(ChartFrame *frame, uint64_t from_ps, uint64_t to_ps);
/* Returns where a time is on the scale that plot_chart_axis_time() has made. */
double plot_chart_time_place(const ChartScale *scale, uint64_t ps);

/* -- lines (lines.c) --------------------------------------------------------------------------- */

/* Draws lines with marks, and guides, into the area, clipped at its top. */
void plot_chart_lines(ChartFrame *frame, const GPtrArray *all, const ChartScale *x, const ChartScale *y);
/* Adds the entries of the legend. */
void plot_chart_lines_legend(ChartFrame *frame, const GPtrArray *all);

#endif
