/* diagnostics.c - errors and warnings: collected, placed, shown.
 *
 *   greet.c:7:12: error: expected ';' before 'return'
 *       7 |     int x = 3
 *         |              ^
 *
 * The line shown is that of the user's file. Because the preprocessor replaces macros and comments, the column is
 * looked up again in the user's line by what the marked text says; where the file cannot be read, the preprocessed line
 * serves.
 */
#include "compiler/front.h"

#include <stdarg.h>
#include <string.h>

enum { MOST_SHOWN = 200, CONTEXT_BEFORE = 100 }; /* bytes of a source line */

struct CcDiagnostics {
    CcDiagnosticSink sink;
    void *user;
    bool colour, stopped;
    unsigned errors, warnings;
    GHashTable *sources; /* path -> Source */
};

/* -- source lines ------------------------------------------------------------------------------------- */

typedef struct Line {
    const char *text;
    size_t size;
} Line;

/* Where the last asked line of a text starts: the next question is usually about one behind it. */
typedef struct Cursor {
    size_t offset;
    unsigned line;
} Cursor;

typedef struct Source {
    char *text; /* NULL: cannot be read */
    gsize size;
    Cursor cursor;
} Source;

static Line line_of(const char *text, size_t size, unsigned number, Cursor *cursor)
{
    if (cursor->line == 0 || cursor->line > number)
        *cursor = (Cursor){0, 1};
    const char *at = text + cursor->offset, *end = text + size;
    unsigned line = cursor->line;
    for (; line < number && at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    if (line == number)
        *cursor = (Cursor){(size_t)(at - text), line};
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((stop ? stop : end) - at);
    if (length && at[length - 1] == '\r')
        length--;
    return (Line){at, length};
}

static void source_free(gpointer data)
{
    Source *source = data;
    g_free(source->text);
    g_free(source);
}

static Source *source_of(CcDiagnostics *diagnostics, const char *path)
{
    Source *source = g_hash_table_lookup(diagnostics->sources, path);
    if (source)
        return source;
    source = g_new0(Source, 1);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR) && !g_file_get_contents(path, &source->text, &source->size, NULL))
        source->text = NULL;
    g_hash_table_insert(diagnostics->sources, g_strdup(path), source);
    return source;
}

/* -- the object -------------------------------------------------------------------------------------------------- */

CcDiagnostics *cc_diagnostics_new(CcDiagnosticSink sink, void *user, bool colour)
{
    CcDiagnostics *diagnostics = g_new0(CcDiagnostics, 1);
    diagnostics->sink = sink;
    diagnostics->user = user;
    diagnostics->colour = colour;
    diagnostics->sources = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, source_free);
    return diagnostics;
}

void cc_diagnostics_free(CcDiagnostics *diagnostics)
{
    if (!diagnostics)
        return;
    g_hash_table_destroy(diagnostics->sources);
    g_free(diagnostics);
}

unsigned cc_diagnostics_errors(const CcDiagnostics *diagnostics)
{
    return diagnostics->errors;
}
unsigned cc_diagnostics_warnings(const CcDiagnostics *diagnostics)
{
    return diagnostics->warnings;
}
bool cc_diagnostics_stopped(const CcDiagnostics *diagnostics)
{
    return diagnostics->stopped;
}

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* How often the word occurs in text before `limit`; with `wanted`, where its occurrence number *wanted is. */
static size_t count_word(Line line, const char *word, size_t length, size_t limit, const size_t *wanted)
{
    size_t n = 0;
    for (size_t i = 0; i + length <= line.size && i < limit; i++) {
        if (memcmp(line.text + i, word, length) != 0)
            continue;
        if (is_word(word[0]) &&
            ((i > 0 && is_word(line.text[i - 1])) || (i + length < line.size && is_word(line.text[i + length]))))
            continue;
        if (wanted && n == *wanted)
            return i;
        n++;
    }
    return wanted ? SIZE_MAX : n;
}

/* Where in the user's line the word or sign at `at` in the preprocessed line stands; false: nowhere. */
static bool find_text(Line user, Line seen, size_t at, size_t *found)
{
    size_t length = 1;
    if (is_word(seen.text[at]))
        while (at + length < seen.size && is_word(seen.text[at + length]))
            length++;
    bool ends = at + length >= user.size || !is_word(seen.text[at]) || !is_word(user.text[at + length]);
    *found = at;
    if (at + length <= user.size && memcmp(user.text + at, seen.text + at, length) == 0 && ends)
        return true;
    size_t number = count_word(seen, seen.text + at, length, at, NULL);
    *found = count_word(user, seen.text + at, length, user.size, &number);
    return *found != SIZE_MAX;
}

/* Moves the column from the preprocessed line to the user's. What came out of a macro is not there: then the nearest
 * thing before it that is. */
static void find_column(Line user, Line seen, CcDiagnostic *d)
{
    size_t at = d->column - 1, found;
    if (at >= seen.size) { /* behind the end, where something is missing */
        if (seen.size != user.size)
            d->column = (unsigned)user.size + 1;
        return;
    }
    for (bool first = true;; first = false) {
        if (find_text(user, seen, at, &found)) {
            d->column = (unsigned)found + 1;
            d->length = first ? d->length : 1;
            return;
        }
        do {
            if (at == 0) {
                d->column = 1;
                d->length = 1;
                return;
            }
            at--;
        } while (seen.text[at] == ' ' || (is_word(seen.text[at]) && at > 0 && is_word(seen.text[at - 1])));
    }
}

/* -- rendering ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *colour;
} severities[] = {
    [CC_NOTE] = {"note", "\033[1;36m"},
    [CC_WARNING] = {"warning", "\033[1;35m"},
    [CC_SEVERITY_ERROR] = {"error", "\033[1;31m"},
    [CC_FATAL] = {"fatal error", "\033[1;31m"},
};

static void append_char(GString *out, char c)
{
    unsigned char byte = (unsigned char)c;
    g_string_append_c(out, byte < 0x20 || byte == 0x7f ? ' ' : c);
}

static bool continues_utf8(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The source line, cut to a readable window, and the caret with its tail under it. */
static void render_line(GString *out, Line line, const CcDiagnostic *d, bool colour)
{
    size_t at = d->column ? d->column - 1 : 0;
    size_t from = at > MOST_SHOWN - 20 ? at - CONTEXT_BEFORE : 0;
    while (from > 0 && from < line.size && continues_utf8(line.text[from]))
        from--;
    size_t to = MIN(line.size, from + MOST_SHOWN);
    char *clean = g_utf8_make_valid(line.text + from, to > from ? (gssize)(to - from) : 0);
    g_string_append_printf(out, "%5u | %s", d->line, from ? "..." : "");
    for (const char *c = clean; *c; c++)
        append_char(out, *c);
    g_free(clean);
    g_string_append_c(out, '\n');
    if (!d->column || at > line.size || at < from || at > to)
        return;
    g_string_append_printf(out, "      | %s", from ? "   " : "");
    for (size_t i = from; i < at; i++)
        if (!continues_utf8(line.text[i]))
            g_string_append_c(out, ' ');
    if (colour)
        g_string_append(out, "\033[1;32m");
    g_string_append_c(out, '^');
    for (size_t i = at + 1; i < MIN(at + d->length, to); i++)
        if (!continues_utf8(line.text[i]))
            g_string_append_c(out, '~');
    g_string_append(out, colour ? "\033[0m\n" : "\n");
}

static char *render(CcDiagnostics *diagnostics, const CcDiagnostic *d, Line line)
{
    GString *out = g_string_new(NULL);
    bool colour = diagnostics->colour;
    g_string_append(out, colour ? "\033[1m" : "");
    if (d->file)
        g_string_append_printf(out, "%s:", d->file);
    if (d->line)
        g_string_append_printf(out, "%u:", d->line);
    if (d->line && d->column)
        g_string_append_printf(out, "%u:", d->column);
    g_string_append_printf(out, "%s%s%s:%s %s%s", out->len && d->file ? " " : "",
                           colour ? severities[d->severity].colour : "", severities[d->severity].name,
                           colour ? "\033[0m\033[1m" : "", d->text, colour ? "\033[0m" : "");
    if (d->option)
        g_string_append_printf(out, " [%s]", d->option);
    g_string_append_c(out, '\n');
    if (line.text && d->line)
        render_line(out, line, d, colour);
    return g_string_free(out, FALSE);
}

static void emit(CcDiagnostics *diagnostics, const CcDiagnostic *d, Line line)
{
    char *rendered = render(diagnostics, d, line);
    if (diagnostics->sink)
        diagnostics->sink(d, rendered, diagnostics->user);
    else
        fputs(rendered, stderr);
    g_free(rendered);
}

void cc_diagnostics_add(CcDiagnostics *diagnostics, const CcDiagnostic *diagnostic, const char *seen_line,
                        size_t seen_size)
{
    if (diagnostics->stopped)
        return;
    CcDiagnostic d = *diagnostic;
    d.length = MAX(d.length, 1);
    Line seen = {seen_line, seen_size}, line = seen;
    if (d.file && d.line) {
        Source *source = source_of(diagnostics, d.file);
        const char *text = source->text;
        Line user = text ? line_of(text, source->size, d.line, &source->cursor) : (Line){NULL, 0};
        if (text && seen_line && d.column)
            find_column(user, seen, &d);
        if (text)
            line = user;
    }
    emit(diagnostics, &d, line);
    diagnostics->warnings += d.severity == CC_WARNING;
    diagnostics->errors += d.severity >= CC_SEVERITY_ERROR;
    if (d.severity == CC_FATAL)
        diagnostics->stopped = true;
    else if (d.severity == CC_SEVERITY_ERROR && diagnostics->errors >= CC_MAX_ERRORS) {
        CcDiagnostic last = {CC_FATAL, d.file, 0, 0, 1, NULL, "too many errors, stopping now"};
        emit(diagnostics, &last, (Line){NULL, 0});
        diagnostics->stopped = true;
    }
}

/* -- reports from within a unit ---------------------------------------------------------------------------------- */

/* The preprocessed line that a location came from. */
static Line seen_line(const CcUnit *unit, CcLoc loc)
{
    CcFront *front = unit->front;
    if (!front || !front->text)
        return (Line){NULL, 0};
    for (guint i = 0; i <= front->markers->len; i++) {
        CcMarker marker = i ? g_array_index(front->markers, CcMarker, i - 1) : (CcMarker){0, 0, 1};
        size_t end = i < front->markers->len ? g_array_index(front->markers, CcMarker, i).offset : front->size;
        if (marker.file != loc.file || marker.line > loc.line || marker.offset >= front->size)
            continue;
        if (front->seen_marker != i) { /* another stretch of text: its lines are counted from its start */
            front->seen_marker = i;
            front->seen_offset = 0;
            front->seen_line = 0;
        }
        Cursor cursor = {front->seen_offset, front->seen_line};
        Line line = line_of(front->text + marker.offset, end - marker.offset, loc.line - marker.line + 1, &cursor);
        front->seen_offset = cursor.offset;
        front->seen_line = cursor.line;
        if (line.text < front->text + end && line.size > 0 && line.text[0] != '#')
            return line;
    }
    return (Line){NULL, 0};
}

static bool in_system_header(const CcUnit *unit, CcLoc loc)
{
    return unit->front && loc.file < unit->front->system->len && unit->front->system->data[loc.file];
}

/* Whether the warning is wanted; as an error, if the user says so. */
static bool warning_severity(const CcOptions *options, const char *option, CcSeverity *severity)
{
    CcWarningId warning = option ? cc_warning_find(option) : CC_WARNING_COUNT;
    g_assert(!option || warning < CC_WARNING_COUNT); /* warnings.def has them all */
    if (option ? !cc_warning_is_on(options, warning) : options->no_warnings)
        return false;
    if (option ? cc_warning_is_error(options, warning) : options->warnings_are_errors)
        *severity = CC_SEVERITY_ERROR;
    return true;
}

static void report(CcUnit *unit, CcSeverity severity, CcLoc loc, const char *option, const char *format, va_list list)
{
    if (cc_diagnostics_stopped(unit->diagnostics) || (severity == CC_WARNING && in_system_header(unit, loc)))
        return;
    if (severity == CC_WARNING && !warning_severity(unit->options, option, &severity))
        return;
    char *text = g_strdup_vprintf(format, list);
    const char *file = loc.line && loc.file < unit->files->len ? g_ptr_array_index(unit->files, loc.file) : unit->name;
    CcDiagnostic diagnostic = {severity, file, loc.line, loc.column, loc.length, option, text};
    Line seen = loc.line ? seen_line(unit, loc) : (Line){NULL, 0};
    cc_diagnostics_add(unit->diagnostics, &diagnostic, seen.text, seen.size);
    g_free(text);
}

void cc_report(CcUnit *unit, CcSeverity severity, CcLoc loc, const char *option, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    report(unit, severity, loc, option, format, list);
    va_end(list);
}

void cc_error(CcParser *p, CcLoc loc, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    report(p->unit, CC_SEVERITY_ERROR, loc, NULL, format, list);
    va_end(list);
    p->stop |= cc_diagnostics_stopped(p->unit->diagnostics);
}

void cc_warning(CcParser *p, CcLoc loc, const char *option, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    report(p->unit, CC_WARNING, loc, option, format, list);
    va_end(list);
    p->stop |= cc_diagnostics_stopped(p->unit->diagnostics);
}

void cc_note(CcParser *p, CcLoc loc, const char *format, ...)
{
    if (loc.line == 0 || p->stop) /* built in, or the limit was reached */
        return;
    va_list list;
    va_start(list, format);
    report(p->unit, CC_NOTE, loc, NULL, format, list);
    va_end(list);
}

void cc_fatal(CcParser *p, CcLoc loc, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    report(p->unit, CC_FATAL, loc, NULL, format, list);
    va_end(list);
    p->stop = true;
}
