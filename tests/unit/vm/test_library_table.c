/* The table of host functions, and that headers, table and runtime fit together. */
#include "library_test.h"

/* vm_library() is searched by bisection. */
Test(library_table, sorted_by_name)
{
    size_t count;
    const VmExtern *externs = vm_library(&count);
    for (size_t i = 1; i < count; i++)
        cr_assert_lt(strcmp(externs[i - 1].name, externs[i].name), 0, "%s before %s", externs[i - 1].name,
                     externs[i].name);
}

static bool is_host_function(const char *name)
{
    size_t count;
    const VmExtern *externs = vm_library(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(externs[i].name, name) == 0)
            return true;
    return false;
}

/* All text of the files with this ending in a folder. */
static char *read_folder(const char *folder, const char *ending)
{
    g_autofree char *path = g_build_filename(ORRERY_SOURCE_DIR, "compiler", folder, NULL);
    GDir *directory = g_dir_open(path, 0, NULL);
    cr_assert(directory, "%s", path);
    GString *all = g_string_new(NULL);
    for (const char *name; (name = g_dir_read_name(directory));) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        g_autofree char *text = NULL;
        if (g_str_has_suffix(name, ending) && strcmp(name, "mpi.h") != 0 &&
            g_file_get_contents(file, &text, NULL, NULL))
            g_string_append(all, text);
    }
    g_dir_close(directory);
    return g_string_free(all, FALSE);
}

/* Whether the runtime has a line that defines `name` at file scope: "type name(...)" without a semicolon. */
static bool is_runtime_function(const char *runtime, const char *name)
{
    g_autofree char *pattern = g_strdup_printf("^[A-Za-z_][A-Za-z_0-9 \\*]*[ \\*\\(]%s\\)?\\([^;]*$", name);
    return g_regex_match_simple(pattern, runtime, G_REGEX_MULTILINE, 0);
}

/* FLOAT_AND_LONG(csin) in complex.c defines csinf and csinl. */
static bool is_made_by_macro(const char *runtime, const char *name)
{
    g_autofree char *base = g_strndup(name, strlen(name) - 1);
    g_autofree char *use = g_strdup_printf("FLOAT_AND_LONG(%s)", base);
    return (g_str_has_suffix(name, "f") || g_str_has_suffix(name, "l")) && strstr(runtime, use);
}

/* What a header declares exists: a program that compiles also links. */
static void check_header_text(const char *text, const char *runtime, unsigned *seen)
{
    g_autoptr(GRegex) declaration =
        g_regex_new("^[A-Za-z_][A-Za-z_0-9 ]*[ \\*]+([A-Za-z_][A-Za-z_0-9]*)\\(", G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    for (g_regex_match(declaration, text, 0, &match); g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *line = g_match_info_fetch(match, 0);
        g_autofree char *name = g_match_info_fetch(match, 1);
        if (g_str_has_prefix(line, "typedef"))
            continue;
        cr_expect(is_host_function(name) || is_runtime_function(runtime, name) || is_made_by_macro(runtime, name),
                  "declared, but provided by nobody: %s", name);
        ++*seen;
    }
}

Test(library_table, every_declared_function_exists)
{
    g_autofree char *headers = read_folder("include", ".h");
    g_autofree char *system = read_folder("include/sys", ".h");
    g_autofree char *runtime = read_folder("runtime", ".c");
    unsigned seen = 0;
    check_header_text(headers, runtime, &seen);
    check_header_text(system, runtime, &seen);
    cr_assert_gt(seen, 500, "the pattern no longer finds the declarations");
}
