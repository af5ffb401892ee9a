/* symbols.c - the outline of a document, names of the workspace, and parts of a text that can be folded. */
#include "lsp/feature/feature.h"

#include <string.h>

/* The protocol's SymbolKind. */
static int symbol_kind(const CcEntity *entity)
{
    static const int kinds[] = {
        [CC_ENTITY_VARIABLE] = 13,   [CC_ENTITY_PARAMETER] = 13, [CC_ENTITY_FUNCTION] = 12, [CC_ENTITY_TYPEDEF] = 5,
        [CC_ENTITY_ENUMERATOR] = 22, [CC_ENTITY_STRUCT] = 23,    [CC_ENTITY_UNION] = 23,    [CC_ENTITY_ENUM] = 10,
        [CC_ENTITY_MEMBER] = 8,      [CC_ENTITY_LABEL] = 20};
    return kinds[entity->kind];
}

/* Returns the end of what begins with a name: the } of its body, or the ; behind it. */
static size_t extent(const LspDocument *document, const GArray *words, size_t from)
{
    int depth = 0;
    const char *text = document->text->str;
    guint low = 0, high = words->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(words, LspWord, middle).from < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (guint i = low; i < words->len; i++) {
        const LspWord *word = &g_array_index(words, LspWord, i);
        if (word->kind != LSP_SIGN || word->in_directive)
            continue;
        depth += strchr("({[", text[word->from]) != NULL;
        depth -= strchr(")}]", text[word->from]) != NULL;
        if (depth < 0 || (depth == 0 && strchr(";}", text[word->from])))
            return word->to;
        if (depth == 0 && text[word->from] == ',')
            return word->from;
    }
    return document->text->len;
}

static json_t *symbol(LspServer *server, LspDocument *document, const LspAnalysis *analysis, const GArray *words,
                      const CcOccurrence *one)
{
    const CcEntity *entity = lsp_spot_entity(analysis, one->entity);
    size_t from = lsp_document_line_start(document, one->place.line - 1) + one->place.column - 1;
    size_t start = lsp_document_line_start(document, one->place.line - 1), to = extent(document, words, from);
    g_autofree char *detail = cc_index_declaration(analysis->index, one->entity);
    while (start < from && g_ascii_isspace(document->text->str[start]))
        start++;
    if (entity->kind == CC_ENTITY_MEMBER || entity->kind == CC_ENTITY_ENUMERATOR)
        start = from;
    return json_pack("{s:s, s:o, s:i, s:o, s:o, s:[]}", "name", entity->name, "detail", json_string_nocheck(detail),
                     "kind", symbol_kind(entity), "range",
                     lsp_document_range(document, start, MAX(to, from), server->utf8), "selectionRange",
                     lsp_document_range(document, from, from + one->place.length, server->utf8), "children");
}

static bool is_outline(const CcEntity *entity, CcRole role)
{
    if (role == CC_ROLE_USE || entity->kind == CC_ENTITY_PARAMETER || entity->kind == CC_ENTITY_LABEL)
        return false;
    if (entity->kind == CC_ENTITY_MEMBER || entity->kind == CC_ENTITY_ENUMERATOR)
        return true;
    return entity->file_scope && (role == CC_ROLE_DEFINITION || !entity->defined || entity->kind == CC_ENTITY_TYPEDEF ||
                                  entity->kind == CC_ENTITY_VARIABLE);
}

json_t *lsp_document_symbols(LspServer *server, const json_t *params)
{
    LspDocument *document =
        lsp_open_document(server, json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri")));
    const LspAnalysis *analysis = document ? lsp_analysis(server, document) : NULL;
    json_t *result = json_array();
    size_t n;
    if (!analysis || !analysis->index)
        return result;
    g_autoptr(GArray) words = lsp_words(document->text->str, document->text->len);
    g_autoptr(GHashTable) made = g_hash_table_new(NULL, NULL); /* entity + 1 -> symbol */
    const CcOccurrence *all =
        cc_index_occurrences(analysis->index, lsp_analysis_file(analysis->index, document->path), &n);
    for (size_t i = 0; i < n; i++) {
        const CcEntity *entity = lsp_spot_entity(analysis, all[i].entity);
        if (!is_outline(entity, all[i].role))
            continue;
        json_t *around = entity->container == CC_NO_ENTITY
                             ? NULL
                             : g_hash_table_lookup(made, GUINT_TO_POINTER(entity->container + 1));
        if (!around && entity->kind == CC_ENTITY_MEMBER && entity->container != CC_NO_ENTITY &&
            !lsp_spot_entity(analysis, entity->container)->file_scope)
            continue; /* of a struct within a function */
        json_t *one = symbol(server, document, analysis, words, &all[i]);
        g_hash_table_insert(made, GUINT_TO_POINTER(all[i].entity + 1), one);
        json_array_append_new(around ? json_object_get(around, "children") : result, one);
    }
    return result;
}

json_t *lsp_workspace_symbols(LspServer *server, const json_t *params)
{
    enum { MOST = 500 };
    const char *query = json_string_value(json_object_get(params, "query"));
    g_autofree char *wanted = g_utf8_casefold(query ? query : "", -1);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    json_t *result = json_array();
    g_autoptr(GList) documents = g_hash_table_get_values(server->documents);
    for (GList *at = documents; at; at = at->next) {
        const LspAnalysis *analysis = lsp_analysis(server, at->data);
        size_t n = 0;
        const CcEntity *all = analysis->index ? cc_index_entities(analysis->index, &n) : NULL;
        for (size_t i = 0; i < n && json_array_size(result) < MOST; i++) {
            g_autofree char *name = g_utf8_casefold(all[i].name, -1);
            if (all[i].system || !all[i].file_scope || !*name || all[i].unknown || !strstr(name, wanted))
                continue;
            json_t *place = lsp_spot_location(server, analysis, all[i].place);
            g_autofree char *key = place ? json_dumps(place, JSON_SORT_KEYS) : NULL;
            if (place && g_hash_table_add(seen, g_strdup(key)))
                json_array_append_new(result, json_pack("{s:s, s:i, s:o}", "name", all[i].name, "kind",
                                                        symbol_kind(&all[i]), "location", place));
            else
                json_decref(place);
        }
    }
    return result;
}

static void fold(LspDocument *document, json_t *result, size_t from, size_t to, const char *kind)
{
    size_t first = lsp_document_line_of(document, from), last = lsp_document_line_of(document, to);
    if (last <= first)
        return;
    json_t *range = json_pack("{s:I, s:I}", "startLine", (json_int_t)first, "endLine", (json_int_t)last);
    if (kind)
        json_object_set_new(range, "kind", json_string(kind));
    json_array_append_new(result, range);
}

json_t *lsp_symbols_folding(LspServer *server, const json_t *params)
{
    LspDocument *document =
        lsp_open_document(server, json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri")));
    json_t *result = json_array();
    if (!document)
        return result;
    g_autoptr(GArray) words = lsp_words(document->text->str, document->text->len);
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < words->len; i++) {
        const LspWord *word = &g_array_index(words, LspWord, i);
        char sign = document->text->str[word->from];
        if (word->kind == LSP_COMMENT)
            fold(document, result, word->from, word->to - 1, "comment");
        if (word->kind != LSP_SIGN || word->in_directive)
            continue;
        if (sign == '{')
            g_array_append_val(open, word->from);
        if (sign == '}' && open->len) {
            fold(document, result, g_array_index(open, size_t, open->len - 1), word->from, NULL);
            g_array_set_size(open, open->len - 1);
        }
    }
    return result;
}
