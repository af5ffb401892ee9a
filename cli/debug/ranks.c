/* ranks.c - debugger commands over sets of ranks: their names, values folded, stacks merged; and what ranks have in
 * MPI. */
#include "cli/base/base.h"
#include "cli/debug/debug.h"

#include <string.h>

static MonRankNames *groups(DebugSession *session)
{
    if (!session->groups)
        session->groups = mon_rank_names_new();
    return session->groups;
}

static void append_name(const char *name, const MonRankSet *set, void *user)
{
    GString *out = user;
    g_string_append_printf(out, "%s = ", name);
    mon_ranks_append(set, out);
    g_string_append_c(out, '\n');
}

/* Asks with the names of sets before the argument; they are what queries.def says. */
static bool try_ranks(DebugSession *session, MonQuery query, const char *text, GString *out, GError **error)
{
    g_autoptr(GString) argument = g_string_new(NULL);
    mon_rank_names_each(groups(session), append_name, argument);
    g_string_append_printf(argument, "\n%s", text);
    return cli_debug_ask(session, query, argument->str, out, error);
}

static bool ask_ranks(DebugSession *session, MonQuery query, const char *text, GString *out)
{
    g_autoptr(GError) error = NULL;
    if (try_ranks(session, query, text, out, &error))
        return true;
    g_string_append_printf(session->out, "%s\n", error->message);
    return false;
}

void cli_debug_tell_ranks(DebugSession *session, MonQuery query, const char *text)
{
    ask_ranks(session, query, text, session->out);
}

/* Reads a set of ranks. NULL, with a message: it cannot be read. */
static MonRankSet *read_ranks(DebugSession *session, const char *text)
{
    g_autoptr(GString) numbers = g_string_new(NULL);
    MonRankWorld world = {.ranks = mon_session_ranks(session->core)};
    return ask_ranks(session, MON_QUERY_GROUP, text, numbers) ? mon_ranks_read(&world, numbers->str, NULL) : NULL;
}

char *cli_debug_spell_ranks(DebugSession *session, const char *text, GError **error)
{
    g_autoptr(GString) numbers = g_string_new(NULL);
    return try_ranks(session, MON_QUERY_GROUP, text, numbers, error) ? g_strdup(numbers->str) : NULL;
}

GArray *cli_debug_read_ranks(DebugSession *session, const char *text, GError **error)
{
    g_autofree char *numbers = cli_debug_spell_ranks(session, text, error);
    MonRankWorld world = {.ranks = mon_session_ranks(session->core)};
    g_autoptr(MonRankSet) set = numbers ? mon_ranks_read(&world, numbers, error) : NULL;
    if (!set)
        return NULL;
    GArray *ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t rank = mon_ranks_next(set, 0); rank != UINT32_MAX; rank = mon_ranks_next(set, rank + 1))
        g_array_append_val(ranks, rank);
    if (ranks->len > 0)
        return ranks;
    g_array_unref(ranks);
    g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "'%s' are no ranks", text);
    return NULL;
}

void cli_debug_append_ranks(const GArray *ranks, GString *out)
{
    g_autoptr(MonRankSet) set = mon_ranks_new();
    for (guint i = 0; i < ranks->len; i++)
        mon_ranks_add(set, g_array_index(ranks, uint32_t, i), g_array_index(ranks, uint32_t, i));
    mon_ranks_append(set, out);
}

static void say_group(const char *name, const MonRankSet *set, void *user)
{
    GString *out = user;
    g_string_append_printf(out, "%s = ", name);
    mon_ranks_append(set, out);
    g_string_append_printf(out, "  (%u)\n", mon_ranks_count(set));
}

void cli_debug_do_group(DebugSession *session, const char *arguments)
{
    const char *equals = strchr(arguments, '=');
    gsize before = session->out->len;
    if (!equals) {
        g_autoptr(MonRankSet) set = *arguments ? read_ranks(session, arguments) : NULL;
        if (set)
            say_group(arguments, set, session->out);
        if (*arguments)
            return;
        mon_rank_names_each(groups(session), say_group, session->out);
        if (session->out->len == before)
            g_string_append(session->out, "no set of ranks has a name: workers = 1-15,!7 gives one\n");
        return;
    }
    g_autofree char *name = g_strstrip(g_strndup(arguments, (gsize)(equals - arguments)));
    g_autoptr(GError) error = NULL;
    const char *text = equals + 1 + strspn(equals + 1, " \t");
    g_autoptr(MonRankSet) set = read_ranks(session, *text ? text : "none");
    if (!set)
        return;
    if (mon_rank_names_set(groups(session), name, set, &error))
        say_group(name, set, session->out);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
}

bool cli_debug_is_group(const char *line)
{
    size_t name = 0;
    while (g_ascii_isalnum(line[name]) || line[name] == '_')
        name++;
    const char *behind = line + name + strspn(line + name, " \t");
    return name > 0 && g_ascii_isalpha(line[0]) && behind[0] == '=' && behind[1] != '=';
}

void cli_debug_do_spread(DebugSession *session, const char *arguments)
{
    g_autofree char *over = g_strconcat(*arguments == '@' ? "" : "@all ", arguments, NULL);
    cli_debug_tell_ranks(session, MON_QUERY_SPREAD, over);
}

void cli_debug_do_stacks(DebugSession *session, const char *arguments)
{
    cli_debug_tell_ranks(session, MON_QUERY_STACKS, arguments);
}

void cli_debug_do_where(DebugSession *session, const char *arguments)
{
    cli_debug_tell_ranks(session, MON_QUERY_WHERE, arguments);
}

/* -- what ranks have in MPI -------------------------------------------------------------------- */

void cli_debug_do_why(DebugSession *session, const char *arguments)
{
    uint32_t rank = session->rank;
    if (!cli_debug_parse_rank(session, arguments, &rank))
        return;
    g_autoptr(GError) error = NULL;
    MonPlace place = {.rank = rank};
    if (!mon_session_ask(session->core, MON_QUERY_WHY, &place, NULL, session->out, &error))
        g_string_append_printf(session->out, "%s\n", error->message);
}

void cli_debug_do_waits(DebugSession *session, const char *arguments)
{
    (void)arguments;
    cli_debug_tell(session, MON_QUERY_WAITS, NULL);
}

void cli_debug_do_queues(DebugSession *session, const char *arguments)
{
    cli_debug_tell_ranks(session, MON_QUERY_QUEUES, arguments);
}

void cli_debug_do_findings(DebugSession *session, const char *arguments)
{
    (void)arguments;
    cli_debug_tell(session, MON_QUERY_FINDINGS, NULL);
}

void cli_debug_do_load(DebugSession *session, const char *arguments)
{
    (void)arguments;
    cli_debug_tell(session, MON_QUERY_LOAD, NULL);
}
