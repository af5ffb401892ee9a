/* prototypes.c - leaves out of preprocessed text the prototypes of mpi.h that nothing in it mentions.
 *
 * mpi.h declares some 1,300 functions, most of which a program never names; reading them takes longer than all else
 * that happens to a small program. Each of them stands on a line of its own (clib/mpi_header.awk), and becomes an empty
 * one, so that no line gets another number. Nothing can tell the difference but what asks for names that are near a
 * misspelt one: hence compile.c takes the whole text where there is anything to say.
 */
#include "compiler/compiler.h"
#include "compiler/pipeline.h"

#include <string.h>

/* A prototype's line, without its end. */
typedef struct Prototype {
    size_t start, end;
    char *name;
} Prototype;

typedef struct Search {
    char *header;         /* the beginning of a line marker of mpi.h, behind its number */
    GArray *prototypes;   /* Prototype */
    GHashTable *mentions; /* names of other text that may be those of prototypes */
} Search;

static void clear_prototype(void *prototype)
{
    g_free(((Prototype *)prototype)->name);
}

static bool is_name(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* Notes the names in [at, end) that begin as those of MPI's functions do. */
static void note_mentions(Search *search, const char *at, const char *end)
{
    while (at < end) {
        const char *name = at;
        while (at < end && is_name(*at))
            at++;
        size_t length = (size_t)(at - name);
        if (length > 5 && (memcmp(name, "MPI_", 4) == 0 || memcmp(name, "PMPI_", 5) == 0))
            g_hash_table_add(search->mentions, g_strndup(name, length));
        at += length == 0;
    }
}

/* Notes "int MPI_Name(...);", the one form that the header's lines have. */
static bool note_prototype(Search *search, const char *text, const char *line, const char *end)
{
    const char *name = memchr(line, ' ', (size_t)(end - line)), *after;
    if (!name || end[-1] != ';' || !(g_str_has_prefix(line, "int ") || g_str_has_prefix(line, "double ")))
        return false;
    for (after = ++name; after < end && is_name(*after); after++)
        continue;
    if (*after != '(' || !(g_str_has_prefix(name, "MPI_") || g_str_has_prefix(name, "PMPI_")))
        return false;
    Prototype found = {(size_t)(line - text), (size_t)(end - text), g_strndup(name, (size_t)(after - name))};
    g_array_append_val(search->prototypes, found);
    return true;
}

/* Whether the line is a marker; then, whether what follows is mpi.h's. */
static bool read_marker(const Search *search, const char *line, bool *in_header)
{
    if (line[0] != '#' || line[1] != ' ' || !g_ascii_isdigit(line[2]))
        return false;
    line += 2;
    while (g_ascii_isdigit(*line))
        line++;
    *in_header = g_str_has_prefix(line, search->header);
    return true;
}

static void read_lines(Search *search, const char *text, size_t size)
{
    bool in_header = false;
    for (const char *line = text, *end; line < text + size; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + size - line));
        bool whole = end != NULL;
        end = whole ? end : text + size;
        if (whole && (end == line || read_marker(search, line, &in_header)))
            continue;
        if (!whole || !in_header || !note_prototype(search, text, line, end))
            note_mentions(search, line, end);
    }
}

static char *without_unmentioned(const Search *search, const char *text, size_t size, size_t *left)
{
    GString *out = g_string_sized_new(size);
    size_t from = 0;
    for (guint i = 0; i < search->prototypes->len; i++) {
        const Prototype *prototype = &g_array_index(search->prototypes, Prototype, i);
        if (g_hash_table_contains(search->mentions, prototype->name))
            continue;
        g_string_append_len(out, text + from, (gssize)(prototype->start - from));
        from = prototype->end;
    }
    g_string_append_len(out, text + from, (gssize)(size - from));
    *left = out->len;
    return g_string_free(out, FALSE);
}

char *cc_prototypes_trim(const char *text, size_t size, const CcOptions *options, size_t *left)
{
    Search search = {.header = g_strdup_printf(" \"%s/mpi.h\" ", options->include_dir ? options->include_dir : ""),
                     .prototypes = g_array_new(FALSE, FALSE, sizeof(Prototype)),
                     .mentions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    g_array_set_clear_func(search.prototypes, clear_prototype);
    if (memmem(text, size, search.header, strlen(search.header)))
        read_lines(&search, text, size);
    char *trimmed = search.prototypes->len ? without_unmentioned(&search, text, size, left) : NULL;
    g_array_unref(search.prototypes);
    g_hash_table_unref(search.mentions);
    g_free(search.header);
    return trimmed;
}
