/* tokens.c - semantic tokens: words of the text by what they are. */
#include "lsp/feature/feature.h"

#include <string.h>

#define TYPES(TYPE)                                                                                                    \
    TYPE(VARIABLE, "variable")                                                                                         \
    TYPE(PARAMETER, "parameter")                                                                                       \
    TYPE(FUNCTION, "function")                                                                                         \
    TYPE(TYPEDEF, "type")                                                                                              \
    TYPE(ENUMERATOR, "enumMember")                                                                                     \
    TYPE(STRUCT, "struct")                                                                                             \
    TYPE(ENUM, "enum")                                                                                                 \
    TYPE(PROPERTY, "property")                                                                                         \
    TYPE(KEYWORD, "keyword")                                                                                           \
    TYPE(COMMENT, "comment")                                                                                           \
    TYPE(STRING, "string")                                                                                             \
    TYPE(NUMBER, "number")                                                                                             \
    TYPE(MACRO, "macro")
#define NUMBERED(name, text) TOKEN_##name,
#define NAMED(name, text)    text,
enum { TYPES(NUMBERED) };
static const char *const type_names[] = {TYPES(NAMED)};
enum { DECLARATION = 1, DEFINITION = 2, READONLY = 4, STATIC = 8, DEPRECATED = 16, LIBRARY = 32 };
static const char *const modifiers[] = {"declaration", "definition", "readonly",
                                        "static",      "deprecated", "defaultLibrary"};

json_t *lsp_tokens_legend(void)
{
    json_t *types = json_array(), *more = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(type_names); i++)
        json_array_append_new(types, json_string(type_names[i]));
    for (size_t i = 0; i < G_N_ELEMENTS(modifiers); i++)
        json_array_append_new(more, json_string(modifiers[i]));
    return json_pack("{s:o, s:o}", "tokenTypes", types, "tokenModifiers", more);
}

static int type_of(const CcEntity *entity)
{
    static const int types[] = {[CC_ENTITY_VARIABLE] = TOKEN_VARIABLE,     [CC_ENTITY_PARAMETER] = TOKEN_PARAMETER,
                                [CC_ENTITY_FUNCTION] = TOKEN_FUNCTION,     [CC_ENTITY_TYPEDEF] = TOKEN_TYPEDEF,
                                [CC_ENTITY_ENUMERATOR] = TOKEN_ENUMERATOR, [CC_ENTITY_STRUCT] = TOKEN_STRUCT,
                                [CC_ENTITY_UNION] = TOKEN_STRUCT,          [CC_ENTITY_ENUM] = TOKEN_ENUM,
                                [CC_ENTITY_MEMBER] = TOKEN_PROPERTY,       [CC_ENTITY_LABEL] = TOKEN_VARIABLE};
    return types[entity->kind];
}

static int modifiers_of(const CcEntity *entity, CcRole role)
{
    return (role == CC_ROLE_DECLARATION  ? DECLARATION
            : role == CC_ROLE_DEFINITION ? DECLARATION | DEFINITION
                                         : 0) |
           (entity->is_constant || entity->kind == CC_ENTITY_ENUMERATOR ? READONLY : 0) |
           (entity->is_static ? STATIC : 0) | (entity->deprecated ? DEPRECATED : 0) | (entity->system ? LIBRARY : 0);
}

typedef struct Writer {
    LspServer *server;
    LspDocument *document;
    json_t *data;
    json_int_t line, character; /* of the last token */
} Writer;

static void put(Writer *w, size_t from, size_t to, int type, int more)
{
    json_t *start = lsp_document_position(w->document, from, w->server->utf8);
    json_t *end = lsp_document_position(w->document, to, w->server->utf8);
    json_int_t line = json_integer_value(json_object_get(start, "line"));
    json_int_t at = json_integer_value(json_object_get(start, "character"));
    json_int_t length = json_integer_value(json_object_get(end, "character")) - at;
    json_int_t numbers[] = {line - w->line, line == w->line ? at - w->character : at, length, type, more};
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        json_array_append_new(w->data, json_integer(numbers[i]));
    w->line = line;
    w->character = at;
    json_decref(start);
    json_decref(end);
}

/* A comment may have several lines, and a token has one. */
static void put_lines(Writer *w, size_t from, size_t to, int type)
{
    while (from < to) {
        size_t stop = MIN(lsp_document_line_end(w->document, lsp_document_line_of(w->document, from)), to);
        if (stop > from)
            put(w, from, stop, type, 0);
        from = lsp_document_line_start(w->document, lsp_document_line_of(w->document, from) + 1);
    }
}

static bool is_macro_like(const char *text, size_t size)
{
    bool upper = false;
    for (size_t i = 0; i < size; i++) {
        if (g_ascii_islower(text[i]) && !g_str_has_prefix(text, "MPI_"))
            return false;
        upper |= g_ascii_isupper(text[i]);
    }
    return upper && size > 1;
}

static void put_word(Writer *w, const LspWord *word, const CcOccurrence *one, const LspAnalysis *analysis)
{
    const char *text = w->document->text->str + word->from;
    size_t size = word->to - word->from;
    if (word->kind == LSP_COMMENT)
        put_lines(w, word->from, word->to, TOKEN_COMMENT);
    else if (word->kind == LSP_STRING)
        put_lines(w, word->from, word->to, TOKEN_STRING);
    else if (word->kind == LSP_NUMBER)
        put(w, word->from, word->to, TOKEN_NUMBER, 0);
    else if (word->kind == LSP_NAME && one)
        put(w, word->from, word->to, type_of(lsp_spot_entity(analysis, one->entity)),
            modifiers_of(lsp_spot_entity(analysis, one->entity), one->role));
    else if (word->kind == LSP_NAME && lsp_words_is_keyword(text, size))
        put(w, word->from, word->to, TOKEN_KEYWORD, 0);
    else if (word->kind == LSP_NAME && is_macro_like(text, size))
        put(w, word->from, word->to, TOKEN_MACRO, 0);
}

static json_t *tokens(LspServer *server, LspDocument *document, size_t from, size_t to)
{
    Writer w = {server, document, json_array(), 0, 0};
    const LspAnalysis *analysis = lsp_analysis(server, document);
    g_autoptr(GArray) words = lsp_words(document->text->str, document->text->len);
    size_t n = 0, next = 0;
    const CcOccurrence *all =
        analysis->index ? cc_index_occurrences(analysis->index, lsp_analysis_file(analysis->index, document->path), &n)
                        : NULL;
    for (guint i = 0; i < words->len; i++) {
        const LspWord *word = &g_array_index(words, LspWord, i);
        if (word->to <= from || word->from >= to)
            continue;
        while (next < n &&
               lsp_document_line_start(document, all[next].place.line - 1) + all[next].place.column - 1 < word->from)
            next++;
        bool met =
            next < n &&
            lsp_document_line_start(document, all[next].place.line - 1) + all[next].place.column - 1 == word->from &&
            all[next].place.length == word->to - word->from;
        put_word(&w, word, met ? &all[next] : NULL, analysis);
    }
    return json_pack("{s:o}", "data", w.data);
}

static LspDocument *document_of(LspServer *server, const json_t *params)
{
    return lsp_open_document(server,
                             json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri")));
}

json_t *lsp_tokens_full(LspServer *server, const json_t *params)
{
    LspDocument *document = document_of(server, params);
    return document ? tokens(server, document, 0, document->text->len) : NULL;
}

json_t *lsp_tokens_range(LspServer *server, const json_t *params)
{
    LspDocument *document = document_of(server, params);
    const json_t *range = json_object_get(params, "range");
    if (!document)
        return NULL;
    return tokens(server, document, lsp_document_offset(document, json_object_get(range, "start"), server->utf8),
                  lsp_document_offset(document, json_object_get(range, "end"), server->utf8));
}
