/* macros.c - where the macros of the source files are defined, and which names mpi.h has.
 *
 * The preprocessor has done its work when the compiler starts, so macros are found where the user sees them: in the
 * text of the files that took part. They are read only when something is to be said of one.
 */
#include "compiler/macros.h"

#include "compiler/diagnostics.h"
#include "compiler/tokens.h"

#include <string.h>

struct CcMacros {
    GArray *places;       /* CcMacroPlace, in order of the files */
    GHashTable *by_name;  /* name -> index + 1 of the last */
    GHashTable *mpi;      /* words of mpi.h that start with MPI; NULL: not read */
    GPtrArray *mpi_names; /* the same, in order */
    guint n_files;        /* read so far */
};

static struct CcMacros *macros_of(CcFront *front)
{
    if (!front->macros) {
        front->macros = g_new0(struct CcMacros, 1);
        front->macros->places = g_array_new(FALSE, FALSE, sizeof(CcMacroPlace));
        front->macros->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    }
    return front->macros;
}

void cc_macros_free(CcFront *front)
{
    if (!front->macros)
        return;
    g_array_free(front->macros->places, TRUE);
    g_hash_table_destroy(front->macros->by_name);
    if (front->macros->mpi) {
        g_hash_table_destroy(front->macros->mpi);
        g_ptr_array_free(front->macros->mpi_names, TRUE);
    }
    g_free(front->macros);
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static size_t word_size(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && (g_ascii_isalnum(*at) || *at == '_'))
        at++;
    return (size_t)(at - start);
}

/* "# define NAME" at the start of a line */
static void read_line(CcUnit *unit, struct CcMacros *macros, const char *file, const char *line, const char *end,
                      unsigned number)
{
    const char *at = skip_blanks(line, end);
    if (at == end || *at != '#')
        return;
    at = skip_blanks(at + 1, end);
    if (end - at < 8 || memcmp(at, "define", 6) != 0 || (at[6] != ' ' && at[6] != '\t'))
        return;
    at = skip_blanks(at + 6, end);
    size_t length = word_size(at, end);
    if (!length || length > 200)
        return;
    char *name = cc_strdup(unit->arena, at, length);
    CcMacroPlace place = {name, file, number, (unsigned)(at - line) + 1};
    g_array_append_val(macros->places, place);
    g_hash_table_insert(macros->by_name, name, GUINT_TO_POINTER(macros->places->len));
}

static void read_files(CcUnit *unit, struct CcMacros *macros)
{
    for (; macros->n_files < unit->files->len; macros->n_files++) {
        const char *file = g_ptr_array_index(unit->files, macros->n_files);
        size_t size;
        const char *at = cc_source_text(unit->diagnostics, file, &size), *end = at ? at + size : NULL;
        for (unsigned number = 1; at && at < end; number++) {
            const char *stop = memchr(at, '\n', (size_t)(end - at));
            read_line(unit, macros, file, at, stop ? stop : end, number);
            at = stop ? stop + 1 : end;
        }
    }
}

const CcMacroPlace *cc_macro_find(CcUnit *unit, const char *name)
{
    if (!unit->front)
        return NULL;
    struct CcMacros *macros = macros_of(unit->front);
    read_files(unit, macros);
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(macros->by_name, name));
    return index ? &g_array_index(macros->places, CcMacroPlace, index - 1) : NULL;
}

/* Where the definition has the sign, at its end (;) or its beginning (=); 0: it has not. */
static unsigned sign_column(CcUnit *unit, const CcMacroPlace *macro, char sign)
{
    CcLine line = cc_source_line(unit->diagnostics, macro->file, macro->line);
    if (!line.text || macro->column > line.size)
        return 0;
    const char *start = line.text + macro->column - 1, *end = line.text + line.size;
    const char *comment = g_strstr_len(start, end - start, "//"), *block = g_strstr_len(start, end - start, "/*");
    end = comment && (!block || comment < block) ? comment : block ? block : end;
    const char *at = start + word_size(start, end);
    if (at < end && *at == '(') /* a function's text may be a statement */
        return 0;
    at = skip_blanks(at, end);
    while (end > at && g_ascii_isspace(end[-1]))
        end--;
    if (sign == ';' ? end - at < 2 || end[-1] != ';' : at >= end || *at != '=')
        return 0;
    return (unsigned)((sign == ';' ? end - 1 : at) - line.text) + 1;
}

/* Whether the program has another meaning for the word, so that it can be no macro's name. */
static bool means_something(CcParser *p, const char *word, size_t size)
{
    const CcIdent *ident = cc_ident(p, word, size);
    return ident->keyword || ident->ordinary;
}

const char *cc_macro_with_sign(CcParser *p, CcLoc loc, char sign, CcLoc *place, CcLoc *use)
{
    enum { LONGEST_LINE = 4000 };
    CcUnit *unit = p->unit;
    const char *file = loc.file < unit->files->len ? g_ptr_array_index(unit->files, loc.file) : unit->name;
    CcLine line = cc_source_line(unit->diagnostics, file, loc.line);
    for (const char *at = line.text, *end = at ? at + MIN(line.size, LONGEST_LINE) : NULL; at < end;) {
        size_t size = word_size(at, end);
        if (size == 0 || g_ascii_isdigit(*at) || size > 200 || means_something(p, at, size)) {
            at += MAX(size, 1);
            continue;
        }
        g_autofree char *name = g_strndup(at, size);
        const CcMacroPlace *macro = cc_macro_find(unit, name);
        unsigned column = macro ? sign_column(unit, macro, sign) : 0;
        for (guint i = 0; column && column < UINT16_MAX && i < unit->files->len; i++)
            if (strcmp(g_ptr_array_index(unit->files, i), macro->file) == 0) {
                *place = (CcLoc){i, macro->line, (uint16_t)column, 1};
                *use = loc;
                use->column = (uint16_t)MIN(at - line.text + 1, UINT16_MAX);
                use->length = (uint16_t)size;
                return macro->name;
            }
        at += size;
    }
    return NULL;
}

void cc_macro_suggest(CcUnit *unit, CcNearest *nearest)
{
    if (!unit->front)
        return;
    struct CcMacros *macros = macros_of(unit->front);
    read_files(unit, macros);
    for (guint i = 0; i < macros->places->len; i++) {
        const char *name = g_array_index(macros->places, CcMacroPlace, i).name;
        if (name[0] != '_' || nearest->wanted[0] == '_')
            cc_nearest_try(nearest, name);
    }
}

/* -- mpi.h ------------------------------------------------------------------------------------- */

static void add_mpi(CcUnit *unit, struct CcMacros *macros, const char *word, size_t length)
{
    char *name = cc_strdup(unit->arena, word, length);
    if (g_hash_table_add(macros->mpi, name))
        g_ptr_array_add(macros->mpi_names, name);
}

static void read_mpi(CcUnit *unit, struct CcMacros *macros)
{
    macros->mpi = g_hash_table_new(g_str_hash, g_str_equal);
    macros->mpi_names = g_ptr_array_new();
    char *path = g_build_filename(unit->options->include_dir, "mpi.h", NULL);
    size_t size;
    const char *at = cc_source_text(unit->diagnostics, path, &size), *end = at ? at + size : NULL;
    while (at && at < end) {
        size_t length = word_size(at, end);
        if (length > 4 && memcmp(at, "MPI_", 4) == 0)
            add_mpi(unit, macros, at, length);
        at += MAX(length, 1);
    }
    g_free(path);
}

bool cc_mpi_has(CcUnit *unit, const char *name)
{
    if (!unit->front || strncmp(name, "MPI_", 4) != 0)
        return false;
    struct CcMacros *macros = macros_of(unit->front);
    if (!macros->mpi)
        read_mpi(unit, macros);
    return g_hash_table_contains(macros->mpi, name);
}

static bool was_included(const CcUnit *unit, const char *header)
{
    for (guint i = 0; i < unit->files->len; i++)
        if (g_str_has_suffix(g_ptr_array_index(unit->files, i), header))
            return true;
    return false;
}

bool cc_told_header(CcParser *p, const char *header, bool as_error)
{
    for (const CcToldHeader *told = p->told_headers; told; told = told->next)
        if (strcmp(told->header, header) == 0 && (told->as_error || !as_error))
            return true;
    CcToldHeader *told = CC_NEW(p->arena, CcToldHeader);
    *told = (CcToldHeader){p->told_headers, header, as_error};
    p->told_headers = told;
    return false;
}

/* The header in "; include <stdio.h>", or NULL. */
bool cc_told_hint(CcParser *p, const char *hint, bool as_error)
{
    static const char start[] = "; include <";
    if (!g_str_has_prefix(hint, start))
        return false;
    const char *name = hint + strlen(start);
    return cc_told_header(p, cc_strdup(p->arena, name, strcspn(name, ">")), as_error);
}

char *cc_unknown_name_hint(CcParser *p, const char *name, bool functions_only)
{
    CcUnit *unit = p->unit;
    const char *header = cc_header_of(name);
    if (!header && !was_included(unit, "/mpi.h") && cc_mpi_has(unit, name))
        header = "mpi.h";
    if (header)
        return g_strdup_printf("; include <%s>", header);
    if (cc_foreign_hint(name))
        return g_strdup(cc_foreign_hint(name));
    const char *like = cc_suggest(p, name, functions_only), *mpi = like ? NULL : cc_mpi_suggest(unit, name);
    if (like)
        return g_strdup_printf("; did you mean '%s'?", like);
    if (mpi)
        return g_strdup_printf("; did you mean '%s' of <mpi.h>?", mpi);
    return g_strdup("");
}

/* Puts the name that was meant in place of the wrong one. */
bool cc_fix_name(CcParser *p, CcLoc loc, const char *hint)
{
    static const char start[] = "; did you mean '";
    if (!g_str_has_prefix(hint, start))
        return false;
    char *name = g_strndup(hint + strlen(start), strcspn(hint + strlen(start), "'"));
    cc_fix(p->unit, loc, name);
    bool keyword = cc_ident(p, name, strlen(name))->keyword != 0;
    g_free(name);
    return keyword;
}

const char *cc_mpi_suggest(CcUnit *unit, const char *text)
{
    if (g_ascii_strncasecmp(text, "MPI_", 4) != 0 || cc_mpi_has(unit, text) || !unit->front)
        return NULL;
    struct CcMacros *macros = macros_of(unit->front);
    if (!macros->mpi)
        read_mpi(unit, macros);
    CcNearest nearest = cc_nearest(text);
    nearest.limit = MIN(nearest.limit, 16);
    for (guint i = 0; i < macros->mpi_names->len; i++)
        cc_nearest_try(&nearest, g_ptr_array_index(macros->mpi_names, i));
    return nearest.best;
}
