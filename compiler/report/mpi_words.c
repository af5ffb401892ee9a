/* mpi_words.c - the names that mpi.h has, for hints in programs that do not include it. */
#include "base/nearest.h"
#include "compiler/arena/arena.h"
#include "compiler/report/diagnostics.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

struct CcMpiWords {
    GHashTable *known; /* set of the words of mpi.h that start with MPI_ */
    GPtrArray *names;  /* the same words in the order of mpi.h, so that suggestions are deterministic */
};

void cc_mpi_words_free(CcSeen *seen)
{
    if (!seen->mpi_words)
        return;
    g_hash_table_destroy(seen->mpi_words->known);
    g_ptr_array_free(seen->mpi_words->names, TRUE);
    g_free(seen->mpi_words);
}

static void add_word(CcUnit *unit, struct CcMpiWords *words, const char *word, size_t length)
{
    char *name = cc_arena_strdup(unit->arena, word, length);
    if (g_hash_table_add(words->known, name))
        g_ptr_array_add(words->names, name);
}

/* Returns the names, which the first call reads from mpi.h. */
static const struct CcMpiWords *words_of(CcUnit *unit)
{
    struct CcMpiWords *words = unit->seen->mpi_words;
    if (words)
        return words;
    unit->seen->mpi_words = words = g_new0(struct CcMpiWords, 1);
    words->known = g_hash_table_new(g_str_hash, g_str_equal);
    words->names = g_ptr_array_new();
    char *path = g_build_filename(unit->options->include_dir, "mpi.h", NULL);
    size_t size;
    const char *at = cc_source_text(unit->diagnostics, path, &size), *end = at ? at + size : NULL;
    while (at && at < end) {
        size_t length = cc_word_size(at, end);
        if (length > 4 && memcmp(at, "MPI_", 4) == 0)
            add_word(unit, words, at, length);
        at += MAX(length, 1);
    }
    g_free(path);
    return words;
}

bool cc_mpi_words_has(CcUnit *unit, const char *name)
{
    if (!unit->seen || strncmp(name, "MPI_", 4) != 0)
        return false;
    return g_hash_table_contains(words_of(unit)->known, name);
}

const char *cc_mpi_words_suggest(CcUnit *unit, const char *text)
{
    if (g_ascii_strncasecmp(text, "MPI_", 4) != 0 || cc_mpi_words_has(unit, text) || !unit->seen)
        return NULL;
    const struct CcMpiWords *words = words_of(unit);
    BaseNearest nearest = base_nearest_of(text);
    nearest.limit = MIN(nearest.limit, 16);
    for (guint i = 0; i < words->names->len; i++)
        base_nearest_try(&nearest, g_ptr_array_index(words->names, i));
    return nearest.best;
}
