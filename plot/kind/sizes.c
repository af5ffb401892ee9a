/* sizes.c - how many messages had which size: those of the program, and those within collective operations. */
#include "plot/kind/kind.h"

typedef struct Sizes {
    DataRows *rows;
    KindBars *own, *inner;
    uint64_t count, bytes;
} Sizes;

static void take(void *user, const TraceEvent *event)
{
    Sizes *sizes = user;
    DataMessage message = plot_data_message(event);
    if (message.to >= sizes->rows->locations || sizes->rows->row_of[message.to] == DATA_NO_ROW)
        return;
    (message.inner ? sizes->inner : sizes->own)->counts[plot_kind_bin(message.bytes)]++;
    sizes->count++;
    sizes->bytes += message.bytes;
}

bool plot_draw_sizes(const PlotRequest *request, PlotCanvas *canvas, GError **error)
{
    uint64_t from_ps, to_ps;
    g_autoptr(DataRows) rows =
        plot_data_span(request, &from_ps, &to_ps, error) ? plot_data_rows_new(request, UINT32_MAX, error) : NULL;
    if (!rows)
        return false;
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)plot_kind_bars_free);
    Sizes sizes = {.rows = rows};
    sizes.own = plot_kind_bars_of(all, "messages of the program");
    sizes.inner = plot_kind_bars_of(all, "within collective operations");
    DataListener listener = {.event = take, .kinds = DATA_KIND(TRACE_MESSAGE), .user = &sizes};
    if (!plot_data_read(request, &listener, error))
        return false;
    g_autofree char *note =
        sizes.count ? g_strdup_printf("%" G_GUINT64_FORMAT " messages that ranks received, %" G_GUINT64_FORMAT
                                      " bytes in all. A bar counts the sizes from its left mark to just below its "
                                      "right one.",
                                      sizes.count, sizes.bytes)
                    : g_strdup("There are no messages in what is shown.");
    plot_kind_bars_draw(request, canvas, all, "Sizes of messages", PLOT_SIZES, "size of a message", "messages", note);
    return true;
}
