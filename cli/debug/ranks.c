/* ranks.c - debugger commands over sets of ranks: their names, values folded, stacks merged. */
#include "cli/debug/debug.h"
#include "monitor/look.h"

#include <string.h>

MonRankNames *cli_debug_groups(DebugSession *session)
{
    if (!session->groups)
        session->groups = mon_rank_names_new();
    return session->groups;
}

MonRankSet *cli_debug_take_ranks(DebugSession *session, const char **text)
{
    MonRankWorld world;
    g_autoptr(GError) error = NULL;
    mon_rank_world_of(session->machine, session->rank, session->frame, cli_debug_groups(session), &world);
    MonRankSet *set = mon_ranks_take(&world, *text, text, &error);
    mon_rank_world_clear(&world);
    if (!set)
        g_string_append_printf(session->out, "%s\n", error->message);
    return set;
}

MonRankSet *cli_debug_all_ranks(DebugSession *session, const char *text)
{
    if (*text != '\0') {
        MonRankSet *set = cli_debug_take_ranks(session, &text);
        if (set && *text != '\0') {
            g_string_append_printf(session->out, "'%s' does not belong to a set of ranks\n", text);
            g_clear_pointer(&set, mon_ranks_free);
        }
        return set;
    }
    MonRankSet *set = mon_ranks_new();
    mon_ranks_add(set, 0, mach_run_ranks(session->machine) - 1);
    return set;
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
        g_autoptr(MonRankSet) set = *arguments ? cli_debug_all_ranks(session, arguments) : NULL;
        if (set)
            say_group(arguments, set, session->out);
        if (*arguments)
            return;
        mon_rank_names_each(cli_debug_groups(session), say_group, session->out);
        if (session->out->len == before)
            g_string_append(session->out, "no set of ranks has a name: workers = 1-15,!7 gives one\n");
        return;
    }
    g_autofree char *name = g_strstrip(g_strndup(arguments, (gsize)(equals - arguments)));
    g_autoptr(GError) error = NULL;
    const char *text = equals + 1 + strspn(equals + 1, " \t");
    g_autoptr(MonRankSet) set = cli_debug_all_ranks(session, *text ? text : "none");
    if (!set)
        return;
    if (mon_rank_names_set(cli_debug_groups(session), name, set, &error))
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

void cli_debug_print_over(DebugSession *session, const char *text, bool whole)
{
    MonFormat format;
    g_autoptr(GError) error = NULL;
    MonSpot spot = {session->machine, session->rank, session->frame};
    g_autoptr(MonRankSet) ranks = cli_debug_take_ranks(session, &text);
    if (!ranks)
        return;
    MonSpread *spread =
        mon_expression_format(&text, &format, &error) ? mon_spread_new(&spot, ranks, text, &format, &error) : NULL;
    if (spread) {
        g_string_append_printf(session->out, "%s =", text);
        gsize behind = session->out->len;
        mon_spread_append(spread, whole, whole, session->out);
        if (session->out->str[behind] != '\n') /* else a value a line */
            g_string_insert_c(session->out, (gssize)behind, ' ');
    } else {
        g_string_append_printf(session->out, "%s\n", error->message);
    }
    mon_spread_free(spread);
}

void cli_debug_do_spread(DebugSession *session, const char *arguments)
{
    if (*arguments == '@') {
        cli_debug_print_over(session, arguments, true);
        return;
    }
    g_autofree char *all = g_strconcat("@all ", arguments, NULL);
    cli_debug_print_over(session, all, true);
}

void cli_debug_do_stacks(DebugSession *session, const char *arguments)
{
    g_autoptr(MonRankSet) ranks = cli_debug_all_ranks(session, arguments);
    if (ranks)
        mon_look_stacks(session->machine, ranks, session->out);
}

void cli_debug_do_where(DebugSession *session, const char *arguments)
{
    g_autoptr(MonRankSet) ranks = cli_debug_all_ranks(session, arguments);
    if (ranks)
        mon_look_places(session->machine, ranks, session->out);
}

/* -- what ranks have in MPI -------------------------------------------------------------------- */

void cli_debug_do_why(DebugSession *session, const char *arguments)
{
    uint32_t rank = session->rank;
    if (cli_debug_parse_rank(session, arguments, &rank))
        mon_look_why(session->machine, rank, session->out);
}

void cli_debug_do_waits(DebugSession *session, const char *arguments)
{
    (void)arguments;
    mon_look_waits(session->machine, session->out);
}

void cli_debug_do_queues(DebugSession *session, const char *arguments)
{
    g_autoptr(MonRankSet) ranks = cli_debug_all_ranks(session, arguments);
    if (ranks)
        mon_look_queues(session->machine, ranks, session->out);
}

void cli_debug_do_findings(DebugSession *session, const char *arguments)
{
    (void)arguments;
    mon_look_findings(session->machine, session->out);
}

void cli_debug_do_load(DebugSession *session, const char *arguments)
{
    (void)arguments;
    mon_look_load(session->machine, session->out);
}
