/* diagnostics_text.c - a diagnostic for people: place, severity, text, source line, caret and suggested text.
 *
 *   greet.c:7:12: error: expected ';' before 'return'
 *       7 |     int x = 3
 *         |              ^
 *         |              ;
 *
 * The lines are aligned by terminal columns: a tab goes to the next multiple of eight, a wide East Asian character
 * takes two columns, a combining character takes none. A control character is shown as <U+001B> and a byte that is not
 * UTF-8 as <E9>, so that a source cannot send escape sequences to the terminal.
 */
#include "compiler/compiler.h"
#include "compiler/report/diagnostics.h"

#include <string.h>

enum { MOST_SHOWN = 160, CONTEXT_BEFORE = 80, TAB = 8 }; /* columns */

static const struct {
    const char *name, *colour;
} severities[] = {
    [CC_NOTE] = {"note", "\033[1;36m"},
    [CC_WARNING] = {"warning", "\033[1;35m"},
    [CC_SEVERITY_ERROR] = {"error", "\033[1;31m"},
    [CC_FATAL] = {"fatal error", "\033[1;31m"},
};

/* Whether a character is a control character or changes the writing direction, and so could hide text. */
static bool is_treacherous(gunichar c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* One character of the source and how it is shown. */
typedef struct Cell {
    char shown[12]; /* at most 11 bytes and a zero */
    unsigned width; /* columns on the terminal */
    size_t bytes;   /* bytes in the source */
} Cell;

static Cell cell_of(const char *at, size_t size, unsigned column)
{
    Cell cell = {{0}, 1, 1};
    gunichar c = g_utf8_get_char_validated(at, (gssize)MIN(size, 6));
    if (*at == '\t') {
        cell.width = TAB - column % TAB;
        memset(cell.shown, ' ', cell.width);
    } else if (*at == '\0' || c == (gunichar)-1 || c == (gunichar)-2) {
        g_snprintf(cell.shown, sizeof cell.shown, *at ? "<%02X>" : "<U+%04X>", (unsigned char)*at);
        cell.width = (unsigned)strlen(cell.shown);
    } else {
        cell.bytes = (size_t)g_utf8_skip[(unsigned char)*at];
        if (is_treacherous(c)) {
            g_snprintf(cell.shown, sizeof cell.shown, "<U+%04X>", c);
            cell.width = (unsigned)strlen(cell.shown);
        } else {
            memcpy(cell.shown, at, cell.bytes);
            cell.width = g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
        }
    }
    return cell;
}

char *cc_diagnostics_printable(const char *text)
{
    GString *out = g_string_new(NULL);
    for (size_t left = strlen(text); left > 0;) {
        Cell cell = cell_of(text, left, 0);
        g_string_append(out, *text == '\t' ? " " : cell.shown);
        text += cell.bytes;
        left -= cell.bytes;
    }
    return g_string_free(out, FALSE);
}

/* -- the line and its marks -------------------------------------------------------------------- */

/* A source line as it is shown. */
typedef struct Shown {
    GString *text;
    GArray *columns; /* unsigned: the terminal column of each byte of the snippet, then that of its end */
    size_t from;     /* offset of the snippet in the line */
} Shown;

static Shown show_line(const CcSnippet *snippet)
{
    Shown shown = {g_string_new(NULL), g_array_new(FALSE, FALSE, sizeof(unsigned)), snippet->from};
    unsigned column = 0;
    for (size_t i = 0; i < snippet->size;) {
        Cell cell = cell_of(snippet->text + i, snippet->size - i, column);
        for (size_t k = 0; k < cell.bytes; k++)
            g_array_append_val(shown.columns, column);
        g_string_append(shown.text, cell.shown);
        column += cell.width;
        i += cell.bytes;
    }
    g_array_append_val(shown.columns, column);
    return shown;
}

/* Returns the terminal column of a byte (1-based in the line). All bytes behind the end share the column after it. */
static unsigned column_of(const Shown *shown, size_t byte)
{
    size_t at = byte > shown->from ? byte - 1 - shown->from : 0, last = shown->columns->len - 1;
    return at <= last ? g_array_index(shown->columns, unsigned, at)
                      : g_array_index(shown->columns, unsigned, last) + (unsigned)MIN(at - last, 1);
}

static void put_range(GString *marks, const Shown *shown, unsigned column, unsigned length)
{
    unsigned first = column_of(shown, column), end = column_of(shown, (size_t)column + length);
    unsigned line_end = g_array_index(shown->columns, unsigned, shown->columns->len - 1);
    for (unsigned i = first; i < MIN(end, line_end) && i < marks->len; i++)
        marks->str[i] = '~';
}

/* Appends the terminal columns [from, to) of a text whose characters may have any width. */
static void append_window(GString *out, const char *text, unsigned from, unsigned to)
{
    unsigned column = 0;
    for (const char *c = text; *c; c = g_utf8_next_char(c)) {
        gunichar character = g_utf8_get_char(c);
        if (column >= from && column < to)
            g_string_append_unichar(out, character);
        column += g_unichar_iszerowidth(character) ? 0 : g_unichar_iswide(character) ? 2 : 1;
    }
}

static void append_gutter(const CcDiagnostics *diagnostics, GString *out, unsigned line)
{
    if (!diagnostics->line_numbers)
        g_string_append_c(out, ' ');
    else if (line)
        g_string_append_printf(out, "%5u | ", line);
    else
        g_string_append(out, "      | ");
}

static void append_marks(const CcDiagnostics *diagnostics, GString *out, const char *marks, const char *colour,
                         const char *indent)
{
    char *clean = g_strchomp(g_strdup(marks));
    size_t blank = strspn(clean, " ");
    append_gutter(diagnostics, out, 0);
    g_string_append_printf(out, "%s%.*s%s%s%s\n", indent, (int)blank, clean, diagnostics->colour ? colour : "",
                           clean + blank, diagnostics->colour ? "\033[0m" : "");
    g_free(clean);
}

static void render_line(const CcDiagnostics *diagnostics, GString *out, const CcRecord *record)
{
    Shown shown = show_line(&record->snippet);
    unsigned width = g_array_index(shown.columns, unsigned, shown.columns->len - 1);
    unsigned caret = record->column ? column_of(&shown, record->column) : 0;
    unsigned from = caret > MOST_SHOWN - 20 ? caret - CONTEXT_BEFORE : 0, to = from + MOST_SHOWN;
    const char *before = from || record->snippet.from ? "..." : "", *indent = *before ? "   " : "";
    append_gutter(diagnostics, out, record->line);
    g_string_append(out, before);
    append_window(out, shown.text->str, from, to);
    g_string_append(out, width > to ? "...\n" : "\n");
    if (record->column && record->column <= record->snippet.from + record->snippet.size + 1) {
        GString *marks = g_string_new(NULL);
        g_string_set_size(marks, MAX(width, caret) + 1);
        memset(marks->str, ' ', marks->len);
        put_range(marks, &shown, record->column, record->length);
        if (record->range_column)
            put_range(marks, &shown, record->range_column, record->range_length);
        marks->str[caret] = '^';
        g_string_truncate(marks, MIN(marks->len, to));
        append_marks(diagnostics, out, marks->str + MIN(from, marks->len), "\033[1;32m", indent);
        g_string_free(marks, TRUE);
    }
    if (record->fix && *record->fix) {
        unsigned at = column_of(&shown, record->fix_column);
        char *line = g_strdup_printf("%*s%s", (int)(at > from ? at - from : 0), "", record->fix);
        append_marks(diagnostics, out, line, "\033[32m", indent);
        g_free(line);
    }
    g_string_free(shown.text, TRUE);
    g_array_free(shown.columns, TRUE);
}

char *cc_diagnostics_render(const CcDiagnostics *diagnostics, const CcRecord *record)
{
    GString *out = g_string_new(NULL);
    bool colour = diagnostics->colour;
    g_string_append(out, colour ? "\033[1m" : "");
    if (record->file)
        g_string_append_printf(out, "%s:", record->file);
    if (record->line)
        g_string_append_printf(out, "%u:", record->line);
    if (record->line && record->column)
        g_string_append_printf(out, "%u:", record->column);
    g_string_append_printf(out, "%s%s%s:%s %s%s", record->file ? " " : "",
                           colour ? severities[record->severity].colour : "", severities[record->severity].name,
                           colour ? "\033[0m\033[1m" : "", record->text, colour ? "\033[0m" : "");
    if (record->option && diagnostics->option_names) {
        bool error = record->from_warning && record->severity >= CC_SEVERITY_ERROR;
        g_string_append_printf(out, " [%s%s]", error ? "-Werror=" : "-W", record->option + 2);
    }
    g_string_append_c(out, '\n');
    if (record->snippet.text && record->line && diagnostics->caret)
        render_line(diagnostics, out, record);
    return g_string_free(out, FALSE);
}
