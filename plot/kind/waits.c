/* waits.c - how many waits took how long, by cause. Causes beyond the first PLOT_SERIES - 1 are one. */
#include "plot/kind/kind.h"

#include "base/units.h"

#include <stdlib.h>
#include <string.h>

typedef struct Waits {
    DataRows *rows;
    GPtrArray *all; /* KindBars, in the order in which their causes come */
    uint64_t count, total_ps;
} Waits;

static void take(void *user, const AnalysisInterval *interval)
{
    Waits *waits = user;
    if (interval->state != ANALYSIS_WAITING || interval->location >= waits->rows->locations ||
        waits->rows->row_of[interval->location] == DATA_NO_ROW)
        return;
    uint64_t ps = interval->to_ps - interval->from_ps;
    KindBars *bars = plot_kind_bars_of(waits->all, interval->cause && *interval->cause ? interval->cause : "unknown");
    bars->counts[plot_kind_bin(ps)]++;
    bars->total += ps;
    waits->count++;
    waits->total_ps += ps;
}

static int by_time(gconstpointer a, gconstpointer b)
{
    const KindBars *one = *(KindBars *const *)a, *other = *(KindBars *const *)b;
    if (one->total != other->total)
        return one->total < other->total ? 1 : -1;
    return strcmp(one->name, other->name);
}

/* The causes of most time come first; those behind the seventh are added up. */
static void sort_causes(GPtrArray *all)
{
    g_ptr_array_sort(all, by_time);
    while (all->len > PLOT_SERIES) {
        KindBars *last = all->pdata[all->len - 1], *rest = all->pdata[all->len - 2];
        for (unsigned bin = 0; bin < KIND_BINS; bin++)
            rest->counts[bin] += last->counts[bin];
        rest->total += last->total;
        g_free(rest->name);
        rest->name = g_strdup("all other causes");
        g_ptr_array_set_size(all, (gint)all->len - 1);
    }
    for (guint i = 0; i < all->len; i++) {
        KindBars *bars = all->pdata[i];
        char time[CHART_LABEL];
        plot_chart_label(PLOT_TIMES, (double)bars->total, plot_chart_rounding((double)bars->total, 4), time);
        char *named = g_strdup_printf("%s: %s", bars->name, time);
        g_free(bars->name);
        bars->name = named;
    }
}

bool plot_draw_waits(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    uint64_t from_ps, to_ps;
    g_autoptr(DataRows) rows =
        plot_data_span(request, &from_ps, &to_ps, error) ? plot_data_rows_new(request, UINT32_MAX, error) : NULL;
    if (!rows)
        return false;
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_kind_bars_free);
    Waits waits = {.rows = rows, .all = all};
    DataListener listener = {.interval = take, .user = &waits};
    if (!plot_data_read(request, &listener, error))
        return false;
    sort_causes(all);
    g_autofree char *time = base_units_format_time(waits.total_ps);
    g_autofree char *note =
        waits.count ? g_strdup_printf("%" G_GUINT64_FORMAT " waits, %s in all. The legend has the sum of each cause; a "
                                      "bar counts the waits from its left mark to just below its right one.",
                                      waits.count, time)
                    : g_strdup("Nobody waited in what is shown.");
    plot_kind_bars_draw(request, canvas, all, "How long ranks waited", PLOT_TIMES, "time of a wait", "waits", note);
    return true;
}
