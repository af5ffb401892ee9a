/* diagnostics.c - errors and warnings: filtered, collected, sorted, printed.
 *
 * The checks run after the parser and report places before the parser's last report. Diagnostics are therefore kept
 * until the unit is done, and then printed in the order of the source. A note or fix stays with the diagnostic that it
 * belongs to. A diagnostic that repeats another of the same place is dropped.
 */
#include "compiler/report/diagnostics.h"

#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* -- the object -------------------------------------------------------------------------------- */

static void record_free(gpointer data)
{
    CcRecord *record = data;
    g_free(record->text);
    g_free(record->snippet.text);
    g_free(record->fix);
    if (record->children)
        g_ptr_array_free(record->children, TRUE);
    g_free(record);
}

CcDiagnostics *cc_diagnostics_new(CcDiagnosticSink sink, void *user, bool colour)
{
    CcDiagnostics *diagnostics = g_new0(CcDiagnostics, 1);
    diagnostics->sink = sink;
    diagnostics->user = user;
    diagnostics->colour = colour;
    diagnostics->caret = diagnostics->option_names = diagnostics->line_numbers = true;
    diagnostics->most_errors = CC_MAX_ERRORS;
    diagnostics->records = g_ptr_array_new_with_free_func(record_free);
    diagnostics->sources = cc_sources_new();
    diagnostics->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    diagnostics->inclusions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return diagnostics;
}

/* Common conventions: NO_COLOR switches colours off, CLICOLOR_FORCE switches them on, TERM=dumb has none. */
static bool terminal_has_colours(void)
{
    const char *no = g_getenv("NO_COLOR"), *force = g_getenv("CLICOLOR_FORCE"), *terminal = g_getenv("TERM");
    if (no && *no)
        return false;
    if (force && *force && strcmp(force, "0") != 0)
        return true;
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void cc_diagnostics_configure(CcDiagnostics *diagnostics, const CcOptions *options, const char *name)
{
    diagnostics->format = options->diagnostics_format;
    diagnostics->caret = !options->hide_caret;
    diagnostics->option_names = !options->hide_option_names;
    diagnostics->line_numbers = !options->hide_line_numbers;
    diagnostics->colour = options->colour == CC_COLOUR_ALWAYS ||
                          (options->colour == CC_COLOUR_AUTO && !diagnostics->sink && terminal_has_colours());
    if (options->fatal_errors) {
        diagnostics->most_errors = 1;
        diagnostics->limit = "-Wfatal-errors";
    } else if (options->limit_errors) {
        diagnostics->most_errors = options->most_errors;
        diagnostics->limit = "-fmax-errors";
    }
    g_free(diagnostics->name);
    diagnostics->name = g_strdup(name);
}

unsigned cc_diagnostics_errors(const CcDiagnostics *diagnostics)
{
    return diagnostics->errors;
}
unsigned cc_diagnostics_warnings(const CcDiagnostics *diagnostics)
{
    return diagnostics->warnings;
}
unsigned cc_diagnostics_mistakes(const CcDiagnostics *diagnostics)
{
    return diagnostics->errors - diagnostics->raised;
}
static bool has_stopped(const CcDiagnostics *diagnostics)
{
    return diagnostics->stopped;
}

static const char *intern(CcDiagnostics *diagnostics, const char *file)
{
    if (!file)
        return NULL;
    gpointer known;
    if (g_hash_table_lookup_extended(diagnostics->files, file, &known, NULL))
        return known;
    char *copy = cc_diagnostics_printable(file), *key = strcmp(copy, file) == 0 ? copy : g_strdup(file);
    if (key != copy)
        g_free(copy);
    g_hash_table_add(diagnostics->files, key);
    return key;
}

/* -- giving out -------------------------------------------------------------------------------- */

static void emit(CcDiagnostics *diagnostics, const CcRecord *record)
{
    char *rendered = cc_diagnostics_render(diagnostics, record);
    const char *chain = record->file ? g_hash_table_lookup(diagnostics->inclusions, record->file) : NULL;
    if (chain && record->severity != CC_NOTE && record->file != diagnostics->last_file && !diagnostics->sink)
        fputs(chain, stderr);
    if (record->severity != CC_NOTE)
        diagnostics->last_file = record->file;
    CcDiagnostic plain = {record->severity, record->file, record->line, record->column,     record->length,
                          record->option,   record->text, record->fix,  record->fix_column, record->fix_length};
    if (diagnostics->sink)
        diagnostics->sink(&plain, rendered, diagnostics->user);
    else
        fputs(rendered, stderr);
    g_free(rendered);
}

static gint by_place(gconstpointer a, gconstpointer b)
{
    const CcRecord *x = *(CcRecord *const *)a, *y = *(CcRecord *const *)b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool same_record(const CcRecord *a, const CcRecord *b)
{
    return a->place == b->place && a->line == b->line && a->column == b->column && a->file == b->file &&
           a->severity == b->severity && strcmp(a->text, b->text) == 0;
}

static void put_in_order(GPtrArray *records)
{
    g_ptr_array_sort(records, by_place);
    for (guint i = 1; i < records->len;)
        if (same_record(g_ptr_array_index(records, i - 1), g_ptr_array_index(records, i)))
            g_ptr_array_remove_index(records, i);
        else
            i++;
}

void cc_diagnostics_flush(CcDiagnostics *diagnostics)
{
    diagnostics->last = NULL;
    put_in_order(diagnostics->records);
    if (diagnostics->format != CC_DIAGNOSTICS_TEXT && !diagnostics->sink)
        return; /* cc_diagnostics_free() writes one document with all records */
    for (guint i = 0; i < diagnostics->records->len; i++) {
        const CcRecord *record = g_ptr_array_index(diagnostics->records, i);
        emit(diagnostics, record);
        for (guint k = 0; record->children && k < record->children->len; k++)
            emit(diagnostics, g_ptr_array_index(record->children, k));
    }
    g_ptr_array_set_size(diagnostics->records, 0);
}

static void write_document(CcDiagnostics *diagnostics)
{
    bool sarif = diagnostics->format == CC_DIAGNOSTICS_SARIF || diagnostics->format == CC_DIAGNOSTICS_SARIF_FILE;
    bool file = diagnostics->format == CC_DIAGNOSTICS_JSON_FILE || diagnostics->format == CC_DIAGNOSTICS_SARIF_FILE;
    GString *out = g_string_new(NULL);
    if (sarif)
        cc_diagnostics_write_sarif(diagnostics, out);
    else
        cc_diagnostics_write_json(diagnostics, out);
    if (file) {
        const char *name = diagnostics->name && strcmp(diagnostics->name, "-") != 0 ? diagnostics->name : "stdin";
        char *base = g_path_get_basename(name), *path = g_strconcat(base, sarif ? ".sarif" : ".gcc.json", NULL);
        GError *error = NULL;
        if (!g_file_set_contents(path, out->str, (gssize)out->len, &error))
            fprintf(stderr, "orrery: error: cannot write the diagnostics: %s\n", error->message);
        g_clear_error(&error);
        g_free(path);
        g_free(base);
    } else
        fputs(out->str, stderr);
    g_string_free(out, TRUE);
}

/* Prints "2 warnings and 1 error generated." for people, so only on a terminal. */
static void summarise(const CcDiagnostics *diagnostics)
{
    unsigned e = diagnostics->errors, w = diagnostics->warnings;
    if (diagnostics->sink || (!e && !w) || !isatty(STDERR_FILENO))
        return;
    if (w)
        fprintf(stderr, "%u warning%s%s", w, w == 1 ? "" : "s", e ? " and " : "");
    if (e)
        fprintf(stderr, "%u error%s", e, e == 1 ? "" : "s");
    fputs(" generated.\n", stderr);
}

void cc_diagnostics_free(CcDiagnostics *diagnostics)
{
    if (!diagnostics)
        return;
    cc_diagnostics_flush(diagnostics);
    if (diagnostics->format == CC_DIAGNOSTICS_TEXT)
        summarise(diagnostics);
    else if (!diagnostics->sink)
        write_document(diagnostics);
    g_ptr_array_free(diagnostics->records, TRUE);
    g_hash_table_destroy(diagnostics->sources);
    g_hash_table_destroy(diagnostics->inclusions);
    g_hash_table_destroy(diagnostics->files);
    g_free(diagnostics->name);
    g_free(diagnostics);
}

/* -- collecting -------------------------------------------------------------------------------- */

static void append(CcDiagnostics *diagnostics, CcRecord *record)
{
    record->number = diagnostics->records->len;
    if (record->severity == CC_NOTE && diagnostics->last) {
        if (!diagnostics->last->children)
            diagnostics->last->children = g_ptr_array_new_with_free_func(record_free);
        g_ptr_array_add(diagnostics->last->children, record);
        return;
    }
    g_ptr_array_add(diagnostics->records, record);
    diagnostics->last = record;
}

static void count(CcDiagnostics *diagnostics, const CcRecord *record)
{
    diagnostics->warnings += record->severity == CC_WARNING;
    diagnostics->errors += record->severity >= CC_SEVERITY_ERROR;
    diagnostics->raised += record->severity >= CC_SEVERITY_ERROR && record->from_warning;
    if (record->severity == CC_FATAL)
        diagnostics->stopped = true;
    else if (record->severity == CC_SEVERITY_ERROR && diagnostics->most_errors &&
             diagnostics->errors >= diagnostics->most_errors) {
        CcRecord *last = g_new0(CcRecord, 1);
        last->severity = CC_FATAL;
        last->file = record->file;
        last->length = 1;
        last->place = UINT64_MAX;
        last->text = diagnostics->limit ? g_strdup_printf("too many errors, stopping now (%s)", diagnostics->limit)
                                        : g_strdup("too many errors, stopping now");
        last->number = diagnostics->records->len;
        g_ptr_array_add(diagnostics->records, last);
        diagnostics->stopped = true;
    }
}

/* Cuts out the middle of an unreadably long message, as a name of a mebibyte makes it. Takes ownership of `text` and
 * returns an allocated text. */
static char *shortened(char *text)
{
    enum { MOST = 2000, HEAD = 1500, TAIL = 300 };
    size_t length = strlen(text), head = HEAD, tail = length - MIN(TAIL, length);
    if (length <= MOST)
        return text;
    while ((text[head] & 0xc0) == 0x80) /* do not cut within a UTF-8 character */
        head--;
    while ((text[tail] & 0xc0) == 0x80)
        tail++;
    char *result = g_strdup_printf("%.*s[...]%s", (int)head, text, text + tail);
    g_free(text);
    return result;
}

static CcRecord *record_new(CcDiagnostics *diagnostics, const CcDiagnostic *d)
{
    CcRecord *record = g_new0(CcRecord, 1);
    record->severity = d->severity;
    record->file = intern(diagnostics, d->file);
    record->line = d->line;
    record->column = d->column;
    record->length = MAX(d->length, 1);
    record->option = d->option;
    record->text = shortened(cc_diagnostics_printable(d->text));
    return record;
}

/* Moves the record to its place in the user's file. Returns false if the marked text came out of a macro. */
static bool place(CcDiagnostics *diagnostics, CcRecord *record, CcLine seen)
{
    bool there = true;
    CcLine line = seen;
    if (record->file && record->line) {
        CcLine user = cc_source_line(diagnostics, record->file, record->line);
        if (user.text && seen.text && record->column)
            there = cc_source_find_column(user, seen, &record->column, &record->length);
        if (user.text && seen.text && record->range_column &&
            !cc_source_find_column(user, seen, &record->range_column, &record->range_length))
            record->range_column = 0;
        if (user.text)
            line = user;
    }
    record->snippet = cc_source_snippet(line, record->column);
    return there;
}

void cc_diagnostics_add(CcDiagnostics *diagnostics, const CcDiagnostic *diagnostic, const char *seen_line,
                        size_t seen_size)
{
    if (diagnostics->stopped)
        return;
    CcRecord *record = record_new(diagnostics, diagnostic);
    place(diagnostics, record, (CcLine){seen_line, seen_size});
    append(diagnostics, record);
    count(diagnostics, record);
}

void cc_diagnostics_included(CcDiagnostics *diagnostics, const char *file, const char *chain)
{
    g_hash_table_insert(diagnostics->inclusions, g_strdup(file), g_strdup(chain));
}

/* -- reports from within a unit ---------------------------------------------------------------- */

/* Returns the whole line at `loc`, which may be cut into pieces by several markers. `first` is its first piece, behind
 * markers[i - 1]. */
static CcLine join_pieces(CcSeen *seen, CcLine first, guint i, CcLoc loc)
{
    if (i >= seen->markers->len || g_array_index(seen->markers, CcMarker, i).line != loc.line ||
        g_array_index(seen->markers, CcMarker, i).file != loc.file)
        return first;
    if (!seen->joined)
        seen->joined = g_string_new(NULL);
    g_string_truncate(seen->joined, 0);
    g_string_append_len(seen->joined, first.text, (gssize)first.size);
    for (; i < seen->markers->len; i++) {
        CcMarker marker = g_array_index(seen->markers, CcMarker, i);
        CcCursor cursor = {0, 0};
        if (marker.line != loc.line || marker.file != loc.file)
            break;
        CcLine piece = cc_source_nth_line(seen->text + marker.offset, seen->size - marker.offset, 1, &cursor);
        g_string_append_len(seen->joined, piece.text, (gssize)piece.size);
    }
    return (CcLine){seen->joined->str, seen->joined->len};
}

/* Returns the preprocessed line of a location. *offset is the line's offset in the text. */
static CcLine seen_line_at(const CcUnit *unit, CcLoc loc, size_t *offset)
{
    *offset = 0;
    CcSeen *seen = unit->seen;
    if (!seen || !seen->text || !loc.line)
        return (CcLine){NULL, 0};
    for (guint i = 0; i <= seen->markers->len; i++) {
        CcMarker marker = i ? g_array_index(seen->markers, CcMarker, i - 1) : (CcMarker){0, 0, 1, 0};
        size_t end = i < seen->markers->len ? g_array_index(seen->markers, CcMarker, i).offset : seen->size;
        end = MIN(end, seen->size); /* a marker on the last line without newline has an offset behind the end */
        if (marker.file != loc.file || marker.line > loc.line || marker.offset >= seen->size ||
            (marker.last && marker.last < loc.line))
            continue;
        if (end < marker.offset || loc.line - marker.line > end - marker.offset)
            continue; /* more lines than bytes: to look there would lose the place in the stretch that has the line */
        if (seen->seen_marker != i) { /* another stretch of text: its lines are counted from its start */
            seen->seen_marker = i;
            seen->seen_offset = 0;
            seen->seen_line = 0;
        }
        CcCursor cursor = {seen->seen_offset, seen->seen_line};
        CcLine line =
            cc_source_nth_line(seen->text + marker.offset, end - marker.offset, loc.line - marker.line + 1, &cursor);
        seen->seen_offset = cursor.offset;
        seen->seen_line = cursor.line;
        if (line.text < seen->text + end && line.size > 0 && line.text[0] != '#') {
            *offset = (size_t)(line.text - seen->text);
            return join_pieces(seen, line, i, loc);
        }
    }
    return (CcLine){NULL, 0};
}

static CcLine seen_line(const CcUnit *unit, CcLoc loc)
{
    size_t offset;
    return seen_line_at(unit, loc, &offset);
}

const char *cc_report_seen_text(const CcUnit *unit, CcLoc loc, size_t *size)
{
    CcLine line = seen_line(unit, loc);
    if (!line.text || !loc.column || loc.column > line.size)
        return NULL;
    *size = line.size - loc.column + 1;
    return line.text + loc.column - 1;
}

static bool in_system_header(const CcUnit *unit, CcLoc loc)
{
    return unit->seen && loc.file < unit->seen->system->len && unit->seen->system->data[loc.file];
}

bool cc_report_is_from_macro(CcUnit *unit, CcLoc loc)
{
    const char *file = loc.file < unit->files->len ? g_ptr_array_index(unit->files, loc.file) : unit->name;
    CcLine seen = seen_line(unit, loc), user = cc_source_line(unit->diagnostics, file, loc.line);
    unsigned column = loc.column, length = loc.length;
    return user.text && seen.text && column && !cc_source_find_column(user, seen, &column, &length);
}

const char *cc_report_source_at(CcUnit *unit, CcLoc loc, size_t *size, size_t *at)
{
    const char *file = loc.file < unit->files->len ? g_ptr_array_index(unit->files, loc.file) : unit->name;
    CcLine seen = seen_line(unit, loc), user = cc_source_line(unit->diagnostics, file, loc.line);
    unsigned column = loc.column, length = MAX(loc.length, 1);
    if (!user.text || !seen.text || !column || !cc_source_find_column(user, seen, &column, &length))
        return NULL;
    *size = user.size;
    *at = column - 1;
    return user.text;
}

/* Records the chain of inclusions in gcc's words. The file named on the command line has none. */
static void note_inclusion(CcUnit *unit, CcLoc loc, const char *file)
{
    const CcSeen *seen = unit->seen;
    if (!seen || loc.file >= seen->includers->len || g_hash_table_contains(unit->diagnostics->inclusions, file))
        return;
    GString *chain = g_string_new(NULL);
    CcIncluder at = g_array_index(seen->includers, CcIncluder, loc.file);
    for (unsigned depth = 0; at.line && at.file < seen->includers->len && depth < 200; depth++) {
        g_string_append_printf(chain, "%s%s%s:%u", chain->len ? ",\n" : "",
                               chain->len ? "                 from " : "In file included from ",
                               (char *)g_ptr_array_index(unit->files, at.file), at.line);
        at = g_array_index(seen->includers, CcIncluder, at.file);
    }
    if (chain->len) {
        g_string_append(chain, ":\n");
        cc_diagnostics_included(unit->diagnostics, file, chain->str);
    }
    g_string_free(chain, TRUE);
}

/* Whether a file is a system header. Its macros, like NULL or MPI_INT, need no note. */
static bool is_system_file(const CcUnit *unit, const char *file)
{
    for (guint i = 0; i < unit->files->len && i < unit->seen->system->len; i++)
        if (strcmp(g_ptr_array_index(unit->files, i), file) == 0)
            return unit->seen->system->data[i];
    return false;
}

/* Adds a note that says where the macro that the record marks is defined. */
static void note_macro(CcUnit *unit, const CcRecord *record)
{
    size_t from = record->snippet.from, at = record->column - 1 - from;
    if (!record->snippet.text || record->column <= from || at + record->length > record->snippet.size)
        return;
    char *name = g_strndup(record->snippet.text + at, record->length);
    const CcMacroPlace *macro = cc_macro_find(unit, name);
    if (macro && !is_system_file(unit, macro->file)) {
        char *text = g_strdup_printf("in expansion of macro '%s'", name);
        CcDiagnostic note = {.severity = CC_NOTE,
                             .file = macro->file,
                             .line = macro->line,
                             .column = macro->column,
                             .length = record->length,
                             .text = text};
        CcRecord *child = record_new(unit->diagnostics, &note);
        place(unit->diagnostics, child, (CcLine){NULL, 0});
        append(unit->diagnostics, child);
        g_free(text);
    }
    g_free(name);
}

typedef struct Report {
    CcSeverity severity;
    CcLoc loc, range;
    const char *option;
} Report;

/* Whether the report is switched on at this place. Raises its severity if the user wants warnings as errors. */
static bool is_wanted(CcUnit *unit, Report *report, size_t offset)
{
    if (report->severity == CC_NOTE)
        return !unit->diagnostics->dropped;
    unit->diagnostics->dropped = false;
    if (report->severity != CC_WARNING)
        return true;
    if (in_system_header(unit, report->loc) || !cc_warning_severity(unit, report->option, offset, &report->severity))
        unit->diagnostics->dropped = true;
    return !unit->diagnostics->dropped;
}

static void report(CcUnit *unit, Report what, const char *format, va_list list)
{
    CcDiagnostics *diagnostics = unit->diagnostics;
    if (diagnostics->stopped)
        return;
    CcLoc loc = what.loc;
    bool warning = what.severity == CC_WARNING;
    size_t offset;
    CcLine seen = seen_line_at(unit, loc, &offset);
    if (!is_wanted(unit, &what, seen.text ? offset + loc.column : 0))
        return;
    const char *file = loc.line && loc.file < unit->files->len ? g_ptr_array_index(unit->files, loc.file) : unit->name;
    char *text = g_strdup_vprintf(format, list);
    CcDiagnostic diagnostic = {.severity = what.severity,
                               .file = file,
                               .line = loc.line,
                               .column = loc.column,
                               .length = loc.length,
                               .option = what.option,
                               .text = text};
    CcRecord *record = record_new(diagnostics, &diagnostic);
    g_free(text);
    record->from_warning = warning;
    if (what.range.line == loc.line && what.range.file == loc.file) {
        record->range_column = what.range.column;
        record->range_length = what.range.length;
    }
    record->place = seen.text ? (uint64_t)offset + loc.column + 1 : 0;
    if (!record->place && diagnostics->last)
        record->place = diagnostics->last->place;
    bool there = place(diagnostics, record, seen);
    append(diagnostics, record);
    if (what.severity != CC_NOTE) {
        note_inclusion(unit, loc, file);
        if (!there)
            note_macro(unit, record);
        count(diagnostics, record);
    }
}

void cc_report(CcUnit *unit, CcSeverity severity, CcLoc loc, const char *option, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    report(unit, (Report){severity, loc, {0, 0, 0, 0}, option}, format, list);
    va_end(list);
}

bool cc_report_list(CcUnit *unit, CcSeverity severity, CcLoc loc, const char *option, const char *format, va_list list)
{
    report(unit, (Report){severity, loc, {0, 0, 0, 0}, option}, format, list);
    return has_stopped(unit->diagnostics);
}

void cc_report_range(CcUnit *unit, CcSeverity severity, CcLoc loc, CcLoc range, const char *option, const char *format,
                     ...)
{
    va_list list;
    va_start(list, format);
    report(unit, (Report){severity, loc, range, option}, format, list);
    va_end(list);
}

bool cc_report_find_word(CcUnit *unit, CcLoc *loc, const char *word)
{
    const char *file = loc->file < unit->files->len ? g_ptr_array_index(unit->files, loc->file) : unit->name;
    CcLine user = cc_source_line(unit->diagnostics, file, loc->line);
    size_t at = (size_t)loc->column - 1, n = strlen(word);
    if (!user.text || !loc->column || !n)
        return false;
    if (at + n <= user.size && memcmp(user.text + at, word, n) == 0 &&
        cc_word_size(user.text + at, user.text + user.size) == n &&
        (at == 0 || !cc_word_size(user.text + at - 1, user.text + at)))
        return true;
    CcLine seen = seen_line(unit, *loc);
    unsigned column = loc->column, length = loc->length;
    if (!seen.text || !cc_source_find_column(user, seen, &column, &length))
        return false;
    at = column - 1;
    if (at + n > user.size || memcmp(user.text + at, word, n) != 0)
        return false;
    loc->column = (uint16_t)MIN(column, UINT16_MAX);
    return true;
}

void cc_report_forget_line(CcUnit *unit, CcLoc loc)
{
    CcDiagnostics *diagnostics = unit->diagnostics;
    const char *file = loc.file < unit->files->len ? g_ptr_array_index(unit->files, loc.file) : unit->name;
    while (diagnostics->records->len && !diagnostics->stopped) {
        guint last = diagnostics->records->len - 1;
        const CcRecord *record = g_ptr_array_index(diagnostics->records, last);
        if (record->severity != CC_SEVERITY_ERROR || record->from_warning || record->line != loc.line ||
            strcmp(record->file, file) != 0)
            return;
        diagnostics->errors--;
        diagnostics->last = NULL;
        g_ptr_array_remove_index(diagnostics->records, last);
    }
}

/* Returns the last record if it may get a correction at `loc`, else NULL. */
static CcRecord *record_to_fix(const CcUnit *unit, CcLoc loc)
{
    CcRecord *record = unit->diagnostics->last;
    return unit->diagnostics->dropped || !record || record->fix || loc.line != record->line ? NULL : record;
}

void cc_report_fix_word(CcUnit *unit, CcLoc loc, const char *word, const char *replacement)
{
    CcRecord *record = record_to_fix(unit, loc);
    if (!record)
        return;
    CcLine seen = seen_line(unit, loc), user = cc_source_line(unit->diagnostics, record->file, loc.line);
    unsigned column = loc.column, length = MAX(loc.length, 1);
    if (user.text && seen.text)
        cc_source_find_column(user, seen, &column, &length); /* of the macro, if it is one */
    size_t n = strlen(word), at = column - 1;
    if (!user.text || at + n > user.size || memcmp(user.text + at, word, n) != 0 ||
        cc_word_size(user.text + at, user.text + user.size) != n)
        return;
    record->fix = cc_diagnostics_printable(replacement);
    record->fix_column = column;
    record->fix_length = (unsigned)n;
}

void cc_report_fix(CcUnit *unit, CcLoc loc, const char *replacement)
{
    CcRecord *record = record_to_fix(unit, loc);
    if (!record)
        return;
    CcLine seen = seen_line(unit, loc), user = cc_source_line(unit->diagnostics, record->file, loc.line);
    unsigned column = loc.column, length = MAX(loc.length, 1);
    if (user.text && seen.text && !cc_source_find_column(user, seen, &column, &length))
        return; /* within a macro: the correction might be wrong elsewhere */
    record->fix = cc_diagnostics_printable(replacement);
    record->fix_column = column;
    record->fix_length = loc.length ? length : 0;
}
