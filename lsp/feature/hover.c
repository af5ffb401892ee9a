/* hover.c - what the thing under the cursor is, as text with its declaration and meaning. */
#include "lsp/feature/feature.h"
#include "lsp/lsp.h"
#include "mpi/mpi_world.h"

#include <string.h>

static void add_manual(GString *out, const char *name, const char *head)
{
    g_autofree char *text = mpi_manual_function(name);
    g_autoptr(GPtrArray) parameters = lsp_parameters(head);
    if (text)
        g_string_append_printf(out, "\n\n%s\n", text);
    g_string_append(out, "\n");
    for (guint i = 0; i < parameters->len; i++) {
        g_autofree char *parameter = lsp_parameter_name(g_ptr_array_index(parameters, i));
        const char *meaning = parameter ? mpi_manual_parameter(name, parameter) : NULL;
        if (meaning)
            g_string_append_printf(out, "\n- `%s`: %s", parameter, meaning);
    }
}

static void add_layout(GString *out, const LspAnalysis *analysis, uint32_t number)
{
    enum { MOST = 40 };
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    cc_index_members(analysis->index, number, members);
    if (members->len)
        g_string_append(out, " {\n");
    for (guint i = 0; i < members->len && i < MOST; i++) {
        uint32_t one = g_array_index(members, uint32_t, i);
        const CcEntity *entity = lsp_spot_entity(analysis, one);
        g_autofree char *text = cc_index_declaration(analysis->index, one);
        g_string_append_printf(out, "    %s%s\n", text, entity->kind == CC_ENTITY_MEMBER ? ";" : ",");
    }
    if (members->len)
        g_string_append_printf(out, "%s}", members->len > MOST ? "    ...\n" : "");
}

/* Appends the definition of a macro of the unit. Returns whether there is one. */
static bool add_macro(LspServer *server, const LspSpot *spot, GString *out)
{
    size_t n = 0;
    const char *const *files = spot->analysis->index ? cc_index_files(spot->analysis->index, &n) : NULL;
    g_autofree char *pattern =
        g_strdup_printf("(?m)^[ \\t]*#[ \\t]*define[ \\t]+%s\\b(?:[^\\\\\\n]|\\\\\\n|\\\\.)*", spot->word);
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_RAW, 0, NULL);
    for (size_t i = n; regex && i-- > 0;) {
        LspDocument *document = lsp_document_at(server, files[i]);
        g_autoptr(GMatchInfo) match = NULL;
        if (document && strstr(document->text->str, spot->word) &&
            g_regex_match(regex, document->text->str, 0, &match)) {
            g_autofree char *text = g_match_info_fetch(match, 0);
            g_string_append(out, g_strstrip(text));
            return true;
        }
    }
    return false;
}

static json_t *answer(LspServer *server, const LspSpot *spot, const GString *text)
{
    return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value", json_string_nocheck(text->str),
                     "range", lsp_document_range(spot->document, spot->from, spot->to, server->utf8));
}

json_t *lsp_hover(LspServer *server, const json_t *params)
{
    LspSpot spot;
    json_t *result = NULL;
    if (!lsp_spot(server, params, &spot) || !spot.word) {
        lsp_spot_clear(&spot);
        return NULL;
    }
    GString *out = g_string_new("```c\n");
    if (spot.entity != CC_NO_ENTITY) {
        const CcEntity *entity = lsp_spot_entity(spot.analysis, spot.entity);
        g_autofree char *text = cc_index_declaration(spot.analysis->index, spot.entity);
        g_string_append(out, text);
        if (entity->kind >= CC_ENTITY_STRUCT && entity->kind <= CC_ENTITY_ENUM)
            add_layout(out, spot.analysis, spot.entity);
        g_string_append(out, "\n```");
        if (entity->kind == CC_ENTITY_MEMBER)
            g_string_append_printf(
                out, "\n\nmember of `%s`, offset %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " bytes",
                entity->container != CC_NO_ENTITY ? lsp_spot_entity(spot.analysis, entity->container)->name : "",
                entity->offset, entity->size);
        if (entity->kind == CC_ENTITY_FUNCTION)
            add_manual(out, entity->name, text);
        result = answer(server, &spot, out);
    } else if (add_macro(server, &spot, out)) {
        g_string_append(out, "\n```");
        result = answer(server, &spot, out);
    }
    g_string_free(out, TRUE);
    lsp_spot_clear(&spot);
    return result;
}
