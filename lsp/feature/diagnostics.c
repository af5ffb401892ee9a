/* diagnostics.c - what the compiler has to say, and the corrections that it suggests, as code actions. */
#include "lsp/feature/feature.h"

#include <string.h>

static size_t clamp_to_line(LspDocument *document, unsigned line, size_t column)
{
    size_t start = lsp_document_line_start(document, line ? line - 1 : 0),
           end = lsp_document_line_end(document, line ? line - 1 : 0);
    return MIN(start + (column ? column - 1 : 0), end);
}

static json_t *range_of(LspServer *server, LspDocument *document, const LspDiagnostic *one)
{
    size_t from = clamp_to_line(document, one->line, one->column);
    size_t to = clamp_to_line(document, one->line, (size_t)one->column + MAX(one->length, 1));
    return lsp_document_range(document, from,
                              one->column ? to : lsp_document_line_end(document, one->line ? one->line - 1 : 0),
                              server->utf8);
}

static json_t *related(LspServer *server, const GPtrArray *notes)
{
    json_t *list = json_array();
    for (guint i = 0; notes && i < notes->len; i++) {
        const LspDiagnostic *note = g_ptr_array_index(notes, i);
        LspDocument *document = note->file ? lsp_document_at(server, note->file) : NULL;
        if (document)
            json_array_append_new(list, json_pack("{s:{s:s, s:o}, s:o}", "location", "uri", document->uri, "range",
                                                  range_of(server, document, note), "message",
                                                  json_string_nocheck(note->text)));
    }
    return list;
}

static json_t *diagnostic(LspServer *server, LspDocument *document, const LspDiagnostic *one)
{
    static const int severities[] = {[CC_NOTE] = 3, [CC_WARNING] = 2, [CC_SEVERITY_ERROR] = 1, [CC_FATAL] = 1};
    json_t *result =
        json_pack("{s:o, s:i, s:s, s:o}", "range", range_of(server, document, one), "severity",
                  severities[one->severity], "source", "orrery", "message", json_string_nocheck(one->text));
    json_t *notes = related(server, one->notes);
    if (one->option)
        json_object_set_new(result, "code", json_string(one->option));
    if (one->option && g_str_has_prefix(one->option, "-Wunused"))
        json_object_set_new(result, "tags", json_pack("[i]", 1));
    if (json_array_size(notes))
        json_object_set_new(result, "relatedInformation", notes);
    else
        json_decref(notes);
    return result;
}

static bool is_here(const LspDocument *document, const LspDiagnostic *one)
{
    return !one->file || strcmp(one->file, document->path) == 0;
}

/* Adds what an including unit that is open says about this document, a header. */
static bool add_from_others(LspServer *server, LspDocument *document, json_t *list)
{
    bool included = false;
    g_autoptr(GList) documents = g_hash_table_get_values(server->documents);
    for (GList *at = documents; at; at = at->next) {
        LspAnalysis *unit = at->data == document ? NULL : lsp_analysis(server, at->data);
        if (!unit || !unit->index || lsp_analysis_file(unit->index, document->path) == UINT32_MAX)
            continue;
        included = true;
        for (guint i = 0; i < unit->diagnostics->len; i++) {
            const LspDiagnostic *one = g_ptr_array_index(unit->diagnostics, i);
            if (one->file && strcmp(one->file, document->path) == 0)
                json_array_append_new(list, diagnostic(server, document, one));
        }
    }
    return included;
}

json_t *lsp_diagnostics(LspServer *server, LspDocument *document)
{
    json_t *list = json_array();
    if (!g_str_has_suffix(document->path, ".h") || !add_from_others(server, document, list)) {
        const LspAnalysis *analysis = lsp_analysis(server, document);
        for (guint i = 0; i < analysis->diagnostics->len; i++) {
            const LspDiagnostic *one = g_ptr_array_index(analysis->diagnostics, i);
            if (is_here(document, one))
                json_array_append_new(list, diagnostic(server, document, one));
        }
    }
    return json_pack("{s:s, s:I, s:o}", "uri", document->uri, "version", document->version, "diagnostics", list);
}

/* -- code actions ------------------------------------------------------------------------------ */

static json_t *action(LspServer *server, LspDocument *document, const LspDiagnostic *one, const char *title,
                      size_t from, size_t to, const char *text)
{
    json_t *edit = json_pack("{s:o, s:o}", "range", lsp_document_range(document, from, to, server->utf8), "newText",
                             json_string_nocheck(text));
    return json_pack("{s:o, s:s, s:b, s:[o], s:{s:{s:[o]}}}", "title", json_string_nocheck(title), "kind", "quickfix",
                     "isPreferred", 1, "diagnostics", diagnostic(server, document, one), "edit", "changes",
                     document->uri, edit);
}

/* Returns the offset behind the last #include of a document, or its start. */
static size_t behind_includes(LspDocument *document)
{
    size_t behind = 0;
    for (size_t line = 0; line < lsp_document_lines(document); line++) {
        const char *at = document->text->str + lsp_document_line_start(document, line);
        at += strspn(at, " \t");
        if (*at == '#' && g_str_has_prefix(at + 1 + strspn(at + 1, " \t"), "include"))
            behind = lsp_document_line_start(document, line + 1);
    }
    return behind;
}

static json_t *fix_action(LspServer *server, LspDocument *document, const LspDiagnostic *one)
{
    if (one->fix) {
        size_t from = clamp_to_line(document, one->line, one->fix_column);
        size_t to = clamp_to_line(document, one->line, (size_t)one->fix_column + one->fix_length);
        g_autofree char *title = !one->fix_length ? g_strdup_printf("Insert '%s'", one->fix)
                                 : !*one->fix     ? g_strdup("Remove this")
                                                  : g_strdup_printf("Change to '%s'", one->fix);
        return action(server, document, one, title, from, to, one->fix);
    }
    static const char word[] = "; include <";
    const char *header = strstr(one->text, word);
    if (!header)
        return NULL;
    g_autofree char *name = g_strndup(header + strlen(word), strcspn(header + strlen(word), ">"));
    g_autofree char *text = g_strdup_printf("#include <%s>\n", name), *title = g_strdup_printf("Include <%s>", name);
    size_t at = behind_includes(document);
    return action(server, document, one, title, at, at, text);
}

json_t *lsp_diagnostics_actions(LspServer *server, const json_t *params)
{
    LspDocument *document =
        lsp_open_document(server, json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri")));
    const json_t *range = json_object_get(params, "range");
    json_t *result = json_array();
    if (!document)
        return result;
    size_t first =
        lsp_document_line_of(document, lsp_document_offset(document, json_object_get(range, "start"), server->utf8)) +
        1;
    size_t last =
        lsp_document_line_of(document, lsp_document_offset(document, json_object_get(range, "end"), server->utf8)) + 1;
    const LspAnalysis *analysis = lsp_analysis(server, document);
    for (guint i = 0; i < analysis->diagnostics->len; i++) {
        const LspDiagnostic *one = g_ptr_array_index(analysis->diagnostics, i);
        if (!is_here(document, one) || one->line < first || one->line > last)
            continue;
        json_t *fix = fix_action(server, document, one);
        if (fix)
            json_array_append_new(result, fix);
    }
    return result;
}
