/* go.c - where things are defined, declared and used. */
#include "lsp/feature/feature.h"

#include <string.h>

static json_t *found_location(LspServer *server, const LspFound *found)
{
    LspDocument *document = lsp_document_at(server, found->path);
    if (!document)
        return NULL;
    size_t from = lsp_document_line_start(document, found->line - 1) + found->column - 1;
    return json_pack("{s:s, s:o}", "uri", document->uri, "range",
                     lsp_document_range(document, from, from + found->length, server->utf8));
}

/* Returns the place of the macro that the spot names, from the #define nearest to the end of the unit. */
static json_t *macro_location(LspServer *server, const LspSpot *spot)
{
    size_t n = 0;
    const char *const *files = spot->analysis->index ? cc_index_files(spot->analysis->index, &n) : NULL;
    g_autofree char *pattern = g_strdup_printf("(?m)^[ \\t]*#[ \\t]*define[ \\t]+(%s)\\b", spot->word);
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_RAW, 0, NULL);
    for (size_t i = n; regex && i-- > 0;) {
        LspDocument *document = lsp_document_at(server, files[i]);
        g_autoptr(GMatchInfo) match = NULL;
        int from, to;
        if (document && g_regex_match(regex, document->text->str, 0, &match) &&
            g_match_info_fetch_pos(match, 1, &from, &to))
            return json_pack("{s:s, s:o}", "uri", document->uri, "range",
                             lsp_document_range(document, (size_t)from, (size_t)to, server->utf8));
    }
    return NULL;
}

/* Answers with the occurrences of a role, or else with the place that the index knows. */
static json_t *go(LspServer *server, const json_t *params, CcRole wanted)
{
    LspSpot spot;
    json_t *result = NULL;
    if (lsp_spot(server, params, &spot) && spot.entity != CC_NO_ENTITY) {
        g_autoptr(GArray) found = lsp_spot_find(server, spot.analysis, spot.entity);
        result = json_array();
        for (guint i = 0; i < found->len; i++) {
            const LspFound *one = &g_array_index(found, LspFound, i);
            if (one->role == wanted)
                json_array_append_new(result, found_location(server, one));
        }
        if (json_array_size(result) == 0) {
            json_t *place =
                lsp_spot_location(server, spot.analysis, lsp_spot_entity(spot.analysis, spot.entity)->place);
            if (place)
                json_array_append_new(result, place);
        }
    } else if (spot.word)
        result = macro_location(server, &spot);
    lsp_spot_clear(&spot);
    return result;
}

json_t *lsp_go_definition(LspServer *server, const json_t *params)
{
    return go(server, params, CC_ROLE_DEFINITION);
}

json_t *lsp_go_declaration(LspServer *server, const json_t *params)
{
    return go(server, params, CC_ROLE_DECLARATION);
}

json_t *lsp_go_type_definition(LspServer *server, const json_t *params)
{
    LspSpot spot;
    json_t *result = NULL;
    if (lsp_spot(server, params, &spot) && spot.entity != CC_NO_ENTITY) {
        uint32_t type = cc_index_type_of(spot.analysis->index, spot.entity);
        if (type != CC_NO_ENTITY)
            result = lsp_spot_location(server, spot.analysis, lsp_spot_entity(spot.analysis, type)->place);
    }
    lsp_spot_clear(&spot);
    return result;
}

json_t *lsp_go_references(LspServer *server, const json_t *params)
{
    LspSpot spot;
    json_t *result = NULL;
    bool all = !json_is_false(json_object_get(json_object_get(params, "context"), "includeDeclaration"));
    if (lsp_spot(server, params, &spot) && spot.entity != CC_NO_ENTITY) {
        g_autoptr(GArray) found = lsp_spot_find(server, spot.analysis, spot.entity);
        result = json_array();
        for (guint i = 0; i < found->len; i++)
            if (all || g_array_index(found, LspFound, i).role == CC_ROLE_USE)
                json_array_append_new(result, found_location(server, &g_array_index(found, LspFound, i)));
    }
    lsp_spot_clear(&spot);
    return result;
}

/* Whether what stands behind a name writes to it: =, +=, ++ and the like. */
static bool is_written(const char *at)
{
    at += strspn(at, " \t");
    if (*at == '=' && at[1] != '=')
        return true;
    if ((at[0] == '+' && at[1] == '+') || (at[0] == '-' && at[1] == '-'))
        return true;
    size_t sign = strspn(at, "+-*/%&|^<>");
    return sign && at[sign] == '=' && !((*at == '<' || *at == '>') && sign == 1);
}

json_t *lsp_go_highlight(LspServer *server, const json_t *params)
{
    enum { READ = 2, WRITE = 3 };
    LspSpot spot;
    json_t *result = NULL;
    if (lsp_spot(server, params, &spot) && spot.entity != CC_NO_ENTITY) {
        size_t n;
        uint32_t file = lsp_analysis_file(spot.analysis->index, spot.document->path);
        const CcOccurrence *all = cc_index_occurrences(spot.analysis->index, file, &n);
        result = json_array();
        for (size_t i = 0; i < n; i++) {
            if (all[i].entity != spot.entity)
                continue;
            size_t from = lsp_document_line_start(spot.document, all[i].place.line - 1) + all[i].place.column - 1;
            size_t to = MIN(from + all[i].place.length, spot.document->text->len);
            bool written = all[i].role != CC_ROLE_USE || is_written(spot.document->text->str + to);
            json_array_append_new(result, json_pack("{s:o, s:i}", "range",
                                                    lsp_document_range(spot.document, from, to, server->utf8), "kind",
                                                    written ? WRITE : READ));
        }
    }
    lsp_spot_clear(&spot);
    return result;
}
