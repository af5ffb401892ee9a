/* short_header.c - spares the preprocessor the prototypes of mpi.h.
 *
 * They are nine tenths of mpi.h, and mpi.h is nearly all that the preprocessor reads for a small program. Nothing
 * happens to them there: each is a line without macros (clib/mpi_header.awk). So it reads a short mpi.h, whose lines of
 * prototypes are empty, and which ends with a pragma. Here the lines are put in the place of that pragma, with their
 * own numbers, and everything else is said to come from the whole mpi.h. A program that has a macro of any of their
 * words where it includes mpi.h gets the whole one: the short one looks for that by itself.
 */
#include "compiler/preprocess/short_header.h"
#include "compiler/report/report.h"

#include <string.h>

#define PRAGMA "#pragma orrery prototypes"

/* Whether the preprocessor writes the name into line markers as it is. */
static bool is_plain(const char *name)
{
    for (; *name; name++)
        if (!g_ascii_isprint(*name) || *name == '"' || *name == '\\')
            return false;
    return true;
}

/* Whether the flag changes nothing but what is defined and where headers are searched, or is the value of such one. */
static bool is_usual(const char *flag)
{
    static const char *const usual[] = {"-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include"};
    bool found = *flag != '-';
    for (size_t i = 0; i < G_N_ELEMENTS(usual) && !found; i++)
        found = g_str_has_prefix(flag, usual[i]);
    return found;
}

/* The short header tests whether the words of prototypes are macros, so these count as used. */
static bool wants_unused_macros(const CcOptions *options)
{
    g_autoptr(GPtrArray) flags = g_ptr_array_new();
    cc_warning_cpp_flags(options, flags);
    return g_ptr_array_find_with_equal_func(flags, "-Wunused-macros", g_str_equal, NULL);
}

char *cc_short_header_dir(const CcOptions *options)
{
    if (options->no_headers || !options->include_dir || !is_plain(options->include_dir) || wants_unused_macros(options))
        return NULL;
    for (const char *const *flag = options->cpp_flags; flag && *flag; flag++)
        if (!is_usual(*flag))
            return NULL;
    return g_strconcat(options->include_dir, "-short", NULL);
}

static size_t letters(const char *text, bool digits)
{
    size_t n = 0;
    while (g_ascii_isalpha(text[n]) || text[n] == '_' || (digits && g_ascii_isdigit(text[n])))
        n++;
    return n;
}

/* Whether the line is one that the short header leaves empty: "int MPI_Name(...);", and this function is there. */
static bool is_prototype(const char *line, size_t length)
{
    const char *name = line + letters(line, false) + 1;
    if (name == line + 1 || name[-1] != ' ' || !(g_str_has_prefix(name, "MPI_") || g_str_has_prefix(name, "PMPI_")))
        return false;
    return name[letters(name, true)] == '(' && memcmp(line + length - 2, ");", 2) == 0 &&
           !memmem(line, length, " ORRERY_ABSENT(", 15);
}

static void append_marker(GString *out, unsigned line, const char *path)
{
    g_string_append_printf(out, "# %u \"%s\" 3 4\n", line, path);
}

/* Appends the prototypes of mpi.h, each at its line. */
static bool append_prototypes(GString *out, const char *path)
{
    g_autofree char *header = NULL;
    gsize size;
    unsigned number = 1, next = 0; /* the lines of `line`, and of what comes next in the output */
    if (!g_file_get_contents(path, &header, &size, NULL))
        return false;
    for (const char *line = header, *end; (end = strchr(line, '\n')); line = end + 1, number++) {
        size_t length = (size_t)(end - line);
        if (!is_prototype(line, length))
            continue;
        if (number != next)
            append_marker(out, number, path);
        g_string_append_len(out, line, (gssize)length + 1);
        next = number + 1;
    }
    return true;
}

/* Whether the line is a line marker of the file; then *rest is what follows the name. */
static bool is_marker_of(const char *line, const char *name, const char **rest)
{
    if (line[0] != '#' || line[1] != ' ' || !g_ascii_isdigit(line[2]))
        return false;
    line += 2;
    while (g_ascii_isdigit(*line))
        line++;
    if (!g_str_has_prefix(line, name))
        return false;
    *rest = line + strlen(name);
    return true;
}

bool cc_short_header_restore(GString *text, const char *short_dir, const CcOptions *options)
{
    g_autofree char *name = g_strdup_printf(" \"%s/mpi.h\"", short_dir);
    g_autofree char *whole = g_strdup_printf("%s/mpi.h", options->include_dir);
    if (!memmem(text->str, text->len, name, strlen(name)))
        return true;
    GString *out = g_string_sized_new(2 * text->len);
    bool within = false, good = true;
    const char *end = text->str, *last = text->str + text->len;
    for (const char *line = end, *rest; good && line < last; line = end) {
        end = memchr(line, '\n', (size_t)(last - line));
        end = end ? end + 1 : last;
        if (is_marker_of(line, name, &rest)) {
            g_string_append_printf(out, "%.*s\"%s\"", (int)(rest - line) - (int)strlen(name) + 1, line, whole);
            g_string_append_len(out, rest, end - rest);
            within = true;
        } else if (within && g_str_has_prefix(line, PRAGMA "\n")) {
            good = append_prototypes(out, whole);
        } else {
            within = within && line[0] != '#';
            g_string_append_len(out, line, end - line);
        }
    }
    g_string_assign(text, "");
    g_string_append_len(text, out->str, (gssize)out->len);
    g_string_free(out, TRUE);
    return good;
}
