/* config.c - reads machine files: GLib key files (INI), every error with line and column.
 *
 *     # 10BASE5, IEEE 802.3 clause 8                  a comment above a key, or behind its value after a blank,
 *     [network]                                       says where the number comes from
 *     bandwidth = 10 Mbit/s
 *
 * GLib's own reader forgets where things stand, so the lines are read here. All mistakes of a file are collected and
 * reported together, each as file:line:column: error: ..., with the line, a caret, and the nearest right name.
 */
#include "machine/internal.h"

#include <stdio.h>
#include <string.h>

typedef struct Reader {
    MachConfig *config;
    const char *path;
    const char *line; /* the present one, without its end */
    unsigned number;
    const char *section; /* NULL before the first */
    bool skip;           /* inside an unknown section */
    GString *comment;    /* comment lines above the present one */
    GString *errors;
    unsigned error_count;
} Reader;

enum { MOST_ERRORS = 20, LONGEST_SHOWN = 160 };

/* Notes an error at `at`, which points into the present line. */
G_GNUC_PRINTF(4, 5)
static void complain(Reader *reader, const char *at, size_t length, const char *format, ...)
{
    if (++reader->error_count > MOST_ERRORS)
        return;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    int column = (int)(at - reader->line);
    if (reader->errors->len)
        g_string_append_c(reader->errors, '\n');
    g_string_append_printf(reader->errors, "%s:%u:%d: error: %s", reader->path, reader->number, column + 1, text);
    if (column > LONGEST_SHOWN)
        return;
    g_string_append_printf(reader->errors, "\n%5u | %.*s\n      | ", reader->number, LONGEST_SHOWN, reader->line);
    for (int i = 0; i < column; i++)
        g_string_append_c(reader->errors, reader->line[i] == '\t' ? '\t' : ' ');
    g_string_append_c(reader->errors, '^');
    for (size_t i = 1; i < length && column + i < LONGEST_SHOWN; i++)
        g_string_append_c(reader->errors, '~');
}

/* Names of all sections, or of the keys of one, each once, in table order. */
static GPtrArray *known_names(const MachConfig *config, const char *section)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        if (section && strcmp(setting->section, section) != 0)
            continue;
        const char *name = section ? setting->name : setting->section;
        if (!names->len || strcmp(g_ptr_array_index(names, names->len - 1), name) != 0)
            g_ptr_array_add(names, (char *)name);
    }
    g_ptr_array_add(names, NULL);
    return names;
}

/* ", did you mean "x"?" or "; there are: a, b, c" */
static char *suggestion(const MachConfig *config, const char *section, const char *name)
{
    g_autoptr(GPtrArray) names = known_names(config, section);
    const char *near = mach_nearest(name, (const char *const *)names->pdata);
    if (near)
        return g_strdup_printf(", did you mean \"%s\"?", near);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    return g_strdup_printf("; there are: %s", all);
}

/* A key that stands in the wrong section: the section that has it. */
static const char *section_of(const MachConfig *config, const char *name)
{
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        if (strcmp(setting->name, name) == 0)
            return setting->section;
    }
    return NULL;
}

static void read_section(Reader *reader, const char *text)
{
    const char *end = strchr(text, ']');
    reader->skip = true;
    if (!end || end[1 + strspn(end + 1, " \t\r")] != '\0') {
        complain(reader, end ? end + 1 : text + strlen(text), 1,
                 end ? "nothing may follow the ] of a section" : "the ] of the section is missing");
        return;
    }
    g_autofree char *name = g_strndup(text + 1, (size_t)(end - text - 1));
    for (guint i = 0; i < reader->config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(reader->config->settings, MachSetting, i);
        if (strcmp(setting->section, name) == 0) {
            reader->section = setting->section;
            reader->skip = false;
            return;
        }
    }
    g_autofree char *hint = suggestion(reader->config, NULL, name);
    complain(reader, text + 1, strlen(name), "there is no section [%s]%s", name, hint);
}

static MachSetting *find_key(Reader *reader, const char *at, const char *name)
{
    MachSetting *setting = mach_setting_find(reader->config->settings, reader->section, name);
    if (!setting) {
        const char *elsewhere = section_of(reader->config, name);
        g_autofree char *hint = elsewhere ? g_strdup_printf("; it belongs to [%s]", elsewhere)
                                          : suggestion(reader->config, reader->section, name);
        complain(reader, at, strlen(name), "there is no key \"%s\" in [%s]%s", name, reader->section, hint);
    } else if (setting->line) {
        complain(reader, at, strlen(name), "\"%s\" has a value already, from line %u", name, setting->line);
        setting = NULL;
    }
    return setting;
}

/* The end of a value: a # after a blank begins a comment. */
static const char *value_end(const char *value)
{
    const char *hash = value;
    while ((hash = strchr(hash, '#')) && hash > value && hash[-1] != ' ' && hash[-1] != '\t')
        hash++;
    return hash ? hash : value + strlen(value);
}

static void read_key(Reader *reader, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals) {
        complain(reader, text, strcspn(text, " \t\r"), "this is neither a [section] nor \"key = value\"");
        return;
    }
    if (!reader->section && !reader->skip) {
        complain(reader, text, (size_t)(equals - text), "a [section] must come before the first key");
        return;
    }
    if (reader->skip)
        return;
    g_autofree char *name = g_strchomp(g_strndup(text, (size_t)(equals - text)));
    MachSetting *setting = find_key(reader, text, name);
    if (!setting)
        return;
    const char *start = equals + 1 + strspn(equals + 1, " \t");
    const char *end = value_end(start);
    g_autofree char *value = g_strchomp(g_strndup(start, (size_t)(end - start)));
    g_autoptr(GError) error = NULL;
    size_t where;
    setting->line = reader->number;
    setting->given = true;
    if (!mach_setting_assign(reader->config, setting, value, &where, &error)) {
        complain(reader, start + where, strlen(value) - where, "%s", error->message);
        return;
    }
    if (*end) {
        g_autofree char *behind = g_strstrip(g_strdup(end + 1));
        g_string_append_printf(reader->comment, "%s%s", reader->comment->len ? "\n" : "", behind);
    }
    if (reader->comment->len)
        setting->comment = g_strdup(reader->comment->str);
}

static void read_line(Reader *reader, const char *line)
{
    const char *text = line + strspn(line, " \t\r");
    reader->line = line;
    if (g_str_has_prefix(text, "##")) /* help, as mach_config_print() writes it */
        return;
    if (*text == '#' || *text == ';') {
        g_autofree char *comment = g_strstrip(g_strdup(text + 1));
        g_string_append_printf(reader->comment, "%s%s", reader->comment->len ? "\n" : "", comment);
        return;
    }
    if (*text == '[')
        read_section(reader, text);
    else if (*text)
        read_key(reader, text);
    g_string_truncate(reader->comment, 0);
}

static bool read_text(MachConfig *config, const char *path, const char *text, gsize size, GError **error)
{
    Reader reader = {.config = config, .path = path, .comment = g_string_new(NULL), .errors = g_string_new(NULL)};
    const char *bad;
    bool is_text = g_utf8_validate(text, (gssize)size, &bad);
    if (!is_text) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s: not a machine file: byte %zu is not UTF-8 text", path,
                    (size_t)(bad - text) + 1);
    } else {
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        for (char **line = lines; *line; line++) {
            reader.number++;
            (*line)[strcspn(*line, "\r")] = '\0';
            read_line(&reader, *line);
        }
        if (reader.error_count > MOST_ERRORS)
            g_string_append_printf(reader.errors, "\n%s: and %u more errors", path, reader.error_count - MOST_ERRORS);
        if (reader.error_count)
            g_set_error_literal(error, MACH_ERROR, MACH_ERROR_CONFIG, reader.errors->str);
    }
    g_string_free(reader.comment, TRUE);
    g_string_free(reader.errors, TRUE);
    return is_text && reader.error_count == 0;
}

/* -- finding ------------------------------------------------------------------------------------------------ */

static const char machine_suffix[] = ".machine";

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char **mach_config_list(const char *const *search)
{
    GPtrArray *names = g_ptr_array_new();
    for (; search && *search; search++) {
        g_autoptr(GDir) dir = g_dir_open(*search, 0, NULL);
        const char *file;
        while (dir && (file = g_dir_read_name(dir)))
            if (g_str_has_suffix(file, machine_suffix))
                g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(machine_suffix)));
    }
    if (names->len)
        qsort(names->pdata, names->len, sizeof *names->pdata, compare_names);
    for (guint i = 1; i < names->len;) {
        if (strcmp(g_ptr_array_index(names, i - 1), g_ptr_array_index(names, i)) == 0)
            g_free(g_ptr_array_remove_index(names, i));
        else
            i++;
    }
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

static char *find_machine(const char *name, const char *const *search)
{
    bool is_path = strchr(name, '/') || g_str_has_suffix(name, machine_suffix);
    for (const char *const *dir = search; !is_path && dir && *dir; dir++) {
        g_autofree char *file = g_strconcat(name, machine_suffix, NULL);
        char *path = g_build_filename(*dir, file, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return path;
        g_free(path);
    }
    return g_file_test(name, G_FILE_TEST_EXISTS) ? g_strdup(name) : NULL;
}

static void report_unknown(const char *name, const char *const *search, GError **error)
{
    if (strchr(name, '/') || g_str_has_suffix(name, machine_suffix)) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_UNKNOWN, "there is no machine file %s", name);
        return;
    }
    g_auto(GStrv) names = mach_config_list(search);
    g_autofree char *all = g_strjoinv(", ", names);
    const char *near = mach_nearest(name, (const char *const *)names);
    g_set_error(error, MACH_ERROR, MACH_ERROR_UNKNOWN,
                "there is no machine \"%s\"%s%s%s; there are: %s; or give the path of a machine file", name,
                near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "", all);
}

/* -- configs ------------------------------------------------------------------------------------------------ */

static MachConfig *config_new(void)
{
    MachConfig *config = g_new0(MachConfig, 1);
    net_params_default(&config->net);
    vm_costs_default(&config->costs);
    mpi_params_default(&config->mpi);
    config->mpi.algorithms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    config->settings = mach_settings_new();
    for (guint i = 0; i < config->settings->len; i++) {
        MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        size_t where;
        g_autoptr(GError) error = NULL;
        if (!mach_setting_assign(config, setting, setting->fallback, &where, &error))
            g_error("keys.def: default of %s.%s: %s", setting->section, setting->name, error->message);
    }
    return config;
}

MachConfig *mach_config_load(const char *name, const char *const *search, GError **error)
{
    g_autofree char *path = find_machine(name, search);
    g_autofree char *text = NULL;
    gsize size;
    if (!path) {
        report_unknown(name, search, error);
        return NULL;
    }
    g_autoptr(GError) io = NULL;
    if (g_file_test(path, G_FILE_TEST_EXISTS) &&
        !g_file_test(path, G_FILE_TEST_IS_REGULAR)) { /* /dev/zero never ends */
        g_set_error(error, MACH_ERROR, MACH_ERROR_UNKNOWN, "cannot read the machine file %s: it is no ordinary file",
                    path);
        return NULL;
    }
    if (!g_file_get_contents(path, &text, &size, &io)) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_UNKNOWN, "cannot read the machine file %s: %s", path, io->message);
        return NULL;
    }
    g_autoptr(MachConfig) config = config_new();
    if (!read_text(config, path, text, size, error))
        return NULL;
    config->name = g_path_get_basename(path);
    if (g_str_has_suffix(config->name, machine_suffix))
        config->name[strlen(config->name) - strlen(machine_suffix)] = '\0';
    config->path = g_steal_pointer(&path);
    return g_steal_pointer(&config);
}

/* The setting that "section.key" or "key" names; NULL with an error. */
static MachSetting *find_assigned(MachConfig *config, const char *name, GError **error)
{
    MachSetting *found = NULL;
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
    unsigned n = 0;
    for (guint i = 0; i < config->settings->len; i++) {
        MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        char *full = g_strconcat(setting->section, ".", setting->name, NULL);
        g_ptr_array_add(all, full);
        if (strcmp(full, name) == 0)
            return setting;
        if (strcmp(setting->name, name) == 0) {
            found = setting;
            n++;
        }
    }
    if (n == 1)
        return found;
    g_ptr_array_add(all, NULL);
    const char *near = mach_nearest(name, (const char *const *)all->pdata);
    for (guint i = 0; !strchr(name, '.') && i + 1 < all->len; i++) { /* compare with bare keys too */
        const char *bare = strchr(g_ptr_array_index(all, i), '.') + 1;
        const char *const one[] = {bare, NULL};
        if ((!near || n > 1) && mach_nearest(name, one))
            near = g_ptr_array_index(all, i);
    }
    if (n > 1)
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                    "several sections have a key \"%s\"; write the section before it, like %s", name, near);
    else
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                    "there is no key \"%s\"%s%s%s; `orrery machines --print %s` lists them", name,
                    near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "",
                    config->name ? config->name : "laptop");
    return NULL;
}

bool mach_config_set(MachConfig *config, const char *assignment, GError **error)
{
    const char *equals = strchr(assignment, '=');
    if (!equals) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                    "\"%s\" gives no value; write section.key=value, like \"network.bandwidth=1 Gbit/s\"", assignment);
        return false;
    }
    g_autofree char *name = g_strstrip(g_strndup(assignment, (size_t)(equals - assignment)));
    g_autofree char *value = g_strstrip(g_strdup(equals + 1));
    MachSetting *setting = find_assigned(config, name, error);
    if (!setting)
        return false;
    size_t where;
    if (!mach_setting_assign(config, setting, value, &where, error)) {
        g_prefix_error(error, "%s.%s: ", setting->section, setting->name);
        return false;
    }
    setting->given = true;
    g_free(setting->comment);
    setting->comment = g_strdup("set on the command line");
    return true;
}

const char *mach_config_value(const MachConfig *config, const char *section, const char *key)
{
    const MachSetting *setting = mach_setting_find(config->settings, section, key);
    return setting ? setting->value : "";
}

void mach_config_free(MachConfig *config)
{
    if (!config)
        return;
    g_free(config->name);
    g_free(config->description);
    g_free(config->path);
    g_free(config->mapping);
    g_hash_table_unref(config->mpi.algorithms);
    g_array_unref(config->settings);
    g_free(config);
}
