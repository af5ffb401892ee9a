/* flags.c - the flags that a file is compiled with.
 *
 * They come from the client's initializationOptions, or from the nearest compile_flags.txt or compile_commands.json
 * above the file (for the latter also in a folder build). Flags that do not matter for understanding a file are
 * ignored.
 */
#include "lsp/core/core.h"

#include <string.h>

static void set_standard(CcOptions *options, const char *name)
{
    options->strict = name[0] == 'c' || g_str_has_prefix(name, "iso");
    options->c_standard = strstr(name, "89") || strstr(name, "90") || strstr(name, "199409") ? 1989
                          : strstr(name, "99") || strstr(name, "9x")                         ? 1999
                          : strstr(name, "11") || strstr(name, "1x")                         ? 2011
                                                                                             : 2017;
}

/* Adds a flag of the preprocessor. A relative folder is one below `base`. */
static void add_cpp(LspFlags *flags, const char *flag, const char *value, const char *base)
{
    bool folder = strcmp(flag, "-D") != 0 && strcmp(flag, "-U") != 0;
    g_ptr_array_add(flags->cpp, g_strdup(flag));
    g_ptr_array_add(flags->cpp,
                    folder && !g_path_is_absolute(value) ? g_build_filename(base, value, NULL) : g_strdup(value));
}

static void take_flags(LspFlags *flags, char **given, const char *base)
{
    static const char *const cpp[] = {"-include", "-isystem", "-iquote", "-idirafter", "-I", "-D", "-U"};
    CcOptions *options = &flags->options;
    for (char **flag = given; flag && *flag; flag++) {
        bool taken = false;
        for (size_t i = 0; i < G_N_ELEMENTS(cpp) && !taken; i++) {
            size_t n = strlen(cpp[i]);
            if (!g_str_has_prefix(*flag, cpp[i]))
                continue;
            taken = true;
            if ((*flag)[n])
                add_cpp(flags, cpp[i], *flag + n, base);
            else if (flag[1])
                add_cpp(flags, cpp[i], *++flag, base);
        }
        char *complaint = NULL;
        if (taken)
            continue;
        if (g_str_has_prefix(*flag, "-std="))
            set_standard(options, *flag + strlen("-std="));
        else if (strcmp(*flag, "-fopenmp") == 0)
            options->openmp = true;
        else if (strcmp(*flag, "-funsigned-char") == 0)
            options->unsigned_char = true;
        else
            (void)cc_warning_option(options, *flag, &complaint);
        g_free(complaint);
    }
}

/* Reads compile_commands.json in a folder. Returns whether it speaks of the file. */
static bool take_commands(LspFlags *flags, const char *folder, const char *path)
{
    g_autofree char *name = g_build_filename(folder, "compile_commands.json", NULL);
    json_t *commands = json_load_file(name, 0, NULL);
    bool found = false;
    for (size_t i = 0; i < json_array_size(commands) && !found; i++) {
        const json_t *row = json_array_get(commands, i), *list = json_object_get(row, "arguments");
        const char *file = json_string_value(json_object_get(row, "file"));
        const char *base = json_string_value(json_object_get(row, "directory"));
        const char *command = json_string_value(json_object_get(row, "command"));
        g_autofree char *full = file ? g_canonicalize_filename(file, base ? base : folder) : NULL;
        g_auto(GStrv) words = NULL;
        if (!full || strcmp(full, path) != 0)
            continue;
        found = true;
        if (command)
            g_shell_parse_argv(command, NULL, &words, NULL);
        else {
            words = g_new0(char *, json_array_size(list) + 1);
            for (size_t k = 0, n = 0; k < json_array_size(list); k++)
                if (json_is_string(json_array_get(list, k)))
                    words[n++] = g_strdup(json_string_value(json_array_get(list, k)));
        }
        take_flags(flags, words, base ? base : folder);
    }
    json_decref(commands);
    return found;
}

static bool take_flags_file(LspFlags *flags, const char *folder)
{
    g_autofree char *name = g_build_filename(folder, "compile_flags.txt", NULL), *text = NULL;
    if (!g_file_get_contents(name, &text, NULL, NULL))
        return false;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++)
        g_strstrip(*line);
    take_flags(flags, lines, folder);
    return true;
}

LspFlags *lsp_flags_of(const LspServer *server, const char *path)
{
    LspFlags *flags = g_new0(LspFlags, 1);
    flags->cpp = g_ptr_array_new_with_free_func(g_free);
    cc_options_default(&flags->options);
    flags->options.include_dir = server->include_dir;
    flags->options.warn_all = flags->options.warn_mpi = true;
    flags->options.limit_errors = true; /* to no number */
    bool found = false;
    g_autofree char *folder = g_path_get_dirname(path);
    add_cpp(flags, "-iquote", folder, folder);
    if (server->flags) {
        take_flags(flags, server->flags, server->root ? server->root : folder);
        found = true;
    }
    while (!found && g_path_is_absolute(folder)) {
        g_autofree char *build = g_build_filename(folder, "build", NULL);
        found =
            take_commands(flags, folder, path) || take_commands(flags, build, path) || take_flags_file(flags, folder);
        char *above = g_path_get_dirname(folder);
        bool top = strcmp(above, folder) == 0;
        g_free(folder);
        folder = above;
        if (top)
            break;
    }
    if (!found)
        flags->options.openmp = true;
    g_ptr_array_add(flags->cpp, NULL);
    flags->options.cpp_flags = (const char *const *)flags->cpp->pdata;
    return flags;
}

void lsp_flags_free(LspFlags *flags)
{
    if (!flags)
        return;
    g_ptr_array_free(flags->cpp, TRUE);
    g_free(flags);
}
