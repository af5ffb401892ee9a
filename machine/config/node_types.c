/* node_types.c - nodes that differ: sections [node-type NAME] of machine files.
 *
 *     [node-type fast]
 *     nodes = 0-3, 12          which nodes these are; "8-" goes to the last
 *     clock = 3.6 GHz          what is different from all others:
 *     cores = 16               [cpu] clock, [node] cores and how they are shared, every key of [cost],
 *     fp-add = 0.5 cycles      of [memory] and [noise], and with the section before it [library]
 *     library.sin = 20 cycles
 *
 * A type is a list of assignments to the keys that it changes. They are applied to the values of the whole machine only
 * when the machine is built. So it does not matter whether [cpu] comes before or after the type, or from --set.
 */
#include "base/nearest.h"
#include "machine/config/config.h"

#include <string.h>

static void clear_setting(void *element)
{
    MachSetting *setting = element;
    g_free(setting->value);
    g_free(setting->comment);
}

MachNodeType *mach_node_type_new(const char *name, unsigned line)
{
    MachNodeType *type = g_new0(MachNodeType, 1);
    type->name = g_strdup(name);
    type->line = line;
    type->ranges = g_array_new(FALSE, TRUE, sizeof(MachNodeRange));
    type->settings = g_array_new(FALSE, TRUE, sizeof(MachSetting));
    g_array_set_clear_func(type->settings, clear_setting);
    type->library = mach_library_costs_new();
    return type;
}

void mach_node_type_free(void *type)
{
    MachNodeType *self = type;
    g_free(self->name);
    g_free(self->nodes);
    g_free(self->nodes_comment);
    g_array_unref(self->ranges);
    g_array_unref(self->settings);
    g_array_unref(self->library);
    g_free(self);
}

MachNodeType *mach_node_type_find(const MachConfig *config, const char *name)
{
    for (guint i = 0; config->node_types && i < config->node_types->len; i++) {
        MachNodeType *type = g_ptr_array_index(config->node_types, i);
        if (strcmp(type->name, name) == 0)
            return type;
    }
    return NULL;
}

/* -- which keys -------------------------------------------------------------------------------- */

/* Returns whether node types may change this key. */
static bool setting_per_node(const MachSetting *setting)
{
    static const char *const sections[] = {"cpu", "cost", "memory", "noise"};
    static const char *const keys[] = {"cores",   "time-slice", "switch-time", "wait",
                                       "wake-up", "preemption", "affinity"};
    for (size_t i = 0; i < G_N_ELEMENTS(sections); i++)
        if (strcmp(setting->section, sections[i]) == 0)
            return true;
    for (size_t i = 0; strcmp(setting->section, "node") == 0 && i < G_N_ELEMENTS(keys); i++)
        if (strcmp(setting->name, keys[i]) == 0)
            return true;
    return false;
}

/* Returns the key that "section.key" or "key" names, if node types may change it. */
static const MachSetting *find_per_node(const MachConfig *config, const char *name)
{
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        g_autofree char *full = g_strconcat(setting->section, ".", setting->name, NULL);
        if (setting_per_node(setting) && (strcmp(full, name) == 0 || strcmp(setting->name, name) == 0))
            return setting;
    }
    return NULL;
}

static void unknown_key(const MachConfig *config, const char *name, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(names, g_strdup("nodes"));
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        if (!setting_per_node(setting))
            continue;
        if (strchr(name, '.'))
            g_ptr_array_add(names, g_strconcat(setting->section, ".", setting->name, NULL));
        else
            g_ptr_array_add(names, g_strdup(setting->name));
    }
    g_ptr_array_add(names, NULL);
    const char *near = base_nearest(name, (const char *const *)names->pdata);
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "a type of nodes has no key \"%s\"%s%s%s", name,
                near ? ", did you mean \"" : "; it has nodes, and what may differ between nodes: clock, cores, costs",
                near ? near : "", near ? "\"?" : "");
}

/* -- which nodes ------------------------------------------------------------------------------- */

enum { MOST_NODES = 1 << 24 };

static const char *scan_node(const char *at, uint32_t *node)
{
    uint64_t value = 0;
    const char *digits = at;
    for (; g_ascii_isdigit(*at) && value <= MOST_NODES; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    if (at == digits || value > MOST_NODES)
        return NULL;
    *node = (uint32_t)value;
    return at + strspn(at, " \t");
}

/* Scans "4", "4-7" or "4-". Returns the end of the range, or NULL if it is none. */
static const char *scan_range(const char *at, MachNodeRange *range)
{
    at = scan_node(at, &range->first);
    if (!at)
        return NULL;
    range->last = range->first;
    if (*at != '-')
        return at;
    at += 1 + strspn(at + 1, " \t");
    if (!g_ascii_isdigit(*at)) {
        range->last = UINT32_MAX;
        return at;
    }
    at = scan_node(at, &range->last);
    return at && range->last >= range->first ? at : NULL;
}

/* Returns the name of a type that has a node of `range` already: `self` with an earlier range, or another type. */
static const char *owner_of(const MachConfig *config, const MachNodeType *self, const GArray *own,
                            const MachNodeRange *range)
{
    for (guint i = 0; i < own->len; i++) {
        const MachNodeRange *other = &g_array_index(own, MachNodeRange, i);
        if (range->first <= other->last && other->first <= range->last)
            return self->name;
    }
    for (guint t = 0; t < config->node_types->len; t++) {
        const MachNodeType *type = g_ptr_array_index(config->node_types, t);
        for (guint i = 0; type != self && i < type->ranges->len; i++) {
            const MachNodeRange *other = &g_array_index(type->ranges, MachNodeRange, i);
            if (range->first <= other->last && other->first <= range->last)
                return type->name;
        }
    }
    return NULL;
}

static bool assign_nodes(const MachConfig *config, MachNodeType *type, const char *text, size_t *where, GError **error)
{
    g_autoptr(GArray) ranges = g_array_new(FALSE, TRUE, sizeof(MachNodeRange));
    const char *at = text + strspn(text, " \t");
    do {
        MachNodeRange range = {.offset = (uint32_t)(at - text)};
        const char *end = scan_range(at, &range);
        *where = range.offset;
        if (!end || (*end && *end != ',')) {
            g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                        "\"%s\" is not a list of nodes and ranges of nodes, like 0-3, 12", text);
            return false;
        }
        const char *owner = owner_of(config, type, ranges, &range);
        if (owner) {
            g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "some of nodes %.*s belong to [node-type %s] already",
                        (int)strcspn(at, ","), at, owner);
            return false;
        }
        g_array_append_val(ranges, range);
        at = *end ? end + 1 + strspn(end + 1, " \t") : end;
    } while (*at);
    g_array_unref(type->ranges);
    type->ranges = g_steal_pointer(&ranges);
    char *copy = g_strdup(text);
    g_free(type->nodes);
    type->nodes = copy;
    return true;
}

/* -- giving values ----------------------------------------------------------------------------- */

static bool assign_key(const MachConfig *config, MachNodeType *type, const MachSetting *row, const char *text,
                       size_t *where, char ***comment, GError **error)
{
    MachConfig scratch = *config; /* shallow: keys that types may change are plain numbers, so storing frees nothing */
    if (!mach_setting_store(&scratch, row, text, where, error))
        return false;
    MachSetting *own = mach_setting_find(type->settings, row->section, row->name);
    if (!own) {
        MachSetting setting = *row;
        setting.fallback = setting.value = setting.comment = NULL;
        g_array_append_val(type->settings, setting);
        own = &g_array_index(type->settings, MachSetting, type->settings->len - 1);
    }
    char *copy = g_strdup(text);
    g_free(own->value);
    own->value = copy;
    *comment = &own->comment;
    return true;
}

static bool assign_function(MachNodeType *type, const char *name, const char *text, size_t *where, char ***comment,
                            GError **error)
{
    if (!mach_library_cost_assign(type->library, name, text, where, error))
        return false;
    *comment = &mach_library_cost_find(type->library, name)->comment;
    return true;
}

bool mach_node_type_assign(const MachConfig *config, MachNodeType *type, const char *name, const char *text,
                           size_t *where, char ***comment, GError **error)
{
    *where = MACH_NOT_IN_VALUE;
    if (strcmp(name, "nodes") == 0) {
        *comment = &type->nodes_comment;
        return assign_nodes(config, type, text, where, error);
    }
    if (g_str_has_prefix(name, "library.")) {
        const char *function = name + strlen("library.");
        if (mach_library_function(function))
            return assign_function(type, function, text, where, comment, error);
        g_autofree char *hint = mach_library_suggestion(function);
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "the library has no function \"%s\"%s", function, hint);
        return false;
    }
    const MachSetting *row = find_per_node(config, name);
    if (row)
        return assign_key(config, type, row, text, where, comment, error);
    unknown_key(config, name, error);
    return false;
}

/* -- as the nodes see it ----------------------------------------------------------------------- */

uint32_t mach_node_type_of(const MachConfig *config, uint32_t node)
{
    for (guint t = 0; config->node_types && t < config->node_types->len; t++) {
        const MachNodeType *type = g_ptr_array_index(config->node_types, t);
        for (guint i = 0; i < type->ranges->len; i++) {
            const MachNodeRange *range = &g_array_index(type->ranges, MachNodeRange, i);
            if (node >= range->first && node <= range->last)
                return t + 1;
        }
    }
    return 0;
}

uint32_t mach_node_types(const MachConfig *config)
{
    return 1 + (config->node_types ? config->node_types->len : 0);
}

const char *mach_config_node_type(const MachConfig *config, uint32_t node)
{
    uint32_t type = mach_node_type_of(config, node);
    return type ? ((const MachNodeType *)g_ptr_array_index(config->node_types, type - 1))->name : NULL;
}

void mach_node_config(const MachConfig *config, uint32_t type, MachConfig *seen)
{
    *seen = *config;
    if (type == 0)
        return;
    const MachNodeType *self = g_ptr_array_index(config->node_types, type - 1);
    for (guint i = 0; i < self->settings->len; i++) {
        const MachSetting *setting = &g_array_index(self->settings, MachSetting, i);
        size_t where;
        bool fits = mach_setting_store(seen, setting, setting->value, &where, NULL);
        g_assert(fits);
    }
}

bool mach_config_check_nodes(const MachConfig *config, uint32_t nodes, bool any_number, GError **error)
{
    for (guint t = 0; config->node_types && t < config->node_types->len; t++) {
        const MachNodeType *type = g_ptr_array_index(config->node_types, t);
        for (guint i = 0; i < type->ranges->len && !any_number; i++) {
            const MachNodeRange *range = &g_array_index(type->ranges, MachNodeRange, i);
            bool open = range->last == UINT32_MAX;
            if (range->first < nodes && (open || range->last < nodes))
                continue;
            g_autofree char *place = type->nodes_line
                                         ? g_strdup_printf("%s:%u:%u: error: ", config->path, type->nodes_line,
                                                           type->nodes_column + range->offset)
                                         : g_strdup("");
            g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                        "%s[node-type %s] has node %u, but the machine has %u node%s, 0 to %u", place, type->name,
                        range->first < nodes ? range->last : range->first, nodes, nodes == 1 ? "" : "s", nodes - 1);
            return false;
        }
    }
    return true;
}

void mach_config_describe_nodes(const MachConfig *config, uint32_t nodes, GString *out)
{
    for (guint t = 0; t < config->node_types->len; t++) {
        const MachNodeType *type = g_ptr_array_index(config->node_types, t);
        uint32_t count = 0;
        for (uint32_t node = 0; node < nodes; node++)
            count += mach_node_type_of(config, node) == t + 1;
        g_string_append_printf(out, "node type   %s: %u node%s, %s", type->name, count, count == 1 ? "" : "s",
                               type->nodes);
        for (guint i = 0; i < type->settings->len; i++) {
            const MachSetting *setting = &g_array_index(type->settings, MachSetting, i);
            g_string_append_printf(out, "; %s %s", setting->name, setting->value);
        }
        g_string_append_c(out, '\n');
    }
}

uint32_t mach_config_seats(const MachConfig *config)
{
    bool threads =
        config->mpi.progress[MPI_PROGRESS_MESSAGES] == MPI_PROGRESS_THREAD && config->thread_core == MACH_THREAD_OWN;
    bool each = threads && config->mpi.thread_share == MPI_THREAD_OF_RANK;
    bool daemon = config->daemon_core == MACH_THREAD_OWN && mach_config_daemons(config);
    uint32_t taken = daemon + (threads && !each), left = config->cores > taken ? config->cores - taken : 1;
    return MAX(each ? left / 2 : left, 1);
}

uint32_t mach_config_cores(const MachConfig *config, uint32_t node)
{
    uint32_t type = mach_node_type_of(config, node);
    MachConfig seen;
    if (type == 0)
        return mach_config_seats(config);
    mach_node_config(config, type, &seen);
    return mach_config_seats(&seen);
}

uint64_t mach_config_total_cores(const MachConfig *config, uint32_t nodes)
{
    uint64_t total = (uint64_t)nodes * mach_config_seats(config);
    if (mach_node_types(config) == 1)
        return total;
    total = 0;
    for (uint32_t node = 0; node < nodes; node++)
        total += mach_config_cores(config, node);
    return total;
}
