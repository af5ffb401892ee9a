/* spot.c - what is under the cursor, and where else it is. */
#include "lsp/core/core.h"

#include <string.h>

const CcEntity *lsp_spot_entity(const LspAnalysis *analysis, uint32_t number)
{
    size_t n = 0;
    const CcEntity *all = analysis->index ? cc_index_entities(analysis->index, &n) : NULL;
    return number < n ? &all[number] : NULL;
}

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || (c & 0x80);
}

/* Finds the occurrence of the word: at its place, or else, within a macro's arguments, one of the same name in this
 * line or a little above, or else a name of the whole unit. */
static uint32_t entity_at(const LspSpot *spot)
{
    enum { ABOVE = 40 };
    const CcIndex *index = spot->analysis->index;
    size_t n, line = lsp_document_line_of(spot->document, spot->from);
    unsigned column = (unsigned)(spot->from - lsp_document_line_start(spot->document, line)) + 1;
    uint32_t file = lsp_analysis_file(index, spot->document->path), best = CC_NO_ENTITY;
    const CcOccurrence *all = cc_index_occurrences(index, file, &n);
    for (size_t i = 0; i < n && all[i].place.line <= line + 1; i++) {
        if (all[i].place.line == line + 1 && all[i].place.column == column)
            return all[i].entity;
        if (all[i].place.line + ABOVE > line &&
            strcmp(lsp_spot_entity(spot->analysis, all[i].entity)->name, spot->word) == 0)
            best = all[i].entity;
    }
    if (best != CC_NO_ENTITY)
        return best;
    const CcEntity *entities = cc_index_entities(index, &n);
    for (size_t i = 0; i < n; i++)
        if (entities[i].file_scope && entities[i].kind != CC_ENTITY_MEMBER && strcmp(entities[i].name, spot->word) == 0)
            return (uint32_t)i;
    return CC_NO_ENTITY;
}

bool lsp_spot(LspServer *server, const json_t *params, LspSpot *spot)
{
    const json_t *id = json_object_get(params, "textDocument");
    *spot = (LspSpot){.entity = CC_NO_ENTITY};
    spot->document = lsp_open_document(server, json_string_value(json_object_get(id, "uri")));
    if (!spot->document)
        return false;
    spot->analysis = lsp_analysis(server, spot->document);
    spot->offset = spot->from = spot->to =
        lsp_document_offset(spot->document, json_object_get(params, "position"), server->utf8);
    const GString *text = spot->document->text;
    while (spot->from > 0 && is_word(text->str[spot->from - 1]))
        spot->from--;
    while (spot->to < text->len && is_word(text->str[spot->to]))
        spot->to++;
    if (spot->from == spot->to || g_ascii_isdigit(text->str[spot->from]))
        return true;
    spot->word = g_strndup(text->str + spot->from, spot->to - spot->from);
    if (spot->analysis->index)
        spot->entity = entity_at(spot);
    return true;
}

void lsp_spot_clear(LspSpot *spot)
{
    g_clear_pointer(&spot->word, g_free);
}

static json_t *location(LspServer *server, const char *path, unsigned line, unsigned column, unsigned length)
{
    LspDocument *document = lsp_document_at(server, path);
    if (!document || !line)
        return NULL;
    size_t from = lsp_document_line_start(document, line - 1) + (column ? column - 1 : 0);
    g_autofree char *uri = lsp_document_uri_of_path(path);
    return json_pack("{s:s, s:o}", "uri", document->uri ? document->uri : uri, "range",
                     lsp_document_range(document, from, from + length, server->utf8));
}

json_t *lsp_spot_location(LspServer *server, const LspAnalysis *analysis, CcFilePlace place)
{
    size_t n;
    const char *const *files = cc_index_files(analysis->index, &n);
    return place.file < n ? location(server, files[place.file], place.line, place.column, place.length) : NULL;
}

/* -- everywhere -------------------------------------------------------------------------------- */

static const char *file_of(const LspAnalysis *analysis, CcFilePlace place)
{
    size_t n;
    const char *const *files = cc_index_files(analysis->index, &n);
    return place.file < n ? files[place.file] : "";
}

/* Whether two entities of two units are one thing: linked by their name, or declared at one place. */
static bool is_same(const LspAnalysis *a, const CcEntity *x, const LspAnalysis *b, const CcEntity *y)
{
    if (x->kind != y->kind || strcmp(x->name, y->name) != 0)
        return false;
    if (x->linkage && y->linkage)
        return true;
    return x->place.line == y->place.line && x->place.column == y->place.column &&
           strcmp(file_of(a, x->place), file_of(b, y->place)) == 0;
}

static int compare_found(const void *a, const void *b)
{
    const LspFound *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    if (order)
        return order;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : (x->column > y->column) - (x->column < y->column);
}

static void found_clear(gpointer data)
{
    g_free(((LspFound *)data)->path);
}

static void find_in(const LspAnalysis *unit, uint32_t entity, GArray *found)
{
    size_t n_files, n;
    const char *const *files = cc_index_files(unit->index, &n_files);
    for (uint32_t file = 0; file < n_files; file++) {
        const CcOccurrence *all = cc_index_occurrences(unit->index, file, &n);
        for (size_t i = 0; i < n; i++) {
            CcFilePlace place = all[i].place;
            if (all[i].entity != entity)
                continue;
            LspFound one = {g_strdup(files[file]), place.line, place.column, place.length, all[i].role};
            g_array_append_val(found, one);
        }
    }
}

GArray *lsp_spot_find(LspServer *server, const LspAnalysis *analysis, uint32_t entity)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(LspFound));
    const CcEntity *wanted = lsp_spot_entity(analysis, entity);
    GHashTableIter iter;
    gpointer value;
    g_array_set_clear_func(found, found_clear);
    g_hash_table_iter_init(&iter, server->documents);
    while (wanted && g_hash_table_iter_next(&iter, NULL, &value)) {
        const LspAnalysis *unit = lsp_analysis(server, value);
        size_t n = 0;
        const CcEntity *others = unit->index ? cc_index_entities(unit->index, &n) : NULL;
        for (size_t i = 0; i < n; i++)
            if (unit == analysis ? i == entity : is_same(analysis, wanted, unit, &others[i]))
                find_in(unit, (uint32_t)i, found);
    }
    g_array_sort(found, compare_found);
    for (guint i = 1; i < found->len;)
        if (compare_found(&g_array_index(found, LspFound, i - 1), &g_array_index(found, LspFound, i)) == 0)
            g_array_remove_index(found, i);
        else
            i++;
    return found;
}
