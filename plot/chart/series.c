/* series.c - the points of lines. */
#include "plot/plot.h"

#include <string.h>

PlotSeries *plot_series_new(const char *name)
{
    PlotSeries *series = g_new0(PlotSeries, 1);
    series->name = g_strdup(name);
    series->points = g_array_new(FALSE, FALSE, sizeof(PlotPoint));
    series->beyond = g_array_new(FALSE, FALSE, sizeof(double));
    return series;
}

void plot_series_free(PlotSeries *series)
{
    if (!series)
        return;
    g_free(series->name);
    g_array_unref(series->points);
    g_array_unref(series->beyond);
    g_free(series);
}

PlotSeries *plot_series_of(GPtrArray *all, const char *name)
{
    for (guint i = 0; i < all->len; i++)
        if (strcmp(((PlotSeries *)all->pdata[i])->name, name) == 0)
            return all->pdata[i];
    g_ptr_array_add(all, plot_series_new(name));
    return all->pdata[all->len - 1];
}

static int by_x(gconstpointer a, gconstpointer b)
{
    const PlotPoint *one = a, *other = b;
    return one->x != other->x ? (one->x > other->x) - (one->x < other->x) : (one->y > other->y) - (one->y < other->y);
}

void plot_series_sort(GPtrArray *all)
{
    for (guint i = 0; i < all->len; i++)
        g_array_sort(((PlotSeries *)all->pdata[i])->points, by_x);
}
