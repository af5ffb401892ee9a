/* priorities.c - ranks that go before others on the cores that they share: the key `priority` of [node]. */
#include "machine/config/config.h"
#include "machine/node/node.h"

enum { MOST_LEVEL = 99 };

static G_GNUC_PRINTF(3, 4) bool refuse(const MachConfig *config, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const MachSetting *setting = mach_setting_find(config->settings, "node", "priority");
    if (setting && setting->line)
        return mach_error_at_line(error, config->path, setting->line, "priority: %s", reason);
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "node.priority: %s", reason);
    return false;
}

static bool parse_number(const char *text, int64_t least, int64_t most, int64_t *number)
{
    gint64 value;
    bool fits = g_ascii_string_to_signed(text, 10, least, most, &value, NULL);
    *number = fits ? value : 0;
    return fits;
}

/* Parses RANK@LEVEL or FIRST-LAST@LEVEL. */
static bool parse_one(const MachConfig *config, const char *text, int *levels, uint32_t ranks, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "@", 2);
    int64_t first, last, level;
    g_auto(GStrv) range = g_strsplit(parts[0] ? parts[0] : "", "-", 2);
    if (!range[0] || !parts[1] || !parse_number(g_strstrip(range[0]), 0, INT32_MAX, &first) ||
        !parse_number(range[1] ? g_strstrip(range[1]) : range[0], 0, INT32_MAX, &last) ||
        !parse_number(g_strstrip(parts[1]), -MOST_LEVEL, MOST_LEVEL, &level) || last < first)
        return refuse(config, error, "\"%s\" is not RANK@LEVEL or FIRST-LAST@LEVEL, like 0-3@1; levels are -%d to %d",
                      text, MOST_LEVEL, MOST_LEVEL);
    if (last >= ranks)
        return refuse(config, error, "rank %d has a priority, but there are only %u ranks", (int)last, ranks);
    for (int64_t rank = first; rank <= last; rank++)
        levels[rank] = (int)level;
    return true;
}

/* Where a rank that waits keeps its core, those below it would never get it. */
static bool check_waits(const MachConfig *config, GError **error)
{
    MachConfig seen;
    for (uint32_t type = 0; type < mach_node_types(config); type++) {
        mach_node_config(config, type, &seen);
        if (seen.node.wait != MACH_WAIT_SLEEP)
            return refuse(config, error,
                          "with wait = %s a rank that waits keeps wanting its core, so that ranks of lower priority "
                          "there would never run; set node.wait=sleep",
                          seen.node.wait == MACH_WAIT_POLL ? "poll" : "yield");
    }
    return true;
}

bool mach_node_read_priorities(const MachConfig *config, uint32_t ranks, int **levels, GError **error)
{
    *levels = NULL;
    if (!*config->priorities)
        return true;
    if (!check_waits(config, error))
        return false;
    *levels = g_new0(int, ranks);
    g_auto(GStrv) parts = g_strsplit(config->priorities, ",", -1);
    for (char **part = parts; *part; part++)
        if (!parse_one(config, g_strstrip(*part), *levels, ranks, error)) {
            g_clear_pointer(levels, g_free);
            return false;
        }
    return true;
}
