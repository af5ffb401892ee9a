/* diagnostics_json.c - diagnostics for programs: gcc's JSON, and SARIF 2.1.0 (OASIS).
 *
 * The JSON is that of gcc 10 and later: an array of objects with kind, message, option, locations of caret, start and
 * finish, fixits and children. The SARIF is one run. Its rules are the warnings of warnings.def with their help texts.
 */
#include "compiler/compiler.h"
#include "compiler/report/diagnostics.h"

#include <string.h>

/* -- writing JSON ------------------------------------------------------------------------------ */

static void put_string(GString *out, const char *text)
{
    char *valid = g_utf8_make_valid(text, -1);
    g_string_append_c(out, '"');
    for (const char *c = valid; *c; c++) {
        if (*c == '"' || *c == '\\')
            g_string_append_printf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            g_string_append_printf(out, "\\u%04x", (unsigned)*c);
        else
            g_string_append_c(out, *c);
    }
    g_string_append_c(out, '"');
    g_free(valid);
}

/* Appends a comma unless the object or array is empty, then "key": unless the key is NULL. */
static void put_key(GString *out, const char *key)
{
    char last = out->len ? out->str[out->len - 1] : '{';
    g_string_append(out, last == '{' || last == '[' ? "" : ", ");
    if (!key)
        return;
    put_string(out, key);
    g_string_append(out, ": ");
}

static void put_text(GString *out, const char *key, const char *text)
{
    put_key(out, key);
    put_string(out, text);
}

static void put_number(GString *out, const char *key, unsigned number)
{
    put_key(out, key);
    g_string_append_printf(out, "%u", number);
}

static void put_open(GString *out, const char *key, char bracket)
{
    put_key(out, key);
    g_string_append_c(out, bracket);
}

/* Returns the character column (from 1) of a byte column. Bytes outside the snippet count as one character each. */
static unsigned character_column(const CcRecord *record, unsigned column)
{
    const CcSnippet *snippet = &record->snippet;
    if (!snippet->text || column <= snippet->from || snippet->from)
        return column;
    unsigned n = 1;
    for (size_t i = 0; i < snippet->size && i + 1 < column; i++)
        n += ((unsigned char)snippet->text[i] & 0xc0) != 0x80;
    return column > snippet->size ? n + (unsigned)(column - 1 - snippet->size) : n;
}

/* Returns the byte column of the last marked byte. */
static unsigned finish_column(const CcRecord *record)
{
    unsigned end = record->column + record->length - 1;
    size_t line_end = record->snippet.from + record->snippet.size;
    return record->snippet.text && end > line_end ? MAX((unsigned)line_end, record->column) : end;
}

/* -- gcc's JSON -------------------------------------------------------------------------------- */

static void put_place(GString *out, const char *key, const CcRecord *record, unsigned column)
{
    put_open(out, key, '{');
    put_text(out, "file", record->file ? record->file : "");
    put_number(out, "line", record->line);
    put_number(out, "display-column", character_column(record, column));
    put_number(out, "byte-column", column);
    put_number(out, "column", character_column(record, column));
    g_string_append_c(out, '}');
}

static void put_fix(GString *out, const CcRecord *record)
{
    put_open(out, "fixits", '[');
    put_open(out, NULL, '{');
    put_place(out, "start", record, record->fix_column);
    put_place(out, "next", record, record->fix_column + record->fix_length);
    put_text(out, "string", record->fix);
    g_string_append(out, "}]");
}

static const char *kind_of(const CcRecord *record)
{
    static const char *const kinds[] = {
        [CC_NOTE] = "note", [CC_WARNING] = "warning", [CC_SEVERITY_ERROR] = "error", [CC_FATAL] = "fatal error"};
    return kinds[record->severity];
}

static void put_record(GString *out, const CcRecord *record)
{
    put_open(out, NULL, '{');
    put_text(out, "kind", kind_of(record));
    put_text(out, "message", record->text);
    if (record->option) {
        bool error = record->from_warning && record->severity >= CC_SEVERITY_ERROR;
        char *option = g_strconcat(error ? "-Werror=" : "-W", record->option + 2, NULL);
        put_text(out, "option", option);
        g_free(option);
    }
    put_open(out, "locations", '[');
    if (record->line) {
        put_open(out, NULL, '{');
        put_place(out, "caret", record, record->column);
        if (record->column && record->length > 1) {
            put_place(out, "start", record, record->column);
            put_place(out, "finish", record, finish_column(record));
        }
        g_string_append_c(out, '}');
    }
    g_string_append_c(out, ']');
    if (record->fix)
        put_fix(out, record);
    if (record->severity != CC_NOTE) {
        put_open(out, "children", '[');
        for (guint i = 0; record->children && i < record->children->len; i++)
            put_record(out, g_ptr_array_index(record->children, i));
        g_string_append_c(out, ']');
    }
    put_number(out, "column-origin", 1);
    put_key(out, "escape-source");
    g_string_append(out, "false}");
}

void cc_diagnostics_write_json(const CcDiagnostics *diagnostics, GString *out)
{
    g_string_append_c(out, '[');
    for (guint i = 0; i < diagnostics->records->len; i++)
        put_record(out, g_ptr_array_index(diagnostics->records, i));
    g_string_append(out, "]\n");
}

/* -- SARIF ------------------------------------------------------------------------------------- */

/* Appends "key": {"text": "..."}, SARIF's form of a message. */
static void put_message(GString *out, const char *key, const char *text)
{
    put_open(out, key, '{');
    put_text(out, "text", text);
    g_string_append_c(out, '}');
}

static void put_artifact(GString *out, const char *key, const char *file)
{
    char *uri = g_path_is_absolute(file) ? g_filename_to_uri(file, NULL, NULL)
                                         : g_uri_escape_string(file, G_URI_RESERVED_CHARS_ALLOWED_IN_PATH, FALSE);
    put_open(out, key, '{');
    put_text(out, "uri", uri ? uri : file);
    if (!g_path_is_absolute(file))
        put_text(out, "uriBaseId", "PWD");
    g_string_append_c(out, '}');
    g_free(uri);
}

static void put_physical_location(GString *out, const CcRecord *record)
{
    put_open(out, "physicalLocation", '{');
    put_artifact(out, "artifactLocation", record->file);
    if (record->line) {
        put_open(out, "region", '{');
        put_number(out, "startLine", record->line);
        if (record->column) {
            put_number(out, "startColumn", character_column(record, record->column));
            put_number(out, "endColumn", character_column(record, finish_column(record)) + 1);
        }
        g_string_append_c(out, '}');
        if (record->snippet.text && !record->snippet.from) {
            put_open(out, "contextRegion", '{');
            put_number(out, "startLine", record->line);
            put_message(out, "snippet", record->snippet.text);
            g_string_append_c(out, '}');
        }
    }
    g_string_append_c(out, '}');
}

static void put_related(GString *out, const CcRecord *record)
{
    put_open(out, "relatedLocations", '[');
    for (guint i = 0; i < record->children->len; i++) {
        const CcRecord *child = g_ptr_array_index(record->children, i);
        put_open(out, NULL, '{');
        put_number(out, "id", i);
        if (child->file)
            put_physical_location(out, child);
        put_message(out, "message", child->text);
        g_string_append_c(out, '}');
    }
    g_string_append_c(out, ']');
}

static void put_sarif_fix(GString *out, const CcRecord *record)
{
    put_open(out, "fixes", '[');
    put_open(out, NULL, '{');
    put_open(out, "artifactChanges", '[');
    put_open(out, NULL, '{');
    put_artifact(out, "artifactLocation", record->file);
    put_open(out, "replacements", '[');
    put_open(out, NULL, '{');
    put_open(out, "deletedRegion", '{');
    put_number(out, "startLine", record->line);
    put_number(out, "startColumn", character_column(record, record->fix_column));
    put_number(out, "endColumn", character_column(record, record->fix_column + record->fix_length));
    g_string_append_c(out, '}');
    put_message(out, "insertedContent", record->fix);
    g_string_append(out, "}]}]}]");
}

static void put_result(GString *out, const CcRecord *record)
{
    put_open(out, NULL, '{');
    put_text(out, "ruleId", record->option ? record->option : "error");
    if (record->option)
        put_number(out, "ruleIndex", (unsigned)cc_warning_find(record->option));
    put_text(out, "level", record->severity == CC_WARNING ? "warning" : record->severity == CC_NOTE ? "note" : "error");
    put_message(out, "message", record->text);
    put_open(out, "locations", '[');
    if (record->file) {
        put_open(out, NULL, '{');
        put_physical_location(out, record);
        g_string_append_c(out, '}');
    }
    g_string_append_c(out, ']');
    if (record->children)
        put_related(out, record);
    if (record->fix && record->file)
        put_sarif_fix(out, record);
    g_string_append_c(out, '}');
}

static void put_rules(GString *out)
{
    put_open(out, "rules", '[');
    for (unsigned i = 0; i < CC_WARNING_COUNT; i++) {
        const char *help;
        put_open(out, NULL, '{');
        put_text(out, "id", cc_warning_describe((CcWarningId)i, &help, NULL));
        put_message(out, "shortDescription", help);
        put_message(out, "help", help);
        g_string_append_c(out, '}');
    }
    g_string_append_c(out, ']');
}

/* Appends the list of the files that have results, each file once. */
static void put_artifacts(const CcDiagnostics *diagnostics, GString *out)
{
    GHashTable *known = g_hash_table_new(g_str_hash, g_str_equal);
    put_open(out, "artifacts", '[');
    for (guint i = 0; i < diagnostics->records->len; i++) {
        const CcRecord *record = g_ptr_array_index(diagnostics->records, i);
        if (!record->file || !g_hash_table_add(known, (gpointer)record->file))
            continue;
        put_open(out, NULL, '{');
        put_artifact(out, "location", record->file);
        put_text(out, "sourceLanguage", "c");
        g_string_append_c(out, '}');
    }
    g_string_append_c(out, ']');
    g_hash_table_destroy(known);
}

void cc_diagnostics_write_sarif(const CcDiagnostics *diagnostics, GString *out)
{
    char *directory = g_get_current_dir(), *folder = g_strconcat(directory, "/", NULL);
    char *base = g_filename_to_uri(folder, NULL, NULL);
    put_open(out, NULL, '{');
    put_text(out, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    put_text(out, "version", "2.1.0");
    put_open(out, "runs", '[');
    put_open(out, NULL, '{');
    put_open(out, "tool", '{');
    put_open(out, "driver", '{');
    put_text(out, "name", "orrery cc");
    put_text(out, "version", ORRERY_VERSION);
    put_rules(out);
    g_string_append(out, "}}");
    put_open(out, "invocations", '[');
    put_open(out, NULL, '{');
    put_key(out, "executionSuccessful");
    g_string_append(out, diagnostics->errors ? "false" : "true");
    g_string_append(out, "}]");
    put_open(out, "originalUriBaseIds", '{');
    put_open(out, "PWD", '{');
    put_text(out, "uri", base ? base : "file:///");
    g_string_append(out, "}}");
    put_artifacts(diagnostics, out);
    put_text(out, "columnKind", "unicodeCodePoints");
    put_open(out, "results", '[');
    for (guint i = 0; i < diagnostics->records->len; i++)
        put_result(out, g_ptr_array_index(diagnostics->records, i));
    g_string_append(out, "]}]}\n");
    g_free(directory);
    g_free(folder);
    g_free(base);
}
