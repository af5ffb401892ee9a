/* The table of host functions, and that headers, table and runtime agree. */
#include "library_test.h"
#include "threads/threads.h"

/* vm_library() must be sorted, because it is searched by bisection. */
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
    const char *const *threads = threads_functions(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(threads[i], name) == 0)
            return true;
    const VmExtern *externs = vm_library(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(externs[i].name, name) == 0)
            return true;
    return false;
}

/* Returns the text of a file of the C library as simulated programs see it. `own`: without the text of its headers. */
static char *preprocess(const char *path, bool own)
{
    g_autofree char *include = g_build_filename(ORRERY_BINARY_DIR, "share", "orrery", "include", NULL);
    g_autofree char *text = NULL;
    int status = 0;
    char *command[] = {
        "cpp",   "-nostdinc",  "-undef", "-D_GNU_SOURCE", "-D__ORRERY__", "-D__STDC_VERSION__=199901L", "-isystem",
        include, (char *)path, NULL};
    GString *kept = g_string_new(NULL);
    cr_assert(g_spawn_sync(NULL, command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text, NULL, &status, NULL));
    cr_assert_eq(status, 0, "%s", path);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    bool inside = true;
    for (char **line = lines; *line; line++) {
        if (g_str_has_prefix(*line, "# "))
            inside = !own || strstr(*line, path) != NULL;
        else if (inside)
            g_string_append_printf(kept, "%s\n", *line);
    }
    return g_string_free(kept, FALSE);
}

/* Adds the matches of group 1 of a pattern in all files of a folder with an ending. */
static void collect(GHashTable *names, const char *folder, const char *ending, const char *pattern)
{
    g_autofree char *path = g_build_filename(ORRERY_SOURCE_DIR, "clib", folder, NULL);
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
    cr_assert(directory && regex, "%s", path);
    for (const char *name; (name = g_dir_read_name(directory));) {
        static const char *const excepted[] = {"mpif.h", "stdatomic.h", NULL};
        g_autofree char *file = g_build_filename(path, name, NULL);
        if (!g_str_has_suffix(name, ending) || g_strv_contains(excepted, name))
            continue;
        g_autofree char *text = preprocess(file, true);
        g_autoptr(GMatchInfo) match = NULL;
        for (g_regex_match(regex, text, 0, &match); g_match_info_matches(match); g_match_info_next(match, NULL)) {
            g_autofree char *whole = g_match_info_fetch(match, 0);
            if (!g_str_has_prefix(whole, "typedef"))
                g_hash_table_add(names, g_match_info_fetch(match, 1));
        }
    }
}

/* A function that a header declares exists, or a call of it says why it does not: a program that compiles also
 * links. */
Test(library_table, every_declared_function_exists)
{
    static const char declaration[] = "^[A-Za-z_][A-Za-z_0-9 ]*[ \\*]+([A-Za-z_][A-Za-z_0-9]*)\\([^;{]*;";
    static const char definition[] = "([A-Za-z_][A-Za-z_0-9]*)\\)?\\s*\\((?:[^;{}()]|\\([^()]*\\))*\\)\\s*\\{";
    static const char *const folders[] = {"include", "include/sys", "include/netinet", "include/arpa"};
    g_autoptr(GHashTable) declared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) defined = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    collect(defined, "runtime", ".c", definition);
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++)
        collect(declared, folders[i], ".h", declaration);
    cr_assert_gt(g_hash_table_size(declared), 1000, "the pattern no longer finds the declarations");
    GHashTableIter each;
    gpointer name;
    for (g_hash_table_iter_init(&each, declared); g_hash_table_iter_next(&each, &name, NULL);)
        cr_expect(is_host_function(name) || g_hash_table_contains(defined, name) || vm_refused_why(name),
                  "declared, but provided by nobody: %s", (const char *)name);
}

/* A function is either provided or refused. */
Test(library_table, what_is_refused_is_not_there)
{
    size_t n;
    const char *const *refused = vm_refused_names(&n);
    cr_assert_gt(n, 100);
    for (size_t i = 0; i < n; i++) {
        cr_expect_not(is_host_function(refused[i]), "%s", refused[i]);
        cr_expect_not_null(vm_refused_why(refused[i]), "%s", refused[i]);
        cr_expect(i == 0 || strcmp(refused[i - 1], refused[i]) < 0, "%s is not in its place", refused[i]);
    }
}
