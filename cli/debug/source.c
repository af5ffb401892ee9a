/* source.c - source text with a margin: numbers, the current line, breakpoints, where ranks are; the command list. */
#include "cli/debug/desk.h"

#include "cli/base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MARKS_WIDEST = 20 };

/* -- what stands at lines ---------------------------------------------------------------------- */

static void mark_free(void *item)
{
    g_free(((DebugMark *)item)->ranks);
    g_free(item);
}

static bool same_file(const char *known, const char *asked)
{
    size_t a = strlen(known), b = strlen(asked);
    const char *shorter = a < b ? known : asked, *longer = a < b ? asked : known;
    size_t from = MAX(a, b) - MIN(a, b);
    return strcmp(longer + from, shorter) == 0 && (from == 0 || longer[from - 1] == '/');
}

static DebugMark *mark_of(GPtrArray *marks, uint32_t line)
{
    for (guint i = 0; i < marks->len; i++) {
        DebugMark *mark = g_ptr_array_index(marks, i);
        if (mark->line == line)
            return mark;
    }
    DebugMark *mark = g_new0(DebugMark, 1);
    mark->line = line;
    g_ptr_array_add(marks, mark);
    return mark;
}

/* RANKS, LINE, FILE with tabs between. */
static void add_ranks(DebugSession *session, const char *file, GPtrArray *marks)
{
    g_autoptr(GString) answer = g_string_new(NULL);
    if (!session->started || session->ended || mon_session_ranks(session->core) == 1 ||
        !cli_debug_ask(session, MON_QUERY_POSITIONS, NULL, answer, NULL))
        return;
    g_auto(GStrv) lines = g_strsplit(answer->str, "\n", -1);
    for (char **line = lines; *line && **line; line++) {
        g_auto(GStrv) parts = g_strsplit(*line, "\t", 3);
        if (g_strv_length(parts) == 3 && same_file(parts[2], file)) {
            DebugMark *mark = mark_of(marks, (uint32_t)strtoul(parts[1], NULL, 10));
            g_free(mark->ranks);
            mark->ranks = g_strdup(parts[0]);
        }
    }
}

/* "a.c:12 (line 11 has no code)" */
static void add_point(const MonBreakpoint *point, const char *file, GPtrArray *marks)
{
    g_autofree char *place =
        g_strndup(point->described ? point->described : "", strcspn(point->described ? point->described : "", " "));
    char *colon = strrchr(place, ':');
    if (point->watch || !colon)
        return;
    *colon = '\0';
    if (!same_file(place, file))
        return;
    DebugMark *mark = mark_of(marks, (uint32_t)strtoul(colon + 1, NULL, 10));
    if (mark->point && !mark->disabled)
        return;
    mark->point = point->number;
    mark->disabled = point->disabled;
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const DebugMark *x = *(const DebugMark *const *)a, *y = *(const DebugMark *const *)b;
    return (x->line > y->line) - (x->line < y->line);
}

GPtrArray *cli_debug_marks(DebugSession *session, const char *file)
{
    GPtrArray *marks = g_ptr_array_new_with_free_func(mark_free);
    const GPtrArray *points = mon_session_breakpoints(session->core);
    add_ranks(session, file, marks);
    for (guint i = 0; i < points->len; i++)
        add_point(g_ptr_array_index(points, i), file, marks);
    g_ptr_array_sort(marks, compare);
    return marks;
}

const DebugMark *cli_debug_mark_at(const GPtrArray *marks, uint32_t line)
{
    guint low = 0, high = marks->len;
    while (low < high) {
        guint middle = (low + high) / 2;
        const DebugMark *mark = g_ptr_array_index(marks, middle);
        if (mark->line == line)
            return mark;
        if (mark->line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* -- the text ---------------------------------------------------------------------------------- */

/* Ranks as "0-3,7>"; many of them are cut. Free it with g_free(). */
static char *ranks_of(const DebugMark *mark, int widest)
{
    if (!mark || !mark->ranks)
        return g_strdup("");
    size_t length = strlen(mark->ranks);
    if ((int)length + 1 <= widest)
        return g_strdup_printf("%s>", mark->ranks);
    return g_strdup_printf("%.*s..>", widest - 3, mark->ranks);
}

/* One line: "->   20  text", with two more columns if there are marks. */
static void append_line(DebugSession *session, const DebugMark *mark, int width, const char *line)
{
    bool coloured = cli_debug_coloured(session->desk), current = g_str_has_prefix(line, "->");
    const char *end = cli_console_style_end(coloured);
    if (width > 0) {
        g_autofree char *ranks = ranks_of(mark, width);
        bool ranked = coloured && *ranks, pointed = coloured && mark && mark->point;
        g_string_append_printf(session->out, "%s%*s%s%s%c%s", cli_console_style(ranked, CONSOLE_RANKS), width, ranks,
                               cli_console_style_end(ranked), cli_console_style(pointed, CONSOLE_POINT),
                               !mark || !mark->point ? ' '
                               : mark->disabled      ? 'o'
                                                     : '*',
                               cli_console_style_end(pointed));
    }
    size_t number = strspn(line + 2, " ") + 2;
    number += strspn(line + number, "0123456789");
    g_string_append_printf(session->out, "%s%.*s%s%s%s\n",
                           cli_console_style(coloured, current ? CONSOLE_CURRENT : CONSOLE_NUMBER), (int)number, line,
                           current ? "" : end, line + number, current ? end : "");
}

void cli_debug_append_listing(DebugSession *session, const char *file, const char *text)
{
    g_autoptr(GPtrArray) marks = cli_debug_marks(session, file);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    int width = 0;
    bool any = false;
    for (char **line = lines; *line && **line; line++) {
        const DebugMark *mark = cli_debug_mark_at(marks, (uint32_t)strtoul(*line + 2, NULL, 10));
        any = any || mark;
        if (mark && mark->ranks)
            width = MAX(width, MIN((int)strlen(mark->ranks) + 1, MARKS_WIDEST));
    }
    if (!any || !cli_debug_is_on(session->desk, DEBUG_SET_MARGIN))
        width = 0;
    else
        width = MAX(width, 2);
    for (char **line = lines; *line && **line; line++)
        append_line(session, cli_debug_mark_at(marks, (uint32_t)strtoul(*line + 2, NULL, 10)), width, *line);
}

/* -- sources that have changed ----------------------------------------------------------------- */

/* When what runs was compiled: a program that was is as old as its file, and sources have been compiled now. */
static gint64 compiled_us(const DebugSession *session)
{
    struct stat status;
    const char *program = session->argc > 0 ? session->argv[0] : "";
    if (g_str_has_suffix(program, ".c") || stat(program, &status) != 0)
        return session->desk->made_us;
    return (gint64)status.st_mtim.tv_sec * G_USEC_PER_SEC + status.st_mtim.tv_nsec / 1000;
}

void cli_debug_warn_of_source(DebugSession *session, const char *file)
{
    struct stat status;
    if (stat(file, &status) != 0 || g_hash_table_contains(session->desk->warned, file))
        return;
    if ((gint64)status.st_mtim.tv_sec * G_USEC_PER_SEC + status.st_mtim.tv_nsec / 1000 <= compiled_us(session))
        return;
    g_hash_table_add(session->desk->warned, g_strdup(file));
    g_string_append_printf(
        session->out, "warning: %s has changed since the program was compiled: lines may be others (%s)\n", file,
        g_str_has_suffix(session->argv[0], ".c") ? "type run to compile it anew" : "compile it anew");
}

void cli_debug_info_source(DebugSession *session)
{
    g_autoptr(GString) answer = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    if (!cli_debug_ask(session, MON_QUERY_LIST, session->started ? "" : "main", answer, &error)) {
        cli_debug_fail(session, "%s", error->message);
        return;
    }
    const char *end = strchr(answer->str, '\n'), *file = answer->str;
    for (int i = 0; i < 2; i++)
        file = strchr(file, ' ') + 1;
    g_autofree char *name = g_strndup(file, (gsize)(end - file));
    g_string_append_printf(session->out, "the source file is %s\n", name);
    cli_debug_warn_of_source(session, name);
}

/* The answer begins with the lines listed and their file. */
static void say_lines(DebugSession *session, const char *answer)
{
    char *at;
    uint32_t first = (uint32_t)strtoul(answer, &at, 10), last = (uint32_t)strtoul(at, &at, 10);
    const char *end = strchr(at, '\n');
    g_free(session->listed_file);
    session->listed_file = g_strndup(at + 1, (gsize)(end - at - 1));
    if (first > last) {
        cli_debug_fail(session, "the file has %u lines", last);
        return;
    }
    session->listed_first = first;
    session->listed_last = last;
    cli_debug_warn_of_source(session, session->listed_file);
    cli_debug_append_listing(session, session->listed_file, end + 1);
}

static uint32_t list_size(const DebugSession *session)
{
    return MIN(cli_debug_number(session->desk, DEBUG_SET_LISTSIZE), 1U << 30);
}

static char *range_of(const char *file, uint32_t first, uint32_t last)
{
    return g_strdup_printf("%s:%u,%u", file, first, last);
}

/* The lines that are meant where gdb's forms, or the setting, say more than the query knows. NULL: the text as it is.
 * Free it with g_free(). */
static char *lines_meant(DebugSession *session, const char *text)
{
    uint32_t size = list_size(session);
    guint64 line;
    char *end;
    if (session->listed_last > 0 && *text == '\0')
        return range_of(session->listed_file, session->listed_last + 1, session->listed_last + size);
    if (session->listed_last > 0 && strcmp(text, "-") == 0)
        return range_of(session->listed_file, session->listed_first > size ? session->listed_first - size : 1,
                        MAX(session->listed_first, 2) - 1);
    if (*text == ',') {
        line = g_ascii_strtoull(text + 1 + strspn(text + 1, " "), &end, 10);
        return *end || line == 0 || line > INT32_MAX
                   ? NULL
                   : g_strdup_printf("%u,%u", (uint32_t)(line > size ? line - size + 1 : 1), (uint32_t)line);
    }
    line = g_ascii_strtoull(text, &end, 10);
    if (end > text && strcmp(end, ",") == 0 && line <= INT32_MAX)
        return g_strdup_printf("%u,%u", (uint32_t)line, (uint32_t)line + size - 1);
    return NULL;
}

/* Cuts what the query shows around a line to as many lines as are wanted, or asks for more. */
static bool around(DebugSession *session, GString *answer)
{
    char *at;
    uint32_t first = (uint32_t)strtoul(answer->str, &at, 10), last = (uint32_t)strtoul(at, &at, 10);
    uint32_t size = list_size(session), n = last - first + 1;
    enum { USUAL = 10 };
    if (size == USUAL || first > last)
        return true;
    g_autofree char *file = g_strndup(at + 1, strcspn(at + 1, "\n"));
    uint32_t middle = first + n / 2, from = middle > size / 2 ? middle - size / 2 : 1;
    g_autofree char *range = range_of(file, from, (uint32_t)MIN((uint64_t)from + size - 1, INT32_MAX));
    g_string_truncate(answer, 0);
    return cli_debug_ask(session, MON_QUERY_LIST, range, answer, NULL);
}

/* Without arguments it lists the lines around the current one, and then on from there. */
void cli_debug_do_list(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) answer = g_string_new(NULL);
    if (strcmp(arguments, "-") == 0 && session->listed_last > 0 && session->listed_first <= 1) {
        cli_debug_fail(session, "the beginning of %s has been listed", session->listed_file);
        return;
    }
    g_autofree char *meant = lines_meant(session, arguments);
    bool whole = meant || strchr(arguments, ',');
    if (*arguments == '\0' && !session->started && session->listed_last == 0)
        arguments = "main";
    else if (strcmp(arguments, "-") == 0)
        arguments = "";
    if (cli_debug_ask(session, MON_QUERY_LIST, meant ? meant : arguments, answer, &error) &&
        (whole || around(session, answer)))
        say_lines(session, answer->str);
    else
        cli_debug_fail(session, "%s", error ? error->message : "the source text is not there");
}
