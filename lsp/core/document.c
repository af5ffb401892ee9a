/* document.c - texts that are open in the editor, and positions in them. */
#include "lsp/core/core.h"

#include <string.h>

char *lsp_document_path_of_uri(const char *uri)
{
    char *path = g_filename_from_uri(uri, NULL, NULL);
    return path ? path : g_strdup(uri);
}

char *lsp_document_uri_of_path(const char *path)
{
    char *uri = g_path_is_absolute(path) ? g_filename_to_uri(path, NULL, NULL) : NULL;
    return uri ? uri : g_strdup(path);
}

LspDocument *lsp_document_new(const char *uri, const char *text, size_t size)
{
    LspDocument *document = g_new0(LspDocument, 1);
    document->uri = g_strdup(uri);
    document->path = lsp_document_path_of_uri(uri);
    document->text = g_string_new_len(text, (gssize)size);
    return document;
}

void lsp_document_free(gpointer data)
{
    LspDocument *document = data;
    lsp_analysis_free(document->analysis);
    if (document->lines)
        g_array_free(document->lines, TRUE);
    g_string_free(document->text, TRUE);
    g_free(document->uri);
    g_free(document->path);
    g_free(document);
}

/* -- lines ------------------------------------------------------------------------------------- */

static GArray *lines_of(LspDocument *document)
{
    if (document->lines)
        return document->lines;
    size_t start = 0;
    document->lines = g_array_new(FALSE, FALSE, sizeof(size_t));
    g_array_append_val(document->lines, start);
    for (const char *text = document->text->str, *end = text + document->text->len, *at = text;
         (at = memchr(at, '\n', (size_t)(end - at)));) {
        start = (size_t)(++at - text);
        g_array_append_val(document->lines, start);
    }
    return document->lines;
}

size_t lsp_document_lines(LspDocument *document)
{
    return lines_of(document)->len;
}

size_t lsp_document_line_start(LspDocument *document, size_t line)
{
    const GArray *lines = lines_of(document);
    return line < lines->len ? g_array_index(lines, size_t, line) : document->text->len;
}

size_t lsp_document_line_end(LspDocument *document, size_t line)
{
    const GArray *lines = lines_of(document);
    if (line + 1 >= lines->len)
        return document->text->len;
    size_t end = g_array_index(lines, size_t, line + 1) - 1;
    return end > g_array_index(lines, size_t, line) && document->text->str[end - 1] == '\r' ? end - 1 : end;
}

size_t lsp_document_line_of(LspDocument *document, size_t offset)
{
    const GArray *lines = lines_of(document);
    guint low = 0, high = lines->len;
    while (high - low > 1) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(lines, size_t, middle) <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* -- positions --------------------------------------------------------------------------------- */

/* Bytes of the UTF-8 character at `at`, at least 1; a byte that begins none counts as one. */
static size_t character_size(const char *at, const char *end)
{
    unsigned char first = (unsigned char)*at;
    size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    return MIN(size, (size_t)(end - at));
}

size_t lsp_document_offset(LspDocument *document, const json_t *position, bool utf8)
{
    json_int_t line = json_integer_value(json_object_get(position, "line"));
    json_int_t character = json_integer_value(json_object_get(position, "character"));
    if (line < 0 || (guint64)line >= lsp_document_lines(document))
        return line < 0 ? 0 : document->text->len;
    size_t start = lsp_document_line_start(document, (size_t)line),
           stop = lsp_document_line_end(document, (size_t)line);
    if (utf8)
        return start + (size_t)CLAMP(character, 0, (json_int_t)(stop - start));
    const char *at = document->text->str + start, *end = document->text->str + stop;
    while (at < end && character > 0) {
        size_t size = character_size(at, end);
        character -= size == 4 ? 2 : 1;
        at += size;
    }
    return (size_t)(at - document->text->str);
}

json_t *lsp_document_position(LspDocument *document, size_t offset, bool utf8)
{
    offset = MIN(offset, document->text->len);
    size_t line = lsp_document_line_of(document, offset), start = lsp_document_line_start(document, line), units = 0;
    const char *at = document->text->str + start, *end = document->text->str + offset;
    for (; !utf8 && at < end;) {
        size_t size = character_size(at, end);
        units += size == 4 ? 2 : 1;
        at += size;
    }
    return json_pack("{s:I, s:I}", "line", (json_int_t)line, "character", (json_int_t)(utf8 ? offset - start : units));
}

json_t *lsp_document_range(LspDocument *document, size_t from, size_t to, bool utf8)
{
    return json_pack("{s:o, s:o}", "start", lsp_document_position(document, from, utf8), "end",
                     lsp_document_position(document, MAX(from, to), utf8));
}

void lsp_document_change(LspDocument *document, const json_t *change, bool utf8)
{
    const json_t *range = json_object_get(change, "range"), *text = json_object_get(change, "text");
    if (!json_is_string(text))
        return;
    if (json_is_object(range)) {
        size_t from = lsp_document_offset(document, json_object_get(range, "start"), utf8);
        size_t to = lsp_document_offset(document, json_object_get(range, "end"), utf8);
        g_string_erase(document->text, (gssize)MIN(from, to), (gssize)(MAX(from, to) - MIN(from, to)));
        g_string_insert_len(document->text, (gssize)MIN(from, to), json_string_value(text),
                            (gssize)json_string_length(text));
    } else {
        g_string_truncate(document->text, 0);
        g_string_append_len(document->text, json_string_value(text), (gssize)json_string_length(text));
    }
    if (document->lines)
        g_array_free(document->lines, TRUE);
    document->lines = NULL;
}

/* -- finding them ------------------------------------------------------------------------------ */

LspDocument *lsp_open_document(const LspServer *server, const char *uri)
{
    return uri ? g_hash_table_lookup(server->documents, uri) : NULL;
}

LspDocument *lsp_document_at(LspServer *server, const char *path)
{
    g_autofree char *uri = lsp_document_uri_of_path(path), *text = NULL;
    gsize size;
    LspDocument *document = lsp_open_document(server, uri);
    if (!document) {
        GHashTableIter iter;
        gpointer value;
        g_hash_table_iter_init(&iter, server->documents); /* editors write URIs in several ways */
        while (!document && g_hash_table_iter_next(&iter, NULL, &value))
            if (strcmp(((LspDocument *)value)->path, path) == 0)
                document = value;
    }
    if (!document)
        document = g_hash_table_lookup(server->files, path);
    if (document || !g_file_test(path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents(path, &text, &size, NULL))
        return document;
    document = lsp_document_new(uri, text, size);
    g_hash_table_insert(server->files, g_strdup(path), document);
    return document;
}
