/* messages.c - turns what cpp writes to its standard error into diagnostics like ours.
 *
 *     In file included from b.h:1,
 *                      from a.c:2:
 *     file:line:column: warning: text [-Wcpp]   or without column, or without place
 *     cpp: fatal error: text
 */
#include "compiler/preprocess/messages.h"

#include "base/nearest.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INCLUDES = 8 }; /* lines of an inclusion chain that are printed */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Reads the severity that *text starts with, like " warning: ", and moves *text behind it. Returns false if there is
 * none. */
static bool read_severity(const char **text, CcSeverity *severity)
{
    static const struct {
        const char *word;
        CcSeverity severity;
    } words[] = {{" warning: ", CC_WARNING},
                 {" error: ", CC_SEVERITY_ERROR},
                 {" fatal error: ", CC_FATAL},
                 {" note: ", CC_NOTE}};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (g_str_has_prefix(*text, words[i].word)) {
            *text += strlen(words[i].word);
            *severity = words[i].severity;
            return true;
        }
    return false;
}

/* Splits "file:12:3" into the line 12 and the column 3, and cuts `place` behind "file". A missing number becomes 0. */
static void split_place(char *place, unsigned *line, unsigned *column)
{
    unsigned numbers[2] = {0, 0}, n = 0;
    for (char *colon; n < 2 && (colon = strrchr(place, ':')); n++) {
        char *end;
        unsigned long number = strtoul(colon + 1, &end, 10);
        if (end == colon + 1 || *end)
            break;
        numbers[n] = (unsigned)number;
        *colon = '\0';
    }
    *line = n == 2 ? numbers[1] : numbers[0];
    *column = n == 2 ? numbers[0] : 0;
}

/* Cuts the option off the end of "text [-Wname]" or "text [-Werror=name]" if it is one of ours, and returns it. Returns
 * NULL otherwise. */
static const char *take_option(char *text)
{
    size_t length = strlen(text);
    char *open = strrchr(text, '[');
    if (!open || length < 5 || text[length - 1] != ']' || !g_str_has_prefix(open, "[-W") || open == text)
        return NULL;
    bool error = g_str_has_prefix(open, "[-Werror=");
    g_autofree char *name = g_strndup(open + strlen(error ? "[-Werror=" : "[-W"), strlen(open));
    name[strlen(name) - 1] = '\0';
    g_autofree char *option = g_strconcat("-W", name, NULL);
    CcWarningId warning = cc_warning_find(option);
    if (warning == CC_WARNING_COUNT)
        return NULL;
    open[-1] = '\0';
    return cc_warning_describe(warning, NULL, NULL);
}

static CcSeverity judge(const CcOptions *options, CcSeverity severity, const char *option)
{
    CcWarningId warning = option ? cc_warning_find(option) : CC_WARNING_COUNT;
    bool error = warning < CC_WARNING_COUNT ? cc_warning_is_error(options, warning) : options->warnings_are_errors;
    return severity == CC_WARNING && error ? CC_SEVERITY_ERROR : severity;
}

/* -- what was meant ---------------------------------------------------------------------------- */

/* Returns a hint for a missing header: the C header in place of one of C++, or the header with the nearest name. NULL:
 * none. The caller frees it with g_free(). */
static char *header_hint(const char *name, const char *include_dir)
{
    static const struct {
        const char *name, *hint;
    } foreign[] = {{"iostream", "this is C++; C has <stdio.h>"},   {"fstream", "this is C++; C has <stdio.h>"},
                   {"sstream", "this is C++; C has <stdio.h>"},    {"string", "this is C++; C has <string.h>"},
                   {"vector", "this is C++; C has arrays"},        {"algorithm", "this is C++; C has <stdlib.h>"},
                   {"conio.h", "this is of DOS; C has <stdio.h>"}, {"windows.h", "this is of Windows"}};
    for (size_t i = 0; i < G_N_ELEMENTS(foreign); i++)
        if (strcmp(foreign[i].name, name) == 0)
            return g_strdup_printf("; %s", foreign[i].hint);
    if (name[0] == 'c' && name[1] && !strchr(name, '.')) { /* like cstdio */
        g_autofree char *c_name = g_strconcat(name + 1, ".h", NULL);
        g_autofree char *path = g_build_filename(include_dir ? include_dir : "", c_name, NULL);
        if (g_file_test(path, G_FILE_TEST_EXISTS))
            return g_strdup_printf("; this is C++; C has <%s>", c_name);
    }
    BaseNearest nearest = base_nearest_of(name);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    GDir *dir = include_dir ? g_dir_open(include_dir, 0, NULL) : NULL;
    for (const char *entry; dir && (entry = g_dir_read_name(dir));)
        g_ptr_array_add(names, g_strdup(entry));
    g_ptr_array_sort(names, compare_names);
    for (guint i = 0; i < names->len; i++)
        base_nearest_try(&nearest, g_ptr_array_index(names, i));
    char *hint = nearest.best ? g_strdup_printf("; did you mean <%s>?", nearest.best) : NULL;
    if (dir)
        g_dir_close(dir);
    g_ptr_array_free(names, TRUE);
    return hint;
}

static char *directive_hint(const char *name)
{
    static const char *const names[] = {"include", "define", "undef", "ifdef",  "ifndef", "if",
                                        "else",    "elif",   "endif", "pragma", "error",  "warning"};
    BaseNearest nearest = base_nearest_of(name);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        base_nearest_try(&nearest, names[i]);
    return nearest.best ? g_strdup_printf("; did you mean #%s?", nearest.best)
                        : g_strdup("; a comment begins with // or /*");
}

/* Returns the text with a hint to what was most likely meant. The caller frees it with g_free(). */
static char *with_hint(const char *text, const CcOptions *options)
{
    static const char missing[] = ": No such file or directory", directive[] = "invalid preprocessing directive #";
    g_autofree char *hint = NULL;
    if (g_str_has_suffix(text, missing)) {
        g_autofree char *name = g_strndup(text, strlen(text) - strlen(missing));
        hint = header_hint(name, options->include_dir);
    } else if (g_str_has_prefix(text, directive)) {
        hint = directive_hint(text + strlen(directive));
    } else if (g_str_has_prefix(text, "#include expects")) {
        hint = g_strdup(", as in #include <stdio.h>");
    } else if (g_str_has_prefix(text, "extra tokens at end of #include")) {
        hint = g_strdup("; nothing stands behind the header, no ';' either");
    }
    return g_strconcat(text, hint, NULL);
}

/* Adds the line to the diagnostics if it is a message. Returns whether it is one. */
static bool read_message(const char *line, const CcOptions *options, CcDiagnostics *diagnostics)
{
    for (const char *colon = strchr(line, ':'); colon; colon = strchr(colon + 1, ':')) {
        const char *at = colon + 1;
        CcSeverity severity;
        if (!read_severity(&at, &severity))
            continue;
        if (g_str_has_prefix(at, "missing terminating") || strstr(at, "undefining \"__has_builtin\""))
            return true; /* the first: our scanner reports it better; the second: our own flag causes it */
        g_autofree char *file = g_strndup(line, (gsize)(colon - line));
        g_autofree char *text = g_strdup(at);
        const char *option = take_option(text);
        g_autofree char *told = with_hint(text, options);
        unsigned row, column;
        split_place(file, &row, &column);
        bool nowhere = strcmp(file, "cpp") == 0 || strcmp(file, "cc1") == 0 || strcmp(file, "<command-line>") == 0 ||
                       strcmp(file, "<built-in>") == 0;
        CcDiagnostic diagnostic = {.severity = judge(options, severity, option),
                                   .file = nowhere ? NULL : file,
                                   .line = nowhere ? 0 : row,
                                   .column = column,
                                   .length = 1,
                                   .option = option,
                                   .text = told};
        cc_diagnostics_add(diagnostics, &diagnostic, NULL, 0);
        return true;
    }
    return false;
}

static bool is_include(const char *line)
{
    return g_str_has_prefix(line, "In file included from ") || g_str_has_prefix(line, "                 from ");
}

static bool is_context(const char *line)
{
    return g_str_has_prefix(line, "      ") || g_str_has_prefix(line, "compilation terminated") || *line == '\0';
}

char *cc_preprocess_messages(const char *text, bool cut, const CcOptions *options, CcDiagnostics *diagnostics)
{
    GString *rest = g_string_new(NULL), *chain = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    unsigned depth = 0;
    for (char **line = lines; *line && !(cut && !line[1]); line++) { /* a cut text may end within a line */
        if (is_include(*line)) {
            if (++depth <= MOST_INCLUDES)
                g_string_append_printf(chain, "%s\n", *line);
            continue;
        }
        if (depth > MOST_INCLUDES)
            g_string_append_printf(chain, "                 ... and %u more\n", depth - MOST_INCLUDES);
        depth = 0;
        if (is_context(*line))
            continue;
        if (chain->len) {
            g_autofree char *file = g_strndup(*line, strcspn(*line, ":"));
            cc_diagnostics_included(diagnostics, file, chain->str);
            g_string_truncate(chain, 0);
        }
        if (!read_message(*line, options, diagnostics))
            g_string_append_printf(rest, "%s\n", *line);
    }
    g_string_free(chain, TRUE);
    return g_string_free(rest, FALSE);
}
