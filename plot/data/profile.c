/* profile.c - reads the profiles of `orrery profile --json`: functions, and the tree of their calls. */
#include "plot/plot.h"

#include <jansson.h>
#include <string.h>

static uint64_t number_of(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

static const char *text_of(PlotProfile *profile, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return g_string_chunk_insert_const(profile->texts, text ? text : "?");
}

/* Returns the misses of the last level of the caches, or loads and stores where there are no caches. */
static uint64_t accesses_of(PlotProfile *profile, const json_t *counts)
{
    const json_t *misses = json_object_get(counts, "cache_misses");
    size_t levels = json_array_size(misses);
    if (!levels)
        return number_of(counts, "loads") + number_of(counts, "stores");
    json_int_t last = json_integer_value(json_array_get(misses, levels - 1));
    profile->misses = true;
    return last > 0 ? (uint64_t)last : 0;
}

static bool read_function(PlotProfile *profile, const json_t *row, GArray *rows, GError **error)
{
    const json_t *self = json_object_get(row, "self"), *counts = json_object_get(row, "counts"),
                 *parent = json_object_get(row, "parent");
    PlotFunction function = {.name = text_of(profile, row, "function"), .parent = UINT32_MAX};
    if (json_is_integer(parent)) {
        json_int_t index = json_integer_value(parent);
        if (index < 0 || index >= (json_int_t)rows->len) {
            g_set_error(error, PLOT_ERROR, PLOT_ERROR_INPUT, "node %u has no caller before it", rows->len);
            return false;
        }
        function.parent = (uint32_t)index;
    }
    function.ps[ANALYSIS_COMPUTING] = number_of(self, "compute_ps");
    function.ps[ANALYSIS_OVERHEAD] = number_of(self, "overhead_ps");
    function.ps[ANALYSIS_WAITING] = number_of(self, "blocked_ps");
    function.instructions = number_of(counts, "instructions");
    function.accesses = accesses_of(profile, counts);
    g_array_append_val(rows, function);
    return true;
}

static bool read_functions(PlotProfile *profile, const json_t *root, const char *key, GArray *rows, GError **error)
{
    const json_t *list = json_object_get(root, key), *row;
    size_t i;
    json_array_foreach(list, i, row)
    {
        if (!read_function(profile, row, rows, error))
            return false;
    }
    return true;
}

static PlotProfile *read_profile(const json_t *root, GError **error)
{
    g_autoptr(PlotProfile) profile = g_new0(PlotProfile, 1);
    profile->texts = g_string_chunk_new(4096);
    profile->nodes = g_array_new(FALSE, FALSE, sizeof(PlotFunction));
    profile->functions = g_array_new(FALSE, FALSE, sizeof(PlotFunction));
    profile->machine = text_of(profile, root, "machine");
    profile->ranks = number_of(root, "ranks_total");
    profile->makespan_ps = number_of(root, "makespan_ps");
    return read_functions(profile, root, "nodes", profile->nodes, error) &&
                   read_functions(profile, root, "functions", profile->functions, error)
               ? g_steal_pointer(&profile)
               : NULL;
}

PlotProfile *plot_profile_new(const char *text, gsize size, GError **error)
{
    json_error_t where;
    json_t *root = json_loadb(text, size, 0, &where);
    PlotProfile *profile = NULL;
    if (!root)
        g_set_error(error, PLOT_ERROR, PLOT_ERROR_INPUT, "line %d: %s", where.line, where.text);
    else if (g_strcmp0(json_string_value(json_object_get(root, "schema")), "orrery-profile") != 0)
        g_set_error_literal(error, PLOT_ERROR, PLOT_ERROR_INPUT,
                            "this is no profile: `orrery profile --json` writes such");
    else
        profile = read_profile(root, error);
    json_decref(root);
    return profile;
}

void plot_profile_free(PlotProfile *profile)
{
    if (!profile)
        return;
    g_array_unref(profile->nodes);
    g_array_unref(profile->functions);
    g_string_chunk_free(profile->texts);
    g_free(profile);
}
