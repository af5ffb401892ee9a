/* spec.c - reads a sweep file and lays out its runs.
 *
 * A sweep file is a GLib key file like a machine file. [sweep] says what to run and what to draw; each key of [vary] is
 * a machine key with several values. The runs are all combinations, in a fixed order: the last key varies fastest.
 */
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/sweep/sweep.h"

#include <string.h>

static const char *const sweep_keys[] = {"program", "input", "arguments", "ranks",       "machines", "set",
                                         "x",       "y",     "title",     "logarithmic", "max-time", NULL};

static bool refuse(GError **error, const char *path, const char *format, ...) G_GNUC_PRINTF(3, 4);
static bool refuse(GError **error, const char *path, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return cli_error_usage(error, "%s: %s", path, text);
}

/* Splits "a b, c" or, if values contain blanks, "1 us; 2 us". Empty items are dropped. */
static GPtrArray *split_values(const char *text, const char *separators)
{
    GPtrArray *values = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) pieces = g_strsplit_set(text ? text : "", separators, -1);
    for (char **piece = pieces; *piece; piece++)
        if (*g_strstrip(*piece) != '\0')
            g_ptr_array_add(values, g_strdup(*piece));
    return values;
}

static void dimension_free(void *item)
{
    SweepDimension *dimension = item;
    g_free(dimension->key);
    g_ptr_array_unref(dimension->values);
    g_free(dimension);
}

/* Splits values, and writes ranges out. Returns NULL with an error. */
static GPtrArray *read_values(const char *text, const char *separators, const char *path, GError **error)
{
    g_autoptr(GPtrArray) pieces = split_values(text, separators);
    GPtrArray *values = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < pieces->len; i++) {
        g_autoptr(GError) problem = NULL;
        if (cli_sweep_values_add(g_ptr_array_index(pieces, i), values, &problem))
            continue;
        refuse(error, path, "%s", problem->message);
        g_ptr_array_unref(values);
        return NULL;
    }
    return values;
}

/* Returns a value that is given twice: it would be run twice and drawn on top of itself. */
static const char *find_repeated(const GPtrArray *values)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < values->len; i++)
        if (!g_hash_table_add(seen, g_ptr_array_index(values, i)))
            return g_ptr_array_index(values, i);
    return NULL;
}

static bool add_dimension(SweepSpec *spec, const char *key, GPtrArray *values, const char *path, GError **error)
{
    SweepDimension *dimension = g_new0(SweepDimension, 1);
    dimension->key = g_strdup(key);
    dimension->values = values;
    g_ptr_array_add(spec->dimensions, dimension);
    const char *twice = find_repeated(values);
    if (values->len == 0)
        return refuse(error, path, "%s has no values", key);
    if (twice)
        return refuse(error, path, "%s has the value '%s' twice", key, twice);
    return true;
}

static bool check_keys(GKeyFile *file, const char *path, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);
    for (char **group = groups; *group; group++)
        if (strcmp(*group, "sweep") != 0 && strcmp(*group, "vary") != 0)
            return refuse(error, path, "unknown section [%s]; there are [sweep] and [vary]", *group);
    if (!g_key_file_has_group(file, "sweep"))
        return refuse(error, path, "there is no section [sweep]; see orrery sweep --help");
    g_auto(GStrv) keys = g_key_file_get_keys(file, "sweep", NULL, error);
    for (char **key = keys; key && *key; key++)
        if (!g_strv_contains(sweep_keys, *key)) {
            g_autofree char *known = g_strjoinv(", ", (char **)sweep_keys);
            return refuse(error, path, "unknown key '%s' in [sweep]; there are %s", *key, known);
        }
    return keys;
}

static bool read_ranks(GKeyFile *file, SweepSpec *spec, const char *path, GError **error)
{
    g_autofree char *text = g_key_file_get_string(file, "sweep", "ranks", NULL);
    GPtrArray *values = read_values(text ? text : "4", " ,;\t", path, error);
    if (!values || !add_dimension(spec, "ranks", values, path, error))
        return false;
    for (guint i = 0; i < values->len; i++) {
        uint64_t ranks;
        g_autoptr(GError) problem = NULL;
        if (!cli_option_number("ranks", g_ptr_array_index(values, i), 1, INT32_MAX, &ranks, &problem))
            return refuse(error, path, "%s", problem->message);
    }
    return true;
}

static bool read_varied(GKeyFile *file, SweepSpec *spec, const char *path, GError **error)
{
    g_auto(GStrv) keys = g_key_file_get_keys(file, "vary", NULL, NULL);
    for (char **key = keys; key && *key; key++) {
        g_autofree char *text = g_key_file_get_string(file, "vary", *key, NULL);
        GPtrArray *values = read_values(text, ";", path, error);
        if (!values || !add_dimension(spec, *key, values, path, error))
            return false;
    }
    return true;
}

static bool refuse_measure(GError **error, const char *path, const char *y)
{
    const char *names[SWEEP_MEASURES + 1] = {NULL};
    for (unsigned i = 0; i < SWEEP_MEASURES; i++)
        names[i] = mach_statistics_measure(i)->measure;
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    return refuse(error, path, "y = %s: there are %s", y, all);
}

static bool read_axes(GKeyFile *file, SweepSpec *spec, const char *path, GError **error)
{
    g_autofree char *x = g_key_file_get_string(file, "sweep", "x", NULL);
    spec->y = g_key_file_get_string(file, "sweep", "y", NULL);
    spec->y = spec->y ? spec->y : g_strdup("makespan");
    g_autofree char *logarithmic = g_key_file_get_string(file, "sweep", "logarithmic", NULL);
    if (logarithmic && strcmp(logarithmic, "true") != 0 && strcmp(logarithmic, "false") != 0)
        return refuse(error, path, "logarithmic = %s: it is true or false", logarithmic);
    spec->logarithmic = g_strcmp0(logarithmic, "true") == 0;
    for (guint i = 0; i < spec->dimensions->len; i++)
        if (strcmp(cli_sweep_dimension(spec, i)->key, x ? x : "ranks") == 0) {
            spec->x = i;
            return cli_sweep_measure_index(spec->y) >= 0 || refuse_measure(error, path, spec->y);
        }
    return refuse(error, path, "x = %s: neither ranks nor machine nor a key of [vary]", x);
}

static bool refuse_number(const SweepSpec *spec, const char *path, GError **error)
{
    guint64 runs = 1;
    for (guint i = 0; i < spec->dimensions->len; i++)
        if (__builtin_mul_overflow(runs, cli_sweep_dimension(spec, i)->values->len, &runs))
            runs = G_MAXUINT64;
    return refuse(error, path, "%" G_GUINT64_FORMAT " runs%s are more than %d: vary less, or in several files", runs,
                  runs == G_MAXUINT64 ? " or more" : "", SWEEP_MAX_RUNS);
}

static bool read_all(GKeyFile *file, SweepSpec *spec, const char *path, GError **error)
{
    g_autofree char *program = g_key_file_get_string(file, "sweep", "program", NULL);
    g_autofree char *machines = g_key_file_get_string(file, "sweep", "machines", NULL);
    g_autofree char *arguments = g_key_file_get_string(file, "sweep", "arguments", NULL);
    g_autofree char *set = g_key_file_get_string(file, "sweep", "set", NULL);
    g_autofree char *folder = g_path_get_dirname(path);
    if (!program || *program == '\0')
        return refuse(error, path, "[sweep] says no program");
    spec->program = g_path_is_absolute(program) ? g_strdup(program) : g_build_filename(folder, program, NULL);
    spec->arguments = split_values(arguments, " \t");
    spec->settings = split_values(set, ";");
    g_autofree char *input = g_key_file_get_string(file, "sweep", "input", NULL);
    spec->input = input ? g_strconcat(input, "\n", NULL) : g_strdup("");
    spec->title = g_key_file_get_string(file, "sweep", "title", NULL);
    g_autofree char *limit = g_key_file_get_string(file, "sweep", "max-time", NULL);
    g_autoptr(GError) wrong = NULL;
    if (limit && !base_units_parse(limit, BASE_UNIT_TIME, &spec->max_time_ps, &wrong))
        return refuse(error, path, "max-time = %s: %s", limit, wrong->message);
    if (limit && spec->max_time_ps == 0)
        return refuse(error, path, "max-time = %s: nothing could run; leave it out for no limit", limit);
    GPtrArray *names = split_values(machines ? machines : CLI_MACHINE_NAME, " ,;\t");
    return add_dimension(spec, "machine", names, path, error) && read_varied(file, spec, path, error) &&
           read_ranks(file, spec, path, error) && read_axes(file, spec, path, error) &&
           (cli_sweep_runs(spec) <= SWEEP_MAX_RUNS || refuse_number(spec, path, error));
}

SweepSpec *cli_sweep_spec_load(const char *path, GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) problem = NULL;
    if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &problem)) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: %s", path, problem->message);
        return NULL;
    }
    SweepSpec *spec = g_new0(SweepSpec, 1);
    spec->dimensions = g_ptr_array_new_with_free_func(dimension_free);
    if (check_keys(file, path, error) && read_all(file, spec, path, error))
        return spec;
    cli_sweep_spec_free(spec);
    return NULL;
}

void cli_sweep_spec_free(SweepSpec *spec)
{
    if (!spec)
        return;
    g_ptr_array_unref(spec->dimensions);
    g_clear_pointer(&spec->arguments, g_ptr_array_unref);
    g_clear_pointer(&spec->settings, g_ptr_array_unref);
    g_free(spec->program);
    g_free(spec->input);
    g_free(spec->title);
    g_free(spec->y);
    g_free(spec);
}

SweepDimension *cli_sweep_dimension(const SweepSpec *spec, guint index)
{
    return g_ptr_array_index(spec->dimensions, index);
}

guint cli_sweep_runs(const SweepSpec *spec)
{
    guint64 runs = 1;
    for (guint i = 0; i < spec->dimensions->len; i++)
        runs = MIN(runs * cli_sweep_dimension(spec, i)->values->len, SWEEP_MAX_RUNS + 1);
    return (guint)runs;
}

const char *cli_sweep_value(const SweepSpec *spec, guint run, guint dimension)
{
    for (guint i = spec->dimensions->len - 1; i > dimension; i--)
        run /= cli_sweep_dimension(spec, i)->values->len;
    const GPtrArray *values = cli_sweep_dimension(spec, dimension)->values;
    return g_ptr_array_index(values, run % values->len);
}
