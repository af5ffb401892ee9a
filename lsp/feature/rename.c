/* rename.c - gives a thing another name, everywhere, or refuses.
 *
 * Whether a name is free is asked of the compiler: the renamed text is parsed, and must have the same errors as before,
 * and exactly the renamed places as occurrences of the thing. So whatever would hide, or be hidden by, another is
 * found.
 */
#include "lsp/feature/feature.h"

#include <string.h>

static const char *refusal(const LspSpot *spot)
{
    if (!spot->word || spot->entity == CC_NO_ENTITY)
        return "there is no name here that can be changed";
    const CcEntity *entity = lsp_spot_entity(spot->analysis, spot->entity);
    if (entity->system)
        return "it is declared in a header of the system";
    if (strcmp(entity->name, spot->word) != 0)
        return "it came out of a macro";
    return strcmp(entity->name, "main") == 0 && entity->kind == CC_ENTITY_FUNCTION ? "main is where programs start"
                                                                                   : NULL;
}

json_t *lsp_prepare_rename(LspServer *server, const json_t *params)
{
    LspSpot spot;
    json_t *result = NULL;
    if (lsp_spot(server, params, &spot) && !refusal(&spot))
        result = json_pack("{s:o, s:s}", "range", lsp_document_range(spot.document, spot.from, spot.to, server->utf8),
                           "placeholder", spot.word);
    lsp_spot_clear(&spot);
    return result;
}

static unsigned count_errors(const LspAnalysis *analysis)
{
    unsigned errors = 0;
    for (guint i = 0; i < analysis->diagnostics->len; i++)
        errors += ((const LspDiagnostic *)g_ptr_array_index(analysis->diagnostics, i))->severity >= CC_SEVERITY_ERROR;
    return errors;
}

/* Returns whether the renamed text means the same: all places in this file are one thing, and no other is. */
static bool keeps_meaning(const LspAnalysis *before, const LspAnalysis *after, LspDocument *document,
                          const GArray *found, const char *name)
{
    g_autoptr(GHashTable) wanted = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    unsigned line = 0;
    int shift = 0;
    size_t n, met = 0;
    uint32_t entity = CC_NO_ENTITY;
    if (!after->index || count_errors(after) > count_errors(before))
        return false;
    for (guint i = 0; i < found->len; i++) {
        const LspFound *one = &g_array_index(found, LspFound, i);
        if (strcmp(one->path, document->path) != 0)
            continue;
        shift = one->line == line ? shift : 0;
        line = one->line;
        g_hash_table_add(wanted, g_strdup_printf("%u:%d", line, (int)one->column + shift));
        shift += (int)strlen(name) - (int)one->length;
    }
    const CcOccurrence *all = cc_index_occurrences(after->index, lsp_analysis_file(after->index, document->path), &n);
    for (size_t i = 0; i < n; i++) {
        g_autofree char *key = g_strdup_printf("%u:%u", all[i].place.line, all[i].place.column);
        if (!g_hash_table_contains(wanted, key))
            continue;
        if (entity != CC_NO_ENTITY && entity != all[i].entity)
            return false;
        entity = all[i].entity;
    }
    for (size_t i = 0; i < n; i++)
        met += all[i].entity == entity;
    return met == g_hash_table_size(wanted);
}

static char *renamed_text(LspDocument *document, const GArray *found, const char *name)
{
    GString *text = g_string_new_len(document->text->str, (gssize)document->text->len);
    for (guint i = found->len; i-- > 0;) {
        const LspFound *one = &g_array_index(found, LspFound, i);
        size_t from = lsp_document_line_start(document, one->line - 1) + one->column - 1;
        if (strcmp(one->path, document->path) != 0)
            continue;
        g_string_erase(text, (gssize)from, one->length);
        g_string_insert(text, (gssize)from, name);
    }
    return g_string_free(text, FALSE);
}

/* Returns why the new name cannot be given (g_free()), or NULL. */
static char *collision(LspServer *server, const LspSpot *spot, const GArray *found, const char *name)
{
    g_autofree char *text = renamed_text(spot->document, found, name);
    LspAnalysis *after = lsp_analysis_of_text(server, spot->document, text, strlen(text), NULL);
    bool good = keeps_meaning(spot->analysis, after, spot->document, found, name);
    lsp_analysis_free(after);
    if (good)
        return NULL;
    return g_strdup_printf("'%s' cannot become '%s': the name is taken where it is declared or used", spot->word, name);
}

static json_t *edits(LspServer *server, const GArray *found, const char *name)
{
    json_t *changes = json_object();
    for (guint i = 0; i < found->len; i++) {
        const LspFound *one = &g_array_index(found, LspFound, i);
        LspDocument *document = lsp_document_at(server, one->path);
        if (!document)
            continue;
        json_t *list = json_object_get(changes, document->uri);
        if (!list) {
            list = json_array();
            json_object_set_new(changes, document->uri, list);
        }
        size_t from = lsp_document_line_start(document, one->line - 1) + one->column - 1;
        json_array_append_new(list, json_pack("{s:o, s:s}", "range",
                                              lsp_document_range(document, from, from + one->length, server->utf8),
                                              "newText", name));
    }
    return json_pack("{s:o}", "changes", changes);
}

json_t *lsp_rename(LspServer *server, const json_t *params, char **why)
{
    LspSpot spot;
    json_t *result = NULL;
    const char *name = json_string_value(json_object_get(params, "newName")), *no;
    bool open = lsp_spot(server, params, &spot);
    if (!open || (no = refusal(&spot)))
        *why = g_strdup(open ? no : "the document is not open");
    else if (!name || !lsp_words_is_name(name))
        *why = g_strdup_printf("'%s' is not a name of C", name ? name : "");
    else {
        g_autoptr(GArray) found = lsp_spot_find(server, spot.analysis, spot.entity);
        *why = strcmp(name, spot.word) == 0 ? NULL : collision(server, &spot, found, name);
        if (!*why)
            result = edits(server, found, name);
    }
    lsp_spot_clear(&spot);
    return result;
}
