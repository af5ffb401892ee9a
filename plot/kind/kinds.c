/* kinds.c - the table of the kinds of pictures. */
#include "plot/kind/kind.h"

#include "base/nearest.h"

#include <string.h>

const PlotKind plot_kinds[] = {
#define PLOT_KIND(identifier, name, input, detail, help)                                                               \
    {name, help, PLOT_INPUT_##input, detail, plot_draw_##identifier},
#include "plot/kind/kinds.def"
    {NULL, NULL, PLOT_INPUT_TRACE, NULL, NULL},
};

const PlotKind *plot_kind_find(const char *name, GError **error)
{
    BaseNearest nearest = base_nearest_of(name);
    g_autoptr(GString) names = g_string_new(NULL);
    for (const PlotKind *kind = plot_kinds; kind->name; kind++) {
        if (strcmp(kind->name, name) == 0)
            return kind;
        base_nearest_try(&nearest, kind->name);
        g_string_append_printf(names, "%s%s", names->len ? ", " : "", kind->name);
    }
    if (nearest.best)
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_USAGE,
                    "there is no picture \"%s\"; did you mean \"%s\"? There are %s", name, nearest.best, names->str);
    else
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_USAGE, "there is no picture \"%s\"; there are %s", name, names->str);
    return NULL;
}
