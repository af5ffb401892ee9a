/* config.c - reads machine files: GLib key files (INI), every error with line and column.
 *
 *     # 10BASE5, IEEE 802.3 clause 8                  a comment above a key, or behind its value after a blank,
 *     [network]                                       says where the number comes from
 *     bandwidth = 10 Mbit/s
 *
 * GLib's own reader does not keep positions, so the lines are parsed here. All mistakes of a file are reported
 * together. Each has the form file:line:column: error: ..., with the line, a caret, and the nearest right name.
 */
#include "machine/config/config.h"
#include "base/nearest.h"

#include <string.h>

typedef struct Reader {
    MachConfig *config;
    const char *path;
    const char *line; /* the current line, without its end */
    unsigned number;
    const char *section; /* NULL before the first section */
    MachNodeType *type;  /* set inside [node-type ...], else NULL */
    bool skip;           /* the section is unknown: its keys are skipped */
    GHashTable *seen;    /* keys of [library] and [node-type ...] that already have values: name -> line */
    GString *comment;    /* text of the comment lines above the current one */
    GString *errors;
    unsigned error_count;
} Reader;

enum { MOST_ERRORS = 20, LONGEST_SHOWN = 160 };
static const char library_section[] = "library", type_section[] = "node-type";

/* Notes an error at `at`, which points into the current line. */
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
    if (column > LONGEST_SHOWN || !*reader->line)
        return;
    g_string_append_printf(reader->errors, "\n%5u | %.*s\n      | ", reader->number, LONGEST_SHOWN, reader->line);
    for (int i = 0; i < column; i++)
        g_string_append_c(reader->errors, reader->line[i] == '\t' ? '\t' : ' ');
    g_string_append_c(reader->errors, '^');
    for (size_t i = 1; i < length && column + i < LONGEST_SHOWN; i++)
        g_string_append_c(reader->errors, '~');
}

/* Returns the names of all sections (`section` is NULL), or of the keys of one. Each comes once, in table order. */
static GPtrArray *known_names(const MachConfig *config, const char *section)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        if (section && g_strcmp0(setting->section, section) != 0)
            continue;
        const char *name = section ? setting->name : setting->section;
        g_assert(name);
        if (!names->len || strcmp(g_ptr_array_index(names, names->len - 1), name) != 0)
            g_ptr_array_add(names, (char *)name);
    }
    if (!section) {
        g_ptr_array_add(names, (char *)library_section);
        g_ptr_array_add(names, (char *)type_section);
    }
    g_ptr_array_add(names, NULL);
    return names;
}

/* Returns ", did you mean "x"?" or "; there are: a, b, c". */
static char *suggestion(const MachConfig *config, const char *section, const char *name)
{
    g_autoptr(GPtrArray) names = known_names(config, section);
    const char *near = base_nearest(name, (const char *const *)names->pdata);
    if (near)
        return g_strdup_printf(", did you mean \"%s\"?", near);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    return g_strdup_printf("; there are: %s", all);
}

/* Returns the section that a key belongs to, for a key in the wrong section; NULL if there is none. */
static const char *section_of(const MachConfig *config, const char *name)
{
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        if (strcmp(setting->name, name) == 0)
            return setting->section;
    }
    return mach_library_function(name) ? library_section : NULL;
}

/* Reads the head of a section [node-type NAME]. NAME consists of letters, digits, - and _. */
static void read_type_section(Reader *reader, const char *at, const char *name)
{
    static const char letters[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_";
    MachNodeType *before = mach_node_type_find(reader->config, name);
    if (!*name || name[strspn(name, letters)] || *name == '-') {
        complain(reader, at, strlen(name), "a type of nodes has a name of letters, digits, - and _, like [%s fast]",
                 type_section);
    } else if (before) {
        complain(reader, at, strlen(name), "there is a [%s %s] already, from line %u", type_section, name,
                 before->line);
    } else {
        reader->section = type_section;
        reader->type = mach_node_type_new(name, reader->number);
        reader->skip = false;
        g_ptr_array_add(reader->config->node_types, reader->type);
    }
}

static void read_section(Reader *reader, const char *text)
{
    const char *end = strchr(text, ']');
    reader->skip = true;
    reader->type = NULL;
    if (!end || end[1 + strspn(end + 1, " \t\r")] != '\0') {
        complain(reader, end ? end + 1 : text + strlen(text), 1,
                 end ? "nothing may follow the ] of a section" : "the ] of the section is missing");
        return;
    }
    g_autofree char *name = g_strndup(text + 1, (size_t)(end - text - 1));
    size_t prefix = strlen(type_section);
    if (g_str_has_prefix(name, type_section) && strchr(" \t", name[prefix])) {
        prefix += strspn(name + prefix, " \t");
        read_type_section(reader, text + 1 + prefix, name + prefix);
        return;
    }
    if (strcmp(name, library_section) == 0) {
        reader->section = library_section;
        reader->skip = false;
        return;
    }
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

/* Returns the end of a value. A # after a blank begins a comment. */
static const char *value_end(const char *value)
{
    const char *hash = value;
    while ((hash = strchr(hash, '#')) && hash > value && hash[-1] != ' ' && hash[-1] != '\t')
        hash++;
    return hash ? hash : value + strlen(value);
}

/* The give_...() functions give a key its value. They return the address where its comment is to be stored, or NULL
 * after an error. `at` points to the name in the line, `start` to the value. */

static char **give_setting(Reader *reader, const char *at, const char *name, const char *start, const char *value)
{
    MachSetting *setting = find_key(reader, at, name);
    g_autoptr(GError) error = NULL;
    size_t where;
    if (!setting)
        return NULL;
    setting->line = reader->number;
    setting->given = true;
    if (mach_setting_assign(reader->config, setting, value, &where, &error)) {
        if (mach_setting_shape_agrees(reader->config, setting, &error))
            return &setting->comment;
        where = 0;
    }
    complain(reader, start + where, strlen(value) - where, "%s", error->message);
    return NULL;
}

/* Returns whether a key of the section has no value yet, and notes that it has one now. Else it is an error. */
static bool first_time(Reader *reader, const char *at, const char *name)
{
    char *full = g_strdup_printf("%s %s.%s", reader->section, reader->type ? reader->type->name : "", name);
    unsigned line = GPOINTER_TO_UINT(g_hash_table_lookup(reader->seen, full));
    if (line) {
        complain(reader, at, strlen(name), "\"%s\" has a value already, from line %u", name, line);
        g_free(full);
        return false;
    }
    g_hash_table_insert(reader->seen, full, GUINT_TO_POINTER(reader->number));
    return true;
}

static char **give_cost(Reader *reader, const char *at, const char *name, const char *start, const char *value)
{
    g_autoptr(GError) error = NULL;
    size_t where;
    if (!mach_library_function(name)) {
        const char *elsewhere = section_of(reader->config, name);
        g_autofree char *hint =
            elsewhere ? g_strdup_printf("; it is a key of [%s]", elsewhere) : mach_library_suggestion(name);
        complain(reader, at, strlen(name), "the library has no function \"%s\"%s", name, hint);
        return NULL;
    }
    if (!first_time(reader, at, name))
        return NULL;
    if (mach_library_cost_assign(reader->config->library, name, value, &where, &error))
        return &mach_library_cost_find(reader->config->library, name)->comment;
    complain(reader, start + where, strlen(value) - where, "%s", error->message);
    return NULL;
}

static char **give_type(Reader *reader, const char *at, const char *name, const char *start, const char *value)
{
    g_autoptr(GError) error = NULL;
    char **comment = NULL;
    size_t where;
    if (!first_time(reader, at, name))
        return NULL;
    if (mach_node_type_assign(reader->config, reader->type, name, value, &where, &comment, &error)) {
        if (strcmp(name, "nodes") == 0) {
            reader->type->nodes_line = reader->number;
            reader->type->nodes_column = (unsigned)(start - reader->line) + 1;
        }
        return comment;
    }
    if (where == MACH_NOT_IN_VALUE)
        complain(reader, at, strlen(name), "%s", error->message);
    else
        complain(reader, start + where, strlen(value) - where, "%s", error->message);
    return NULL;
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
    const char *start = equals + 1 + strspn(equals + 1, " \t");
    const char *end = value_end(start);
    g_autofree char *value = g_strchomp(g_strndup(start, (size_t)(end - start)));
    char **comment = reader->section == library_section ? give_cost(reader, text, name, start, value)
                     : reader->type                     ? give_type(reader, text, name, start, value)
                                                        : give_setting(reader, text, name, start, value);
    if (!comment)
        return;
    if (*end) {
        g_autofree char *behind = g_strstrip(g_strdup(end + 1));
        g_string_append_printf(reader->comment, "%s%s", reader->comment->len ? "\n" : "", behind);
    }
    if (reader->comment->len)
        *comment = g_strdup(reader->comment->str);
}

static void read_line(Reader *reader, const char *line)
{
    const char *text = line + strspn(line, " \t\r");
    reader->line = line;
    if (g_str_has_prefix(text, "##")) /* help that mach_config_print() wrote */
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

/* Checks that each type of nodes says which nodes it has. */
static void check_types(Reader *reader)
{
    for (guint i = 0; i < reader->config->node_types->len; i++) {
        const MachNodeType *type = g_ptr_array_index(reader->config->node_types, i);
        g_autofree char *key = g_strdup_printf("%s %s.nodes", type_section, type->name);
        if (g_hash_table_contains(reader->seen, key))
            continue;
        reader->number = type->line;
        reader->line = "";
        complain(reader, reader->line, 1, "[%s %s] does not say which nodes these are: nodes = 0-3, 12 is missing",
                 type_section, type->name);
    }
}

static bool read_text(MachConfig *config, const char *path, const char *text, gsize size, GError **error)
{
    Reader reader = {.config = config,
                     .path = path,
                     .comment = g_string_new(NULL),
                     .errors = g_string_new(NULL),
                     .seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
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
        check_types(&reader);
        if (reader.error_count > MOST_ERRORS)
            g_string_append_printf(reader.errors, "\n%s: and %u more errors", path, reader.error_count - MOST_ERRORS);
        if (reader.error_count)
            g_set_error_literal(error, MACH_ERROR, MACH_ERROR_CONFIG, reader.errors->str);
    }
    g_string_free(reader.comment, TRUE);
    g_string_free(reader.errors, TRUE);
    g_hash_table_unref(reader.seen);
    return is_text && reader.error_count == 0;
}

/* -- finding ----------------------------------------------------------------------------------- */

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
    const char *near = base_nearest(name, (const char *const *)names);
    g_set_error(error, MACH_ERROR, MACH_ERROR_UNKNOWN,
                "there is no machine \"%s\"; %s%s%s: %s; or give the path of a machine file", name,
                near ? "did you mean \"" : "", near ? near : "", near ? "\"? There are" : "there are", all);
}

/* -- configs ----------------------------------------------------------------------------------- */

/* Returns a config with all defaults, which come from the rows of keys.def. */
static MachConfig *config_new(void)
{
    MachConfig *config = g_new0(MachConfig, 1);
    config->mpi.algorithms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    config->library = mach_library_costs_new();
    config->node_types = g_ptr_array_new_with_free_func(mach_node_type_free);
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

/* Makes the path of a file that a machine file names relative to the machine file. */
static void locate_file(const char **name, const char *machine)
{
    if (!*name || !**name || g_path_is_absolute(*name))
        return;
    g_autofree char *folder = g_path_get_dirname(machine);
    char *path = g_build_filename(folder, *name, NULL);
    g_free((char *)*name);
    *name = path;
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
        !g_file_test(path, G_FILE_TEST_IS_REGULAR)) { /* a device such as /dev/zero never ends */
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
    locate_file(&config->net.file, path);
    locate_file(&config->net.table, path);
    config->path = g_steal_pointer(&path);
    return g_steal_pointer(&config);
}

/* Returns the setting that "section.key" or "key" names, or NULL with an error. */
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
    const char *near = base_nearest(name, (const char *const *)all->pdata);
    for (guint i = 0; !strchr(name, '.') && i + 1 < all->len; i++) { /* compare with keys without their sections, too */
        const char *bare = strchr(g_ptr_array_index(all, i), '.') + 1;
        const char *const one[] = {bare, NULL};
        if ((!near || n > 1) && base_nearest(name, one))
            near = g_ptr_array_index(all, i);
    }
    if (n > 1)
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                    "%s: several sections have this key; write the section before it, like %s", name, near);
    else
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                    "%s: there is no such key; %s%s%s`orrery machines --print %s` lists them", name,
                    near ? "did you mean \"" : "", near ? near : "", near ? "\"? " : "",
                    config->name ? config->name : "laptop");
    return NULL;
}

/* The set_...() functions set one key. They return the address where its comment is to be stored, or NULL with an
 * error. */

static char **set_cost(MachConfig *config, const char *name, const char *value, GError **error)
{
    size_t where;
    if (!mach_library_function(name)) {
        g_autofree char *hint = mach_library_suggestion(name);
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "the library has no function \"%s\"%s", name, hint);
        return NULL;
    }
    if (mach_library_cost_assign(config->library, name, value, &where, error))
        return &mach_library_cost_find(config->library, name)->comment;
    g_prefix_error(error, "%s.%s: ", library_section, name);
    return NULL;
}

/* Sets a key of a node type. `name` is "TYPE.key" or "TYPE.section.key". */
static char **set_type(MachConfig *config, const char *name, const char *value, GError **error)
{
    g_autofree char *type_name = g_strndup(name, strcspn(name, "."));
    MachNodeType *type = mach_node_type_find(config, type_name);
    char **comment = NULL;
    size_t where;
    if (!type || !strchr(name, '.')) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                    type ? "write %s.%s.key=value" : "the machine has no [%s %s]; only a machine file can make one",
                    type_section, type_name);
        return NULL;
    }
    if (!mach_node_type_assign(config, type, strchr(name, '.') + 1, value, &where, &comment, error)) {
        g_prefix_error(error, "%s.%s: ", type_section, name);
        return NULL;
    }
    if (comment == &type->nodes_comment)
        type->nodes_line = 0;
    return comment;
}

static char **set_value(MachConfig *config, const char *name, const char *value, GError **error)
{
    if (g_str_has_prefix(name, library_section) && name[strlen(library_section)] == '.')
        return set_cost(config, name + strlen(library_section) + 1, value, error);
    if (g_str_has_prefix(name, type_section) && name[strlen(type_section)] == '.')
        return set_type(config, name + strlen(type_section) + 1, value, error);
    MachSetting *setting = find_assigned(config, name, error);
    size_t where;
    if (!setting)
        return NULL;
    if (!mach_setting_assign(config, setting, value, &where, error)) {
        g_prefix_error(error, "%s.%s: ", setting->section, setting->name);
        return NULL;
    }
    setting->given = setting->commanded = true;
    mach_setting_shape_override(config, setting);
    return &setting->comment;
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
    char **comment = set_value(config, name, value, error);
    if (!comment)
        return false;
    g_free(*comment);
    *comment = g_strdup("set on the command line");
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
    g_free(config->mapping_traffic);
    g_free(config->kills);
    g_free(config->priorities);
    g_free((char *)config->net.file);
    g_free((char *)config->net.table);
    g_free((char *)config->net.faults.links);
    g_free((char *)config->net.faults.routers);
    g_hash_table_unref(config->mpi.algorithms);
    g_array_unref(config->settings);
    g_array_unref(config->library);
    g_ptr_array_unref(config->node_types);
    g_free(config);
}
