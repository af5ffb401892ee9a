/* completion.c - what could stand at the cursor.
 *
 * The word under the cursor is replaced by a name that nothing has, and the text is parsed: the parser then tells which
 * names it sees there, or the members of what stands before a . or ->.
 */
#include "lsp/feature/feature.h"
#include "lsp/lsp.h"
#include "mpi/mpi_world.h"

#include <string.h>

#define PROBE "orrery_probe_here"

enum {
    KIND_FUNCTION = 3,
    KIND_FIELD = 5,
    KIND_VARIABLE = 6,
    KIND_ENUM = 13,
    KIND_KEYWORD = 14,
    KIND_FILE = 17,
    KIND_MEMBER = 20,
    KIND_CONSTANT = 21,
    KIND_STRUCT = 22,
    KIND_TYPE = 7
};

static int completion_kind(const CcEntity *entity)
{
    static const int kinds[] = {[CC_ENTITY_VARIABLE] = KIND_VARIABLE, [CC_ENTITY_PARAMETER] = KIND_VARIABLE,
                                [CC_ENTITY_FUNCTION] = KIND_FUNCTION, [CC_ENTITY_TYPEDEF] = KIND_TYPE,
                                [CC_ENTITY_ENUMERATOR] = KIND_MEMBER, [CC_ENTITY_STRUCT] = KIND_STRUCT,
                                [CC_ENTITY_UNION] = KIND_STRUCT,      [CC_ENTITY_ENUM] = KIND_ENUM,
                                [CC_ENTITY_MEMBER] = KIND_FIELD,      [CC_ENTITY_LABEL] = KIND_VARIABLE};
    return kinds[entity->kind];
}

static void add(json_t *items, const char *label, int kind, const char *order)
{
    g_autofree char *sort = g_strconcat(order, label, NULL);
    json_array_append_new(items, json_pack("{s:s, s:i, s:s}", "label", label, "kind", kind, "sortText", sort));
}

/* A call with a place to fill in for each parameter. */
static char *snippet_of(const char *name, const char *head)
{
    g_autoptr(GPtrArray) parameters = lsp_parameters(head);
    GString *out = g_string_new(name);
    g_string_append_c(out, '(');
    for (guint i = 0; i < parameters->len; i++) {
        g_autofree char *parameter = lsp_parameter_name(g_ptr_array_index(parameters, i));
        if (strcmp(g_ptr_array_index(parameters, i), "...") != 0)
            g_string_append_printf(out, "%s${%u:%s}", i ? ", " : "", i + 1, parameter ? parameter : "");
    }
    g_string_append_c(out, ')');
    return g_string_free(out, FALSE);
}

static void add_entity(const LspServer *server, json_t *items, const LspAnalysis *analysis, uint32_t number)
{
    const CcEntity *entity = lsp_spot_entity(analysis, number);
    bool mpi = entity->kind == CC_ENTITY_FUNCTION && g_str_has_prefix(entity->name, "MPI_");
    if (!*entity->name || strcmp(entity->name, PROBE) == 0)
        return;
    add(items, entity->name, completion_kind(entity),
        !entity->file_scope    ? "1"
        : !entity->system      ? "2"
        : *entity->name == '_' ? "5"
                               : "3");
    json_t *item = json_array_get(items, json_array_size(items) - 1);
    if (!mpi && entity->system && entity->kind == CC_ENTITY_FUNCTION)
        return; /* a declaration each would make the answer long */
    g_autofree char *text = cc_index_declaration(analysis->index, number);
    json_object_set_new(item, "detail", json_string_nocheck(text));
    if (!mpi)
        return;
    g_autofree char *manual = mpi_manual_function(entity->name), *snippet = snippet_of(entity->name, text);
    if (manual)
        json_object_set_new(item, "documentation", json_string(manual));
    if (server->snippets) {
        json_object_set_new(item, "insertText", json_string_nocheck(snippet));
        json_object_set_new(item, "insertTextFormat", json_integer(2));
    }
}

static void add_macros(LspServer *server, const LspAnalysis *analysis, json_t *items)
{
    size_t n = 0;
    const char *const *files = analysis->index ? cc_index_files(analysis->index, &n) : NULL;
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GRegex) regex = g_regex_new("(?m)^[ \\t]*#[ \\t]*define[ \\t]+([A-Za-z]\\w*)", G_REGEX_RAW, 0, NULL);
    for (size_t i = 0; i < n; i++) {
        LspDocument *document = lsp_document_at(server, files[i]);
        g_autoptr(GMatchInfo) match = NULL;
        if (!document)
            continue;
        g_regex_match(regex, document->text->str, 0, &match);
        for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
            char *name = g_match_info_fetch(match, 1);
            if (!g_hash_table_contains(seen, name))
                add(items, name, KIND_CONSTANT, cc_index_is_system(analysis->index, (uint32_t)i) ? "4" : "2");
            g_hash_table_add(seen, name);
        }
    }
}

/* -- lines of the preprocessor ----------------------------------------------------------------- */

static void add_folder(json_t *items, const char *folder, const char *below)
{
    g_autofree char *path = g_build_filename(folder, below, NULL);
    GDir *dir = g_dir_open(path, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *whole = g_build_filename(path, name, NULL);
        if (g_str_has_suffix(name, ".h") || (g_file_test(whole, G_FILE_TEST_IS_DIR) && *name != '.'))
            add(items, name, KIND_FILE, "1");
    }
    if (dir)
        g_dir_close(dir);
}

/* Completes the line of the preprocessor that ends at the cursor. Returns whether it is one. */
static bool complete_directive(LspServer *server, const LspSpot *spot, json_t *items)
{
    static const char *const words[] = {"include", "define", "undef", "ifdef", "ifndef",  "if",
                                        "else",    "elif",   "endif", "error", "warning", "pragma"};
    size_t start = lsp_document_line_start(spot->document, lsp_document_line_of(spot->document, spot->offset));
    g_autofree char *line = g_strndup(spot->document->text->str + start, spot->offset - start);
    char *at = g_strchug(line);
    if (*at != '#')
        return false;
    at = g_strchug(at + 1);
    if (!g_str_has_prefix(at, "include")) {
        bool word = !strpbrk(at, " \t");
        for (size_t i = 0; word && i < G_N_ELEMENTS(words); i++)
            add(items, words[i], KIND_KEYWORD, "1");
        if (!word)
            add_macros(server, spot->analysis, items);
        return true;
    }
    char *open = strpbrk(at, "<\"");
    if (!open)
        return true;
    g_autofree char *below = g_strdup(open + 1);
    char *slash = strrchr(below, '/');
    *(slash ? slash : below) = '\0';
    const GPtrArray *flags = spot->analysis->flags->cpp;
    for (guint i = 0; i + 1 < flags->len; i++) {
        const char *flag = g_ptr_array_index(flags, i), *value = g_ptr_array_index(flags, i + 1);
        bool folder = strcmp(flag, "-I") == 0 || strcmp(flag, "-isystem") == 0;
        if (value && (folder || (*open == '"' && strcmp(flag, "-iquote") == 0)))
            add_folder(items, value, below);
    }
    add_folder(items, server->include_dir, below);
    return true;
}

static bool is_in_text(const LspSpot *spot) /* within a comment or a string */
{
    g_autoptr(GArray) words = lsp_words(spot->document->text->str, spot->document->text->len);
    for (guint i = 0; i < words->len; i++) {
        const LspWord *word = &g_array_index(words, LspWord, i);
        bool open = word->kind == LSP_COMMENT && spot->document->text->str[word->from + 1] == '/';
        if ((word->kind == LSP_COMMENT || word->kind == LSP_STRING) && word->from < spot->offset &&
            (spot->offset < word->to || (open && spot->offset == word->to)))
            return true;
    }
    return false;
}

static void complete_name(LspServer *server, const LspSpot *spot, json_t *items)
{
    LspAnalysis *probed = lsp_analysis_probe(server, spot->document, spot->from, spot->to - spot->from, PROBE);
    const CcProbe *probe = probed->index ? cc_index_probe(probed->index) : NULL;
    for (guint i = 0; probe && i < probe->names->len; i++)
        add_entity(server, items, probed, g_array_index(probe->names, uint32_t, i));
    if (probe && probe->kind == CC_PROBE_NAME) {
        for (const char *const *word = lsp_words_keywords; *word; word++)
            add(items, *word, KIND_KEYWORD, "4");
        add_macros(server, probed, items);
    }
    if ((!probe || probe->kind == CC_PROBE_NONE) && spot->analysis->index) { /* where the parser does not look */
        size_t n;
        const CcEntity *all = cc_index_entities(spot->analysis->index, &n);
        for (size_t i = 0; i < n; i++)
            if (all[i].file_scope && all[i].kind != CC_ENTITY_MEMBER)
                add_entity(server, items, spot->analysis, (uint32_t)i);
    }
    lsp_analysis_free(probed);
}

json_t *lsp_completion(LspServer *server, const json_t *params)
{
    LspSpot spot;
    json_t *items = json_array();
    if (lsp_spot(server, params, &spot) && !complete_directive(server, &spot, items) && !is_in_text(&spot))
        complete_name(server, &spot, items);
    lsp_spot_clear(&spot);
    return json_pack("{s:b, s:o}", "isIncomplete", 0, "items", items);
}
