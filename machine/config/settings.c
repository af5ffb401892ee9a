/* settings.c - the table of configuration keys in use: defaults, and giving a key its value.
 *
 * The rows of keys.def, the instruction classes of vcode/costs.def and the collective operations of mpi/ become one
 * array of MachSetting. The kind of a key decides how its value is read. The value is stored in the field of MachConfig
 * that the row names.
 */
#include "base/nearest.h"
#include "base/random.h"
#include "base/units.h"
#include "machine/config/config.h"

#include <string.h>

static void add_setting(GArray *settings, MachSetting setting, char *fallback /* taken */)
{
    setting.fallback = fallback;
    setting.value = g_strdup(fallback);
    g_array_append_val(settings, setting);
}

static void clear_setting(void *element)
{
    MachSetting *setting = element;
    g_free(setting->fallback);
    g_free(setting->value);
    g_free(setting->comment);
}

#define FIELD(field) .offset = offsetof(MachConfig, field), .bytes = sizeof(((MachConfig *)NULL)->field)

static void add_cost_classes(GArray *settings)
{
#define COST_CLASS(name, key, cycles_q8, help) {#name, key, cycles_q8, help},
    static const struct {
        const char *name, *key;
        uint32_t cycles_q8;
        const char *help;
    } classes[] = {
#include "vcode/costs.def"
    };
    for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
        if (!classes[i].key)
            continue;
        MachSetting setting = {.section = "cost",
                               .name = classes[i].key,
                               .help = classes[i].help,
                               .kind = MACH_KIND_CYCLES,
                               .greatest = 1 << 24,
                               FIELD(costs.class_q8[0])};
        setting.offset += i * setting.bytes;
        add_setting(settings, setting, base_units_format_cycles(classes[i].cycles_q8));
    }
}

static void add_threads(GArray *settings)
{
#define THREADS_COST(field, key, default_ps, what)                                                                     \
    add_setting(settings,                                                                                              \
                (MachSetting){.section = "threads",                                                                    \
                              .name = key,                                                                             \
                              .help = what,                                                                            \
                              .kind = MACH_KIND_TIME,                                                                  \
                              .greatest = UINT64_C(1000000000000),                                                     \
                              FIELD(threads.field)},                                                                   \
                base_units_format_time(default_ps));
#include "threads/costs.def"
}

static void add_collectives(GArray *settings)
{
    for (const char *const *name = mpi_collectives(); *name; name++) {
        MachSetting setting = {.section = "collectives",
                               .name = *name,
                               .kind = MACH_KIND_ALGORITHM,
                               .names = mpi_algorithms(*name),
                               .help = "algorithm of this collective operation"};
        add_setting(settings, setting, g_strdup("auto"));
    }
}

/* -- lists of names ---------------------------------------------------------------------------- */

static const char *const *alignments(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_ALIGNMENTS);
    return names;
}

static const char *const *memory_models(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_MEMORY_MODELS);
    return names;
}

static const char *const *storage_kinds(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_STORAGE_KINDS);
    return names;
}

static const char *const *storage_places(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_STORAGE_PLACES);
    return names;
}

static const char *const *noise_arrivals(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_NOISE_ARRIVALS);
    return names;
}

static const char *const *noise_phases(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_NOISE_PHASES);
    return names;
}

static const char *const *thread_cores(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_THREAD_CORES);
    return names;
}

static const char *const *node_waits(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_NODE_WAITS);
    return names;
}

static const char *const *node_affinities(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_NODE_AFFINITIES);
    return names;
}

static const char *const *node_preemptions(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_NODE_PREEMPTIONS);
    return names;
}

const char *const *mach_config_mappings(void)
{
    static const char *const names[] = {
#define MACH_MAPPING(symbol, name, needs, help, source) name,
#include "machine/mappings.def"
        NULL};
    return names;
}

/* -- the rows ---------------------------------------------------------------------------------- */

/* The kind in a row may have a list of names in parentheses. */
#define MACH_KIND_CHOICE(names)   MACH_KIND_CHOICE, .list = names
#define MACH_KIND_NAME(names)     MACH_KIND_NAME, .list = names
#define MACH_KIND_TOPOLOGY(names) MACH_KIND_TOPOLOGY, .list = names

GArray *mach_settings_new(void)
{
    static const struct {
        MachSetting setting;
        struct {
            MachKind kind;
            const char *const *(*list)(void);
        } written;
        const char *fallback, *texts[2]; /* the help, and perhaps the condition under which the key is read */
    } rows[] = {
#define MACH_KEY(section_, name_, kind_, field_, default_, least_, greatest_, ...)                                     \
    {{.section = #section_, .name = #name_, .least = least_, .greatest = greatest_, FIELD(field_)},                    \
     {.kind = MACH_KIND_##kind_},                                                                                      \
     default_,                                                                                                         \
     {__VA_ARGS__}},
#include "machine/config/keys.def"
    };
    GArray *settings = g_array_new(FALSE, TRUE, sizeof(MachSetting));
    g_array_set_clear_func(settings, clear_setting);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        /* Keys of the instruction classes come first in [cost]. */
        if (strcmp(rows[i].setting.name, "copy-byte") == 0)
            add_cost_classes(settings);
        MachSetting setting = rows[i].setting;
        setting.kind = rows[i].written.kind;
        setting.names = rows[i].written.list ? rows[i].written.list() + setting.least : NULL;
        g_assert(setting.kind != MACH_KIND_CHOICE || setting.bytes == sizeof(uint32_t));
        g_assert(setting.kind != MACH_KIND_NAME || setting.bytes == sizeof(const char *));
        setting.help = rows[i].texts[0];
        setting.when = rows[i].texts[1];
        add_setting(settings, setting, g_strdup(rows[i].fallback));
    }
    add_threads(settings);
    add_collectives(settings);
    return settings;
}

MachSetting *mach_setting_find(GArray *settings, const char *section, const char *name)
{
    for (guint i = 0; i < settings->len; i++) {
        MachSetting *setting = &g_array_index(settings, MachSetting, i);
        if (strcmp(setting->section, section) == 0 && strcmp(setting->name, name) == 0)
            return setting;
    }
    return NULL;
}

/* -- reading values ---------------------------------------------------------------------------- */

static bool quantity_unit(MachKind kind, BaseUnit *unit)
{
    switch (kind) {
    case MACH_KIND_COUNT: *unit = BASE_UNIT_COUNT; return true;
    case MACH_KIND_FREQUENCY: *unit = BASE_UNIT_FREQUENCY; return true;
    case MACH_KIND_TIME: *unit = BASE_UNIT_TIME; return true;
    case MACH_KIND_BANDWIDTH: *unit = BASE_UNIT_BANDWIDTH; return true;
    case MACH_KIND_SIZE: *unit = BASE_UNIT_SIZE; return true;
    case MACH_KIND_CYCLES: *unit = BASE_UNIT_CYCLES; return true;
    case MACH_KIND_TIME_PER_BYTE: *unit = BASE_UNIT_TIME_PER_BYTE; return true;
    default: return false;
    }
}

static void store(MachConfig *config, const MachSetting *setting, uint64_t value)
{
    void *field = (char *)config + setting->offset;
    if (setting->bytes == sizeof(uint32_t))
        *(uint32_t *)field = (uint32_t)value;
    else
        *(uint64_t *)field = value;
}

static bool check_range(const MachSetting *setting, const char *text, uint64_t value, GError **error)
{
    if (value >= setting->least && value <= setting->greatest)
        return true;
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s = %s is too %s to be possible", setting->name, text,
                value < setting->least ? "small" : "large");
    return false;
}

/* Stores a factor such as 1.5 in units of 1/256. */
static bool assign_factor(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                          GError **error)
{
    g_autofree char *as_cycles = g_strconcat(text, " cycles", NULL);
    uint64_t value;
    if (!base_units_scan(as_cycles, BASE_UNIT_CYCLES, &value, where, NULL)) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "\"%s\" is not a plain number in steps of 1/256, like 1.5",
                    text);
        return false;
    }
    if (!check_range(setting, text, value, error))
        return false;
    store(config, setting, value);
    return true;
}

/* Scans a decimal number and its exponent: the value is *number / 10 ^ *places. Returns false if there is none or it is
 * too long. */
static bool scan_chance(const char **text, unsigned __int128 *number, int *places)
{
    const char *at = *text;
    unsigned digits = 0;
    bool point = false;
    *number = 0;
    *places = 0;
    for (; g_ascii_isdigit(*at) || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        *number = *number * 10 + (unsigned)(*at - '0');
        *places += point;
        digits++;
    }
    if (!digits || digits > 25)
        return false;
    if (*at == 'e' || *at == 'E') {
        char *end;
        gint64 power = g_ascii_strtoll(at + 1, &end, 10);
        if (end == at + 1 || power > 0 || power < -40)
            return false;
        *places -= (int)power;
        at = end;
    }
    *text = at + strspn(at, " \t");
    return true;
}

/* Stores a probability from 0 to 1, like 0.001, 1e-9 or 0.1 %, in units of 1 / NET_CHANCE_ONE. */
static bool assign_chance(MachConfig *config, const MachSetting *setting, const char *text, GError **error)
{
    enum { PLACES = 18 };
    const char *at = text;
    unsigned __int128 number;
    int places;
    bool good = scan_chance(&at, &number, &places);
    if (good && *at == '%') {
        places += 2;
        at++;
    }
    for (; good && places > PLACES && number % 10 == 0 && number; places--)
        number /= 10;
    if (!good || *at || (places > PLACES && number)) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                    "\"%s\" is not a probability: a number from 0 to 1 in steps of 1e-18, like 0.001, 1e-9 or 0.1 %%",
                    text);
        return false;
    }
    for (; number && places < PLACES && number <= NET_CHANCE_ONE; places++)
        number *= 10;
    if (number > NET_CHANCE_ONE) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s = %s: a probability is at most 1", setting->name, text);
        return false;
    }
    store(config, setting, (uint64_t)number);
    return true;
}

static bool assign_extents(const char *text, uint32_t *to, uint32_t *to_n, size_t *where, GError **error)
{
    uint32_t dims[NET_MAX_DIMENSIONS] = {0};
    uint32_t n = 0;
    const char *at = text;
    while (*at) {
        *where = (size_t)(at - text);
        uint64_t extent = 0;
        const char *digits = at;
        for (; g_ascii_isdigit(*at) && extent <= 65536; at++)
            extent = extent * 10 + (uint64_t)(*at - '0');
        if (at == digits || extent < 1 || extent > 65536 || n == NET_MAX_DIMENSIONS) {
            g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                        "\"%s\" is not a list of 1 to %d extents from 1 to 65536, like 4x4 or 8x8x16", text,
                        NET_MAX_DIMENSIONS);
            return false;
        }
        dims[n++] = (uint32_t)extent;
        at += strspn(at, " ");
        if (*at == 'x' && at[1])
            at += 1 + strspn(at + 1, " ");
    }
    memcpy(to, dims, sizeof dims);
    *to_n = n;
    return true;
}

/* Stores name number `i` of the key's list. */
static void store_name(MachConfig *config, const MachSetting *setting, uint32_t i)
{
    if (setting->kind == MACH_KIND_ALGORITHM)
        g_hash_table_insert(config->mpi.algorithms, g_strdup(setting->name), g_strdup(setting->names[i]));
    else if (setting->kind == MACH_KIND_CHOICE)
        store(config, setting, setting->least + i);
    else
        *(const char **)((char *)config + setting->offset) = setting->names[i]; /* a static string */
}

static bool assign_name(MachConfig *config, const MachSetting *setting, const char *text, GError **error)
{
    for (uint32_t i = 0; setting->names[i]; i++) {
        if (strcmp(setting->names[i], text) == 0) {
            store_name(config, setting, i);
            return true;
        }
    }
    const char *near = base_nearest(text, setting->names);
    g_autofree char *all = g_strjoinv(", ", (char **)setting->names);
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "there is no %s \"%s\"; %s%s%s: %s",
                setting->kind == MACH_KIND_ALGORITHM ? "algorithm" : setting->name, text, near ? "did you mean \"" : "",
                near ? near : "", near ? "\"? There are" : "there are", all);
    return false;
}

static bool assign_text(MachConfig *config, const MachSetting *setting, const char *text, GError **error)
{
    char **field = (char **)((char *)config + setting->offset);
    if (setting->kind == MACH_KIND_MAPPING && !*text) {
        g_set_error_literal(error, MACH_ERROR, MACH_ERROR_CONFIG,
                            "the mapping is empty; it is block, cyclic, another strategy, or the name of a file");
        return false;
    }
    g_free(*field);
    *field = g_strdup(text);
    return true;
}

/* Returns whether the topology is given with its parameters, like mesh(4,4). */
static bool shape_in_brackets(const MachConfig *config)
{
    const char *topology = mach_config_value(config, "network", "topology");
    return topology && strchr(topology, '(');
}

bool mach_setting_store(MachConfig *config, const MachSetting *setting, const char *text, size_t *where, GError **error)
{
    BaseUnit unit;
    *where = 0;
    if (quantity_unit(setting->kind, &unit)) {
        uint64_t value;
        if (!base_units_scan(text, unit, &value, where, error) || !check_range(setting, text, value, error))
            return false;
        store(config, setting, value);
        return true;
    }
    if (setting->kind == MACH_KIND_TOPOLOGY && strchr(text, '('))
        return net_topology_parse(text, &config->net, error); /* mesh(4,4) */
    if (setting->names)
        return assign_name(config, setting, text, error);
    if (setting->kind == MACH_KIND_EXTENTS && !*text && shape_in_brackets(config))
        return true; /* the topology gives the extents */
    if (setting->kind == MACH_KIND_EXTENTS)
        return assign_extents(text, config->net.dims, &config->net.n_dims, where, error);
    if (setting->kind == MACH_KIND_GRID)
        return assign_extents(text, config->mapping_grid.extents, &config->mapping_grid.n, where, error);
    if (setting->kind == MACH_KIND_CHANCE)
        return assign_chance(config, setting, text, error);
    if (setting->kind == MACH_KIND_COUNT_Q8)
        return assign_factor(config, setting, text, where, error);
    if (setting->kind == MACH_KIND_OVERHEAD)
        return mach_config_assign_overhead(config, setting, text, where, error);
    if (setting->kind == MACH_KIND_GAPS)
        return mach_config_assign_gaps(config, setting, text, where, error);
    return assign_text(config, setting, text, error);
}

/* -- topology = mesh(4,4) and dims = 4x4 say the same ------------------------------------------ */

static void replace_value(MachSetting *setting, char *value)
{
    g_free(setting->value);
    setting->value = value;
}

bool mach_setting_shape_agrees(const MachConfig *config, const MachSetting *given_now, GError **error)
{
    if (given_now->kind != MACH_KIND_TOPOLOGY && given_now->kind != MACH_KIND_EXTENTS)
        return true;
    const MachSetting *topology = mach_setting_find(config->settings, "network", "topology");
    const MachSetting *dims = mach_setting_find(config->settings, "network", "dims");
    NetParams bracketed = {0}, given = {0};
    size_t where;
    g_assert(topology && dims); /* rows of keys.def */
    if (!topology->line || !dims->line || !*dims->value || !shape_in_brackets(config) ||
        !net_topology_parse(topology->value, &bracketed, NULL) ||
        !assign_extents(dims->value, given.dims, &given.n_dims, &where, NULL))
        return true;
    if (given.n_dims == bracketed.n_dims && memcmp(given.dims, bracketed.dims, sizeof given.dims) == 0)
        return true;
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                "topology = %s in line %u and dims = %s in line %u contradict each other; one of them is enough",
                topology->value, topology->line, dims->value, dims->line);
    return false;
}

void mach_setting_shape_override(MachConfig *config, const MachSetting *changed)
{
    MachSetting *topology = mach_setting_find(config->settings, "network", "topology");
    MachSetting *dims = mach_setting_find(config->settings, "network", "dims");
    g_assert(topology && dims); /* rows of keys.def */
    if (changed == topology && shape_in_brackets(config))
        replace_value(dims, g_strdup(""));
    if (changed == dims && *dims->value && shape_in_brackets(config))
        replace_value(topology, g_strdup(config->net.topology));
}

bool mach_setting_assign(MachConfig *config, MachSetting *setting, const char *text, size_t *where, GError **error)
{
    if (!mach_setting_store(config, setting, text, where, error))
        return false;
    replace_value(setting, g_strdup(text)); /* text may be the value itself */
    return true;
}

char *mach_setting_unit(const MachSetting *setting)
{
    BaseUnit unit;
    if (quantity_unit(setting->kind, &unit))
        return g_strdup_printf("%s, like %s", base_units_what(unit), base_units_example(unit));
    if (setting->names) {
        g_autofree char *all = g_strjoinv(", ", (char **)setting->names);
        return g_strdup_printf("one of: %s", all);
    }
    switch (setting->kind) {
    case MACH_KIND_EXTENTS:
    case MACH_KIND_GRID: return g_strdup("extents, like 4x4");
    case MACH_KIND_COUNT_Q8: return g_strdup("factor, like 1.5");
    case MACH_KIND_OVERHEAD: return g_strdup("time, like 1.5 us, or 0: 1.5 us, 4 KiB: 2 us + 100 ps/B");
    case MACH_KIND_GAPS: return g_strdup("time per byte, like 80 ps/B, or 0: 80 ps/B, 64 KiB: 100 ps/B");
    case MACH_KIND_CHANCE: return g_strdup("probability, like 0.001, 1e-9 or 0.1 %");
    case MACH_KIND_MAPPING: {
        g_autofree char *all = g_strjoinv(", ", (char **)mach_config_mappings());
        return g_strdup_printf("%s, or a file", all);
    }
    default: return g_strdup("text");
    }
}
