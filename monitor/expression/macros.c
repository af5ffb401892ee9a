/* macros.c - macros of a program, which debug information does not have: read from its sources, as far as they are
 * still there.
 *
 * A line "#define NAME text" counts, the last one of that name; so do the headers that a source includes by "...". What
 * #if would leave out is not known here. Constants of mpi.h are those of the library. */
#include "monitor/expression/values.h"

#include <string.h>

struct MonMacros {
    GHashTable *texts; /* name -> text */
    GHashTable *seen;  /* paths */
};

enum { MOST_FILES = 200 };

static void read_file(MonMacros *macros, const char *path);

/* Takes "NAME text" behind #define; macros with parameters are left out. */
static void take_define(MonMacros *macros, const char *at)
{
    size_t length = 0;
    while (g_ascii_isalnum(at[length]) || at[length] == '_')
        length++;
    if (length == 0 || at[length] == '(')
        return;
    g_autofree char *text = g_strdup(at + length);
    char *comment = strstr(text, "/*"), *line = strstr(text, "//");
    if (comment)
        *comment = '\0';
    if (line)
        *line = '\0';
    g_strstrip(text);
    if (*text && !g_str_has_suffix(text, "\\"))
        g_hash_table_replace(macros->texts, g_strndup(at, length), g_strdup(text));
}

static void take_include(MonMacros *macros, const char *at, const char *path)
{
    const char *end = *at == '"' ? strchr(at + 1, '"') : NULL;
    if (!end)
        return;
    g_autofree char *name = g_strndup(at + 1, (gsize)(end - at - 1)), *folder = g_path_get_dirname(path);
    g_autofree char *whole = g_path_is_absolute(name) ? g_strdup(name) : g_build_filename(folder, name, NULL);
    read_file(macros, whole);
}

static void take_line(MonMacros *macros, const char *line, const char *path)
{
    line += strspn(line, " \t");
    if (*line != '#')
        return;
    line += 1 + strspn(line + 1, " \t");
    if (g_str_has_prefix(line, "define") && g_ascii_isspace(line[6]))
        take_define(macros, line + 6 + strspn(line + 6, " \t"));
    else if (g_str_has_prefix(line, "include"))
        take_include(macros, line + 7 + strspn(line + 7, " \t"), path);
}

static void read_file(MonMacros *macros, const char *path)
{
    g_autofree char *text = NULL;
    if (g_hash_table_size(macros->seen) >= MOST_FILES || !g_hash_table_add(macros->seen, g_strdup(path)) ||
        !g_file_test(path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents(path, &text, NULL, NULL))
        return;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++)
        take_line(macros, *line, path);
}

const char *mon_macros_find(MonMacros **macros, const VcodeModule *module, const char *name)
{
    if (!*macros) {
        *macros = g_new0(MonMacros, 1);
        (*macros)->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
        (*macros)->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        for (uint32_t i = 0; i < module->files.count; i++)
            read_file(*macros, vcode_source_name(module, i));
    }
    const char *found = g_hash_table_lookup((*macros)->texts, name);
    char *constant = found ? NULL : mpi_handle_constant(name);
    if (constant)
        g_hash_table_replace((*macros)->texts, g_strdup(name), constant);
    return found ? found : constant;
}

void mon_macros_free(MonMacros *macros)
{
    if (!macros)
        return;
    g_hash_table_destroy(macros->texts);
    g_hash_table_destroy(macros->seen);
    g_free(macros);
}
