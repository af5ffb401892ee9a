/* explain_mpi.c - `orrery mpi --explain NAME`: the prototype of a function as mpi.h has it, what it does, and what its
 * parameters mean. mpi.h has each prototype on a line of its own.
 */
#include "cli/commands/explain_mpi.h"
#include "base/nearest.h"
#include "cli/base/base.h"
#include "lsp/lsp.h"
#include "mpi/mpi_world.h"

#include <string.h>

/* Returns the line of mpi.h that declares a function, without the semicolon, or NULL. */
static char *prototype_of(const char *header, const char *name)
{
    g_autofree char *pattern = g_strdup_printf("(?m)^[A-Za-z_][\\w *]*[ *]%s\\(.*\\)(?=;$)", name);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, header, 0, &match);
    return g_match_info_matches(match) ? g_match_info_fetch(match, 0) : NULL;
}

/* Returns the name as the standard writes it: case does not matter, and MPI_ may be left out. NULL if there is none. */
static const char *standard_name(const char *wanted)
{
    size_t n;
    const MpiFunctionInfo *rows = mpi_functions(&n);
    for (size_t i = 0; i < n; i++)
        if (g_ascii_strcasecmp(rows[i].name, wanted) == 0 ||
            g_ascii_strcasecmp(strchr(rows[i].name, '_') + 1, wanted) == 0)
            return rows[i].name;
    return NULL;
}

static bool nothing_found(const char *wanted, GError **error)
{
    size_t n;
    const MpiFunctionInfo *rows = mpi_functions(&n);
    g_autofree char *whole =
        g_ascii_strncasecmp(wanted, "MPI", 3) ? g_strconcat("MPI_", wanted, NULL) : g_strdup(wanted);
    BaseNearest near = base_nearest_of(whole);
    for (size_t i = 0; i < n; i++)
        base_nearest_try(&near, rows[i].name);
    return cli_error_usage(error, "--explain: %s is no function of MPI that Orrery provides%s%s%s", wanted,
                           near.best ? "; do you mean " : "", near.best ? near.best : "", near.best ? "?" : "");
}

/* Appends words, lines of 100 characters at most; those behind the first begin `indent` blanks further right. */
static void append_filled(GString *out, const char *text, size_t indent)
{
    enum { WIDTH = 100 };
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    size_t column = indent;
    for (char **word = words; *word; word++) {
        if (word != words && column + 1 + strlen(*word) > WIDTH) {
            g_string_append_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (word != words) {
            g_string_append_c(out, ' ');
            column++;
        }
        g_string_append(out, *word);
        column += strlen(*word);
    }
    g_string_append_c(out, '\n');
}

static void append_parameters(GString *out, const char *name, const char *prototype)
{
    g_autoptr(GPtrArray) parameters = lsp_parameters(prototype);
    int width = 0;
    for (int pass = 0; pass < 2; pass++)
        for (guint i = 0; i < parameters->len; i++) {
            g_autofree char *word = lsp_parameter_name(g_ptr_array_index(parameters, i));
            const char *meaning = word ? mpi_manual_parameter(name, word) : NULL;
            if (pass == 0)
                width = MAX(width, word ? (int)strlen(word) : 0);
            else if (meaning) {
                g_string_append_printf(out, "  %-*s  ", width, word);
                append_filled(out, meaning, (size_t)width + 4);
            }
        }
}

bool cli_explain_mpi(GString *out, int n_names, char **names, GError **error)
{
    g_autofree char *path = cli_path_share("include/mpi.h");
    g_autofree char *header = NULL;
    if (!g_file_get_contents(path, &header, NULL, NULL))
        return cli_path_share_missing("include", "the headers are", error);
    for (int i = 0; i < n_names; i++) {
        const char *name = standard_name(names[i]);
        if (!name)
            return nothing_found(names[i], error);
        g_autofree char *prototype = prototype_of(header, name), *text = mpi_manual_function(name);
        g_string_append(out, i ? "\n" : "");
        append_filled(out, prototype ? prototype : name, 4);
        g_string_append_c(out, '\n');
        append_filled(out, text ? text : "", 0);
        if (prototype)
            append_parameters(out, name, prototype);
    }
    return true;
}
