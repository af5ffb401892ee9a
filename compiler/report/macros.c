/* macros.c - finds the definitions of macros in the source files.
 *
 * The preprocessor has removed all macros when the compiler starts. Their definitions are therefore searched in the
 * text of the source files. This happens only when a report needs a macro.
 */
#include "base/nearest.h"
#include "compiler/arena/arena.h"
#include "compiler/report/diagnostics.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

struct CcMacros {
    GArray *places;      /* CcMacroPlace, in the order of the files */
    GHashTable *by_name; /* name -> index + 1 of its last definition in `places` */
    guint n_files;       /* number of files read so far */
};

static struct CcMacros *macros_of(CcSeen *seen)
{
    if (!seen->macros) {
        seen->macros = g_new0(struct CcMacros, 1);
        seen->macros->places = g_array_new(FALSE, FALSE, sizeof(CcMacroPlace));
        seen->macros->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    }
    return seen->macros;
}

void cc_macros_free(CcSeen *seen)
{
    if (!seen->macros)
        return;
    g_array_free(seen->macros->places, TRUE);
    g_hash_table_destroy(seen->macros->by_name);
    g_free(seen->macros);
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Records the macro if the line starts with "# define NAME". */
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
    size_t length = cc_word_size(at, end);
    if (!length || length > 200)
        return;
    char *name = cc_arena_strdup(unit->arena, at, length);
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
    if (!unit->seen)
        return NULL;
    struct CcMacros *macros = macros_of(unit->seen);
    read_files(unit, macros);
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(macros->by_name, name));
    return index ? &g_array_index(macros->places, CcMacroPlace, index - 1) : NULL;
}

/* Returns the column of the sign at the end (';') or the beginning ('=') of the macro's text. 0: it is not there. */
static unsigned sign_column(CcUnit *unit, const CcMacroPlace *macro, char sign)
{
    CcLine line = cc_source_line(unit->diagnostics, macro->file, macro->line);
    if (!line.text || macro->column > line.size)
        return 0;
    const char *start = line.text + macro->column - 1, *end = line.text + line.size;
    const char *comment = g_strstr_len(start, end - start, "//"), *block = g_strstr_len(start, end - start, "/*");
    end = comment && (!block || comment < block) ? comment : block ? block : end;
    const char *at = start + cc_word_size(start, end);
    if (at < end && *at == '(') /* a function-like macro may stand for a statement */
        return 0;
    at = skip_blanks(at, end);
    while (end > at && g_ascii_isspace(end[-1]))
        end--;
    if (sign == ';' ? end - at < 2 || end[-1] != ';' : at >= end || *at != '=')
        return 0;
    return (unsigned)((sign == ';' ? end - 1 : at) - line.text) + 1;
}

const char *cc_macro_with_sign(CcUnit *unit, CcLoc loc, char sign,
                               bool (*is_name)(void *user, const char *word, size_t size), void *user, CcLoc *place,
                               CcLoc *use)
{
    enum { LONGEST_LINE = 4000 };
    const char *file = loc.file < unit->files->len ? g_ptr_array_index(unit->files, loc.file) : unit->name;
    CcLine line = cc_source_line(unit->diagnostics, file, loc.line);
    for (const char *at = line.text, *end = at ? at + MIN(line.size, LONGEST_LINE) : NULL; at < end;) {
        size_t size = cc_word_size(at, end);
        if (size == 0 || g_ascii_isdigit(*at) || size > 200 || is_name(user, at, size)) {
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

void cc_macro_suggest(CcUnit *unit, BaseNearest *nearest)
{
    if (!unit->seen)
        return;
    struct CcMacros *macros = macros_of(unit->seen);
    read_files(unit, macros);
    for (guint i = 0; i < macros->places->len; i++) {
        const char *name = g_array_index(macros->places, CcMacroPlace, i).name;
        if (name[0] != '_' || nearest->wanted[0] == '_')
            base_nearest_try(nearest, name);
    }
}
