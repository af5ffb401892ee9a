/* analysis.c - a document through the preprocessor and the compiler's index.
 *
 * The text goes through a file in a folder of the server, with a #line that gives it its true name: the preprocessor
 * reads files, and the document may not be saved. Headers beside it that are open and differ from the disk lie in the
 * same folder, where the preprocessor looks first.
 */
#include "lsp/core/core.h"

#include <glib/gstdio.h>
#include <string.h>

static void diagnostic_free(gpointer data)
{
    LspDiagnostic *diagnostic = data;
    g_free(diagnostic->file);
    g_free(diagnostic->option);
    g_free(diagnostic->text);
    g_free(diagnostic->fix);
    if (diagnostic->notes)
        g_ptr_array_free(diagnostic->notes, TRUE);
    g_free(diagnostic);
}

static void take(const CcDiagnostic *told, const char *rendered, void *user)
{
    (void)rendered;
    LspAnalysis *analysis = user;
    GPtrArray *all = analysis->diagnostics, *into = all;
    LspDiagnostic *one = g_new0(LspDiagnostic, 1);
    *one = (LspDiagnostic){told->severity,
                           g_strdup(told->file),
                           g_strdup(told->option),
                           g_strdup(told->text),
                           g_strdup(told->fix),
                           told->line,
                           told->column,
                           told->length,
                           told->fix_column,
                           told->fix_length,
                           NULL};
    if (told->severity == CC_NOTE && all->len) {
        LspDiagnostic *last = g_ptr_array_index(all, all->len - 1);
        if (!last->notes)
            last->notes = g_ptr_array_new_with_free_func(diagnostic_free);
        into = last->notes;
    }
    g_ptr_array_add(into, one);
}

void lsp_analysis_free(LspAnalysis *analysis)
{
    if (!analysis)
        return;
    cc_index_free(analysis->index);
    cc_diagnostics_free(analysis->collector);
    g_ptr_array_free(analysis->diagnostics, TRUE);
    lsp_flags_free(analysis->flags);
    g_free(analysis);
}

static void write_scratch(const LspServer *server, const char *name, const char *path, const char *text, size_t size)
{
    g_autofree char *file = g_build_filename(server->scratch, name, NULL), *quoted = g_strescape(path, NULL);
    GString *whole = g_string_new(NULL);
    g_string_append_printf(whole, "#line 1 \"%s\"\n", quoted);
    g_string_append_len(whole, text, (gssize)size);
    if (size && text[size - 1] != '\n')
        g_string_append_c(whole, '\n');
    (void)g_file_set_contents(file, whole->str, (gssize)whole->len, NULL);
    g_string_free(whole, TRUE);
}

/* Puts the other documents of the same folder, which may not be saved, beside the text, and says what is in them. */
static void write_neighbours(LspServer *server, const LspDocument *document, CcDiagnostics *collector,
                             GPtrArray *written)
{
    GHashTableIter iter;
    gpointer value;
    g_autofree char *folder = g_path_get_dirname(document->path);
    g_hash_table_iter_init(&iter, server->documents);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const LspDocument *other = value;
        g_autofree char *beside = g_path_get_dirname(other->path), *name = g_path_get_basename(other->path);
        if (other == document || strcmp(folder, beside) != 0)
            continue;
        write_scratch(server, name, other->path, other->text->str, other->text->len);
        cc_diagnostics_source(collector, other->path, other->text->str, other->text->len);
        g_ptr_array_add(written, g_build_filename(server->scratch, name, NULL));
    }
}

static bool need_scratch(LspServer *server)
{
    if (!server->scratch)
        server->scratch = g_dir_make_tmp("orrery-lsp-XXXXXX", NULL);
    return server->scratch;
}

LspAnalysis *lsp_analysis_of_text(LspServer *server, LspDocument *document, const char *text, size_t size,
                                  const char *probe)
{
    LspAnalysis *analysis = g_new0(LspAnalysis, 1);
    analysis->changes = server->changes;
    analysis->diagnostics = g_ptr_array_new_with_free_func(diagnostic_free);
    analysis->flags = lsp_flags_of(server, document->path);
    analysis->collector = cc_diagnostics_new(take, analysis, false);
    if (!need_scratch(server))
        return analysis;
    g_autoptr(GPtrArray) written = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *file = g_build_filename(server->scratch, "this document.c", NULL);
    cc_diagnostics_configure(analysis->collector, &analysis->flags->options, document->path);
    cc_diagnostics_source(analysis->collector, document->path, text, size);
    write_scratch(server, "this document.c", document->path, text, size);
    write_neighbours(server, document, analysis->collector, written);
    size_t length;
    char *seen = cc_preprocess(file, &analysis->flags->options, analysis->collector, &length, NULL);
    if (seen)
        analysis->index =
            cc_index_new(seen, length, document->path, &analysis->flags->options, analysis->collector, probe, NULL);
    cc_diagnostics_flush(analysis->collector);
    g_unlink(file);
    for (guint i = 0; i < written->len; i++)
        g_unlink(g_ptr_array_index(written, i));
    return analysis;
}

LspAnalysis *lsp_analysis(LspServer *server, LspDocument *document)
{
    if (document->analysis && document->analysis->changes == server->changes)
        return document->analysis;
    LspAnalysis *fresh = lsp_analysis_of_text(server, document, document->text->str, document->text->len, NULL);
    if (!fresh->index && document->analysis &&
        document->analysis->index) { /* the preprocessor gave up: old names stay */
        fresh->index = g_steal_pointer(&document->analysis->index);
        CcDiagnostics *collector = fresh->collector;
        LspFlags *flags = fresh->flags;
        fresh->collector = document->analysis->collector;
        fresh->flags = document->analysis->flags;
        document->analysis->collector = collector;
        document->analysis->flags = flags;
    }
    lsp_analysis_free(document->analysis);
    return document->analysis = fresh;
}

LspAnalysis *lsp_analysis_probe(LspServer *server, LspDocument *document, size_t at, size_t length, const char *probe)
{
    GString *text = g_string_new_len(document->text->str, (gssize)document->text->len);
    g_string_erase(text, (gssize)at, (gssize)length);
    g_string_insert(text, (gssize)at, probe);
    LspAnalysis *analysis = lsp_analysis_of_text(server, document, text->str, text->len, probe);
    g_string_free(text, TRUE);
    return analysis;
}

uint32_t lsp_analysis_file(const CcIndex *index, const char *path)
{
    size_t n;
    const char *const *files = cc_index_files(index, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(files[i], path) == 0)
            return (uint32_t)i;
    return UINT32_MAX;
}
