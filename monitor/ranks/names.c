/* names.c - names that a user has given to sets of ranks. */
#include "monitor/ranks/words.h"
#include "monitor/report/report.h"

#include <string.h>

struct MonRankNames {
    GTree *sets; /* name -> MonRankSet, by name */
};

static int compare(gconstpointer a, gconstpointer b, gpointer user)
{
    (void)user;
    return strcmp(a, b);
}

static void free_set(gpointer set)
{
    mon_ranks_free(set);
}

MonRankNames *mon_rank_names_new(void)
{
    MonRankNames *names = g_new0(MonRankNames, 1);
    names->sets = g_tree_new_full(compare, NULL, g_free, free_set);
    return names;
}

void mon_rank_names_free(MonRankNames *names)
{
    if (!names)
        return;
    g_tree_unref(names->sets);
    g_free(names);
}

size_t mon_rank_word_length(const char *text)
{
    size_t length = 0;
    while (g_ascii_isalpha(text[length]) || text[length] == '_' || (length > 0 && g_ascii_isdigit(text[length])))
        length++;
    return length;
}

bool mon_rank_names_set(MonRankNames *names, const char *name, const MonRankSet *set, GError **error)
{
    if (*name == '\0' || name[mon_rank_word_length(name)] != '\0') {
        g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION,
                    "'%s' is no name for a set of ranks: a letter, then letters, digits and _", name);
        return false;
    }
    if (g_strv_contains(mon_rank_words, name)) {
        g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION, "'%s' means a set of ranks already", name);
        return false;
    }
    g_tree_replace(names->sets, g_strdup(name), mon_ranks_copy(set));
    return true;
}

bool mon_rank_names_remove(MonRankNames *names, const char *name)
{
    return g_tree_remove(names->sets, name);
}

const MonRankSet *mon_rank_names_find(const MonRankNames *names, const char *name)
{
    return g_tree_lookup(names->sets, name);
}

typedef struct Each {
    void (*each)(const char *name, const MonRankSet *set, void *user);
    void *user;
} Each;

static gboolean call_each(gpointer name, gpointer set, gpointer data)
{
    const Each *each = data;
    each->each(name, set, each->user);
    return FALSE;
}

void mon_rank_names_each(const MonRankNames *names, void (*each)(const char *name, const MonRankSet *set, void *user),
                         void *user)
{
    Each data = {each, user};
    g_tree_foreach(names->sets, call_each, &data);
}
