/* timeline.c - what each rank and thread did at each time. */
#include "plot/kind/kind.h"

#include <math.h>

/* Returns the height of a row: few are high, and many fill a page. */
static double row_height(uint32_t rows)
{
    return rows <= 8 ? 34 : rows <= 16 ? 26 : rows <= 32 ? 18 : fmax(fmin(13, 768.0 / rows), 3);
}

bool plot_draw_timeline(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    KindRows rows;
    bool good = plot_kind_rows_read(&rows, request, error);
    if (good) {
        double height = row_height(rows.rows->rows);
        plot_kind_rows_begin(&rows, canvas, "What ranks did");
        plot_kind_rows_draw(&rows, height, height >= 11 ? 0.8 : 1);
        plot_kind_rows_notes(&rows);
        plot_chart_frame_end(&rows.frame);
    }
    plot_kind_rows_clear(&rows);
    return good;
}
