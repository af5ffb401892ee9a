/* data.c - debugger commands that show and set values, types, and lists of what exists. */
#include "cli/debug/debug.h"

#include <string.h>

void cli_debug_do_print(DebugSession *session, const char *arguments)
{
    if (*arguments == '@') {
        cli_debug_tell_ranks(session, MON_QUERY_PRINT_OVER, arguments);
        return;
    }
    if (cli_debug_tell(session, MON_QUERY_PRINT, arguments))
        g_string_append_c(session->out, '\n');
}

void cli_debug_do_x(DebugSession *session, const char *arguments)
{
    cli_debug_tell(session, MON_QUERY_MEMORY, arguments);
}

void cli_debug_do_set(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) value = g_string_new(NULL);
    MonPlace place = {.rank = session->rank, .frame = session->frame};
    if (cli_debug_set_locking(session, arguments))
        return;
    if (!g_str_has_prefix(arguments, "var ") && !g_str_has_prefix(arguments, "variable ")) {
        g_string_append(
            session->out,
            "set var VARIABLE = EXPRESSION changes a variable; set scheduler-locking on|off|step says whether "
            "others stand; NAME = RANKS names a set of ranks\n");
        return;
    }
    if (!session->started || !cli_debug_still_there(session, session->rank)) {
        if (!session->started)
            g_string_append(session->out, "the program is not running yet: type run\n");
        return;
    }
    arguments = g_strchug((char *)strchr(arguments, ' '));
    if (mon_session_set(session->core, &place, arguments, value, &error))
        g_string_append_printf(session->out, "%s: now %s (branch %u of history)\n", arguments, value->str,
                               mon_session_branch(session->core));
    else
        g_string_append_printf(session->out, "%s\n", error->message);
}

static void print_type(DebugSession *session, const char *arguments, MonQuery query)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) type = g_string_new(NULL);
    if (cli_debug_ask(session, query, arguments, type, &error))
        g_string_append_printf(session->out, "%s: %s\n", arguments, type->str);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
}

void cli_debug_do_whatis(DebugSession *session, const char *arguments)
{
    print_type(session, arguments, MON_QUERY_WHATIS);
}

void cli_debug_do_ptype(DebugSession *session, const char *arguments)
{
    print_type(session, arguments, MON_QUERY_PTYPE);
}

static void tell_branches(DebugSession *session)
{
    for (unsigned i = 0; i < mon_session_branches(session->core); i++) {
        MonBranch branch = mon_session_branch_of(session->core, i);
        g_string_append_printf(session->out, "%c %u  ", i == mon_session_branch(session->core) ? '*' : ' ', i);
        if (branch.change)
            g_string_append_printf(session->out, "from %u at moment %" G_GUINT64_FORMAT ": %s", branch.parent,
                                   branch.begins, branch.change);
        else
            g_string_append(session->out, "what the program does by itself");
        g_string_append_printf(session->out, "; seen up to moment %" G_GUINT64_FORMAT "\n", branch.reached);
    }
}

static void tell_history(DebugSession *session)
{
    MonHistory history;
    mon_session_history(session->core, &history);
    g_autofree char *bytes = g_format_size_full(history.bytes, G_FORMAT_SIZE_IEC_UNITS);
    g_autofree char *limit = g_format_size_full(history.limit, G_FORMAT_SIZE_IEC_UNITS);
    g_string_append_printf(session->out,
                           "moment %" G_GUINT64_FORMAT " (statements begun, of all ranks together)\n"
                           "%u snapshot%s to go back from, %s of at most %s\n",
                           history.moment, history.snapshots, history.snapshots == 1 ? "" : "s", bytes, limit);
}

static void tell_state(DebugSession *session)
{
    if (cli_debug_tell(session, MON_QUERY_STATE, NULL))
        g_string_append(session->out, "  (of the memory, clocks and frames of all ranks: equal where these are)\n");
}

/* In the order in which beginnings of names are tried. */
static const struct {
    const char *name;
    MonQuery query; /* or a function that tells it */
    void (*tell)(DebugSession *session);
} subjects[] = {
    {"ranks", MON_QUERY_RANKS, NULL},
    {"threads", MON_QUERY_THREADS, NULL},
    {"locals", MON_QUERY_LOCALS, NULL},
    {"locks", MON_QUERY_LOCKS, NULL},
    {"line", MON_QUERY_CODE_LINE, NULL},
    {"breakpoints", 0, cli_debug_list_breakpoints},
    {"branches", 0, tell_branches},
    {"history", 0, tell_history},
    {"args", MON_QUERY_ARGUMENTS, NULL},
    {"scope", MON_QUERY_SCOPE, NULL},
    {"state", 0, tell_state},
};

void cli_debug_do_info(DebugSession *session, const char *arguments)
{
    for (size_t i = 0; *arguments && i < G_N_ELEMENTS(subjects); i++) {
        if (!g_str_has_prefix(subjects[i].name, arguments))
            continue;
        if (subjects[i].tell)
            subjects[i].tell(session);
        else
            cli_debug_tell(session, subjects[i].query, NULL);
        return;
    }
    if (cli_debug_ask(session, MON_QUERY_OBJECTS, arguments, session->out, NULL))
        return;
    g_string_append(session->out, "info ");
    for (size_t i = 0; i < G_N_ELEMENTS(subjects); i++)
        g_string_append_printf(session->out, "%s, ", subjects[i].name);
    g_string_append(session->out, "communicators, requests, datatypes, windows or files\n");
}
