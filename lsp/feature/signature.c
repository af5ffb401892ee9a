/* signature.c - the parameters of the call around the cursor, and the one that it is at. */
#include "lsp/feature/feature.h"
#include "lsp/lsp.h"
#include "mpi/mpi_world.h"

#include <string.h>

/* Finds the call around an offset: the name before its open parenthesis, and the number of commas since. */
static bool find_call(const LspDocument *document, size_t offset, LspWord *name, unsigned *argument)
{
    g_autoptr(GArray) words = lsp_words(document->text->str, document->text->len);
    const char *text = document->text->str;
    unsigned commas = 0;
    int depth = 0;
    for (guint i = words->len; i-- > 0;) {
        const LspWord *word = &g_array_index(words, LspWord, i);
        if (word->from >= offset || word->kind != LSP_SIGN)
            continue;
        char sign = text[word->from];
        if (sign == ';' || sign == '{' || sign == '}')
            return false;
        depth += (sign == ')' || sign == ']') - (sign == '[' || sign == '(');
        commas += depth == 0 && sign == ',';
        if (depth >= 0 || sign != '(')
            continue;
        const LspWord *before = i ? &g_array_index(words, LspWord, i - 1) : NULL;
        if (before && before->kind == LSP_NAME &&
            !lsp_words_is_keyword(text + before->from, before->to - before->from)) {
            *name = *before;
            *argument = commas;
            return true;
        }
        depth = 0; /* parentheses of an expression */
        commas = 0;
    }
    return false;
}

json_t *lsp_signature_help(LspServer *server, const json_t *params)
{
    LspSpot spot, function;
    LspWord name;
    unsigned argument;
    json_t *result = NULL;
    if (lsp_spot(server, params, &spot) && find_call(spot.document, spot.offset, &name, &argument)) {
        json_t *at = json_pack("{s:O, s:o}", "textDocument", json_object_get(params, "textDocument"), "position",
                               lsp_document_position(spot.document, name.from, server->utf8));
        if (lsp_spot(server, at, &function) && function.entity != CC_NO_ENTITY &&
            lsp_spot_entity(function.analysis, function.entity)->kind == CC_ENTITY_FUNCTION) {
            g_autofree char *head = cc_index_declaration(function.analysis->index, function.entity);
            g_autofree char *manual = mpi_manual_function(function.word);
            g_autoptr(GPtrArray) list = lsp_parameters(head);
            json_t *parameters = json_array();
            for (guint i = 0; i < list->len; i++) {
                g_autofree char *word = lsp_parameter_name(g_ptr_array_index(list, i));
                const char *meaning = word ? mpi_manual_parameter(function.word, word) : NULL;
                json_t *one = json_pack("{s:o}", "label", json_string_nocheck(g_ptr_array_index(list, i)));
                if (meaning)
                    json_object_set_new(one, "documentation", json_string(meaning));
                json_array_append_new(parameters, one);
            }
            json_t *signature = json_pack("{s:o, s:o}", "label", json_string_nocheck(head), "parameters", parameters);
            if (manual)
                json_object_set_new(signature, "documentation", json_string(manual));
            result = json_pack("{s:[o], s:i, s:i}", "signatures", signature, "activeSignature", 0, "activeParameter",
                               (int)argument);
        }
        lsp_spot_clear(&function);
        json_decref(at);
    }
    lsp_spot_clear(&spot);
    return result;
}
