/* rows.c - locations in the order in which they are drawn: ranks, and below each its threads. */
#include "plot/data/data.h"

#include <stdlib.h>

typedef struct Place {
    uint32_t rank, thread, location;
} Place;

static int by_place(const void *a, const void *b)
{
    const Place *one = a, *other = b;
    if (one->rank != other->rank)
        return one->rank < other->rank ? -1 : 1;
    if (one->thread != other->thread)
        return one->thread < other->thread ? -1 : 1;
    return one->location < other->location ? -1 : one->location > other->location;
}

static GArray *places_of(const PlotRequest *request, uint32_t locations)
{
    const GArray *chosen = request->selection.locations;
    GArray *places = g_array_new(FALSE, FALSE, sizeof(Place));
    for (uint32_t i = 0; i < (chosen ? chosen->len : locations); i++) {
        uint32_t location = chosen ? g_array_index(chosen, uint32_t, i) : i;
        TraceLocation at = trace_reader_location(request->reader, location);
        if (location < locations)
            g_array_append_val(places, ((Place){at.rank, at.thread, location}));
    }
    if (places->len)
        qsort(places->data, places->len, sizeof(Place), by_place);
    return places;
}

DataRows *plot_data_rows_new(const PlotRequest *request, uint32_t most, GError **error)
{
    TraceSummary summary;
    trace_reader_summary(request->reader, &summary);
    g_autoptr(GArray) places = places_of(request, summary.locations);
    if (!places->len) {
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_EMPTY,
                    summary.locations ? "none of the ranks that are asked for is in the trace, which has %u"
                                      : "the trace has no events, and so no ranks",
                    summary.locations);
        return NULL;
    }
    DataRows *rows = g_new0(DataRows, 1);
    rows->locations = summary.locations;
    rows->shown = places->len;
    for (rows->per_row = 1; (rows->shown + rows->per_row - 1) / rows->per_row > most; rows->per_row *= 2) {
    }
    rows->rows = (rows->shown + rows->per_row - 1) / rows->per_row;
    rows->order = g_new(uint32_t, rows->shown);
    rows->row_of = g_new(uint32_t, rows->locations);
    for (uint32_t i = 0; i < rows->locations; i++)
        rows->row_of[i] = DATA_NO_ROW;
    for (uint32_t i = 0; i < rows->shown; i++) {
        const Place *place = &g_array_index(places, Place, i);
        rows->order[i] = place->location;
        rows->row_of[place->location] = i / rows->per_row;
        rows->ranks += i == 0 || place->rank != place[-1].rank;
        rows->threads |= place->thread != 0;
    }
    return rows;
}

void plot_data_rows_free(DataRows *rows)
{
    if (!rows)
        return;
    g_free(rows->order);
    g_free(rows->row_of);
    g_free(rows);
}

static char *name_of(const TraceReader *reader, uint32_t location)
{
    TraceLocation at = trace_reader_location(reader, location);
    return at.thread ? g_strdup_printf("%u.%u", at.rank, at.thread) : g_strdup_printf("%u", at.rank);
}

char *plot_data_rows_name(const DataRows *rows, const TraceReader *reader, uint32_t row)
{
    uint32_t first = row * rows->per_row, last = MIN(first + rows->per_row, rows->shown) - 1;
    g_autofree char *low = name_of(reader, rows->order[first]), *high = name_of(reader, rows->order[last]);
    return first == last ? g_steal_pointer(&low) : g_strdup_printf("%s-%s", low, high);
}
