/* queries_ranks.c - answers about sets of ranks.
 *
 * What the argument begins with are the names that the user has given to sets: snapshots of the engine do not know what
 * has been typed since. */
#include "monitor/report/report.h"
#include "monitor/session/queries.h"

#include <string.h>

/* Reads the lines "NAME = RANKS" up to the blank line. *text: what follows that. */
static MonRankNames *take_names(const MonQuestion *question, const char **text)
{
    MonRankNames *names = mon_rank_names_new();
    MonRankWorld numbers = {.ranks = mach_run_ranks(question->engine->machine)};
    *text = question->argument;
    for (const char *end; (end = strchr(*text, '\n')); *text = end + 1) {
        if (end == *text) {
            (*text)++;
            break;
        }
        g_autofree char *line = g_strndup(*text, (gsize)(end - *text));
        char *equals = strstr(line, " = ");
        if (!equals)
            continue;
        *equals = '\0';
        g_autoptr(MonRankSet) set = mon_ranks_read(&numbers, equals + 3, NULL);
        if (set)
            mon_rank_names_set(names, line, set, NULL);
    }
    return names;
}

/* Takes the set of ranks that the text begins with. Returns NULL with an error. */
static MonRankSet *take_ranks(const MonQuestion *question, const MonRankNames *names, const char **text)
{
    MonRankWorld world;
    mon_rank_world_of(question->engine->machine, question->rank, question->frame, names, &world);
    MonRankSet *set = mon_ranks_take(&world, *text, text, question->error);
    mon_rank_world_clear(&world);
    return set;
}

MonRankSet *mon_queries_ranks(const MonQuestion *question)
{
    const char *text;
    MonRankNames *names = take_names(question, &text);
    bool all = *text == '\0';
    MonRankSet *set = all ? mon_ranks_new() : take_ranks(question, names, &text);
    mon_rank_names_free(names);
    if (all)
        mon_ranks_add(set, 0, mach_run_ranks(question->engine->machine) - 1);
    if (!set || *text == '\0')
        return set;
    g_set_error(question->error, MON_ERROR, MON_ERROR_PLACE, "'%s' does not belong to a set of ranks", text);
    mon_ranks_free(set);
    return NULL;
}

bool mon_queries_print_over(const MonQuestion *question, bool whole)
{
    MonFormat format;
    MonSpot spot = {question->engine->machine, question->rank, question->frame};
    const char *text;
    MonRankNames *names = take_names(question, &text);
    g_autoptr(MonRankSet) ranks = take_ranks(question, names, &text);
    mon_rank_names_free(names);
    if (!ranks || !mon_expression_format(&text, &format, question->error))
        return false;
    MonSpread *spread = mon_spread_new(&spot, ranks, text, &format, question->error);
    if (!spread)
        return false;
    g_string_append_printf(question->out, "%s =", text);
    gsize behind = question->out->len;
    mon_spread_append(spread, whole, whole, question->out);
    if (question->out->str[behind] != '\n') /* else a value a line */
        g_string_insert_c(question->out, (gssize)behind, ' ');
    mon_spread_free(spread);
    return true;
}

bool mon_queries_group(const MonQuestion *question)
{
    g_autoptr(MonRankSet) set = mon_queries_ranks(question);
    if (set)
        mon_ranks_append(set, question->out);
    return set;
}

bool mon_queries_look(const MonQuestion *question,
                      void (*look)(Machine *machine, const MonRankSet *ranks, GString *out))
{
    g_autoptr(MonRankSet) set = mon_queries_ranks(question);
    if (set)
        look(question->engine->machine, set, question->out);
    return set;
}
