/* compare.c - holds what a program printed against what is expected, and says in words what differs first. */
#include "cli/grade/grade.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 120 };

/* Returns a piece of text as it can be shown: cut, with what cannot be printed as \n, \t and \xNN. */
static char *shown(const char *text)
{
    GString *out = g_string_new(NULL);
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    glong n = 0;
    for (const char *at = valid; *at; at = g_utf8_next_char(at), n++) {
        gunichar c = g_utf8_get_char(at);
        if (n == SHOWN) {
            g_string_append(out, "...");
            break;
        }
        if (c == '\n' || c == '\t' || c == '\r')
            g_string_append(out, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
        else if (g_unichar_isprint(c))
            g_string_append_unichar(out, c);
        else
            g_string_append_printf(out, "\\x%02x", (unsigned)c);
    }
    return g_string_free(out, FALSE);
}

static char *differ(const char *unit, guint number, const char *expected, const char *printed)
{
    g_autofree char *e = expected ? shown(expected) : NULL, *p = printed ? shown(printed) : NULL;
    if (!printed)
        return g_strdup_printf("%s %u is missing; expected: \"%s\"", unit, number, e);
    if (!expected)
        return g_strdup_printf("%s %u is too much: \"%s\"", unit, number, p);
    return g_strdup_printf("%s %u: expected \"%s\", printed \"%s\"", unit, number, e, p);
}

/* Returns the lines without blanks at their ends, and without empty ones at the end of the text. */
static char **lines_of(const char *text)
{
    char **lines = g_strsplit(text, "\n", -1);
    guint n = g_strv_length(lines);
    for (guint i = 0; i < n; i++)
        g_strchomp(lines[i]);
    while (n > 0 && !*lines[n - 1])
        g_clear_pointer(&lines[--n], g_free);
    return lines;
}

static char **words_of(const char *text)
{
    g_auto(GStrv) pieces = g_strsplit_set(text, " \t\r\n\v\f", -1);
    GPtrArray *words = g_ptr_array_new();
    for (char **piece = pieces; *piece; piece++)
        if (**piece)
            g_ptr_array_add(words, g_strdup(*piece));
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A number, behind which signs such as commas may stand: these must be the same. */
static bool alike(const char *expected, const char *printed, double tolerance)
{
    if (strcmp(expected, printed) == 0)
        return true;
    char *behind_a, *behind_b;
    double a = g_ascii_strtod(expected, &behind_a), b = g_ascii_strtod(printed, &behind_b);
    if (behind_a == expected || behind_b == printed || strcmp(behind_a, behind_b) != 0)
        return false;
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
        return (isnan(a) && isnan(b)) || a == b;
    return fabs(a - b) <= tolerance * MAX(1.0, MAX(fabs(a), fabs(b)));
}

/* Compares two lists; tolerance < 0: to the byte. */
static char *compare_lists(const char *unit, char **expected, char **printed, double tolerance)
{
    for (guint i = 0; expected[i] || printed[i]; i++)
        if (!expected[i] || !printed[i] ||
            (tolerance < 0 ? strcmp(expected[i], printed[i]) != 0 : !alike(expected[i], printed[i], tolerance)))
            return differ(unit, i + 1, expected[i], printed[i]);
    return NULL;
}

static char *compare_lines(const char *expected, const char *printed, bool sorted)
{
    g_auto(GStrv) wanted = lines_of(expected), found = lines_of(printed);
    if (sorted) {
        qsort(wanted, g_strv_length(wanted), sizeof *wanted, by_name);
        qsort(found, g_strv_length(found), sizeof *found, by_name);
    }
    return compare_lists(sorted ? "sorted line" : "line", wanted, found, -1);
}

static char *compare_words(const char *expected, const char *printed, double tolerance)
{
    g_auto(GStrv) wanted = words_of(expected), found = words_of(printed);
    return compare_lists("word", wanted, found, tolerance);
}

static char *compare_bytes(const char *expected, const char *printed)
{
    if (strcmp(expected, printed) == 0)
        return NULL;
    char *in_lines = compare_lines(expected, printed, false);
    return in_lines ? in_lines : g_strdup("only blanks or line ends differ, and they count here");
}

static char *compare_pattern(const char *pattern, const char *printed)
{
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
    g_autofree char *p = shown(printed);
    g_autofree char *e = shown(pattern);
    return g_regex_match(regex, printed, 0, NULL)
               ? NULL
               : g_strdup_printf("the output does not match the pattern \"%s\"; printed: \"%s\"", e, p);
}

char *grade_compare(GradeComparison how, double tolerance, const char *expected, const char *printed)
{
    switch (how) {
    case GRADE_LINES: return compare_lines(expected, printed, false);
    case GRADE_EXACT: return compare_bytes(expected, printed);
    case GRADE_SORTED: return compare_lines(expected, printed, true);
    case GRADE_WORDS: return compare_words(expected, printed, -1);
    case GRADE_NUMBERS: return compare_words(expected, printed, tolerance);
    case GRADE_PATTERN: return compare_pattern(expected, printed);
    case GRADE_ANY: break;
    }
    return NULL;
}
