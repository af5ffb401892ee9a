/* data.c - debugger commands that show and set values, types, and lists of what exists. */
#include "cli/debug/desk.h"
#include "mpi/mpi_world.h"

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

/* Where x goes on behind what it has shown: NULL if that is not known, because the size is that of the type. */
static char *next_memory(const MonFormat *format, const char *shown)
{
    static const char sizes[] = "bhwg";
    const char *size = format->size ? strchr(sizes, format->size) : NULL;
    guint64 address = g_ascii_strtoull(shown, NULL, 16);
    if (!size || address == 0 || format->letter == 's')
        return NULL;
    return g_strdup_printf("0x%" G_GINT64_MODIFIER "x",
                           address + (MAX(format->count, 1) * (guint64)1 << (size - sizes)));
}

/* With a format alone it goes on. */
void cli_debug_do_x(DebugSession *session, const char *arguments)
{
    MonFormat format;
    gsize before = session->out->len;
    const char *text = arguments;
    bool good = mon_expression_format(&text, &format, NULL);
    g_autofree char *on = good && *text == '\0' && session->desk->next_memory
                              ? g_strconcat(arguments, " ", session->desk->next_memory, NULL)
                              : NULL;
    if (!cli_debug_tell(session, MON_QUERY_MEMORY, on ? on : arguments) || !good)
        return;
    g_free(session->desk->next_memory);
    session->desk->next_memory = next_memory(&format, session->out->str + before);
}

void cli_debug_set_variable(DebugSession *session, const char *assignment)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) value = g_string_new(NULL);
    MonPlace place = {.rank = session->rank, .frame = session->frame};
    if (mon_session_set(session->core, &place, assignment, value, &error))
        g_string_append_printf(session->out, "%s: now %s (branch %u of history)\n", assignment, value->str,
                               mon_session_branch(session->core));
    else
        cli_debug_fail(session, "%s", error->message);
}

static void print_type(DebugSession *session, const char *arguments, MonQuery query)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) type = g_string_new(NULL);
    if (cli_debug_ask(session, query, arguments, type, &error))
        g_string_append_printf(session->out, "%s: %s\n", arguments, type->str);
    else
        cli_debug_fail(session, "%s", error->message);
}

void cli_debug_do_whatis(DebugSession *session, const char *arguments)
{
    print_type(session, arguments, MON_QUERY_WHATIS);
}

void cli_debug_do_ptype(DebugSession *session, const char *arguments)
{
    print_type(session, arguments, MON_QUERY_PTYPE);
}

static void tell_stack(DebugSession *session)
{
    cli_debug_tell(session, MON_QUERY_BACKTRACE, NULL);
}

static void tell_frame(DebugSession *session)
{
    g_string_append_printf(session->out, "#%-3u ", session->frame);
    cli_debug_tell(session, MON_QUERY_FRAME, NULL);
    cli_debug_say_source_line(session);
}

static void tell_program(DebugSession *session)
{
    if (!session->started)
        g_string_append(session->out, "the program is not running yet: type run\n");
    else if (session->ended)
        g_string_append_printf(session->out, "the program has ended with exit status %d\n", session->desk->exit_status);
    else
        cli_debug_say_place(session);
}

static void tell_functions(DebugSession *session)
{
    cli_debug_tell(session, MON_QUERY_NAMES, "functions");
}

static void tell_variables(DebugSession *session)
{
    cli_debug_tell(session, MON_QUERY_NAMES, "globals");
}

static void tell_sources(DebugSession *session)
{
    cli_debug_tell(session, MON_QUERY_NAMES, "files");
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
    {"source", 0, cli_debug_info_source},
    {"sources", 0, tell_sources},
    {"functions", 0, tell_functions},
    {"variables", 0, tell_variables},
    {"frame", 0, tell_frame},
    {"stack", 0, tell_stack},
    {"program", 0, tell_program},
    {"display", 0, cli_debug_list_displays},
};

/* Behind them come what ranks have in MPI, by its own list (MON_QUERY_OBJECTS). */
const char *cli_debug_info_subject(size_t i)
{
    return i < G_N_ELEMENTS(subjects) ? subjects[i].name : mpi_world_lists()[i - G_N_ELEMENTS(subjects)];
}

/* Returns the subject that a word means, or -1: a name or the only one with this beginning; what gdb's single letters
 * mean comes first. Says so if several fit or none. */
static int find_subject(DebugSession *session, const char *word)
{
    static const struct {
        char letter[3];
        const char *name;
    } letters[] = {{"b", "breakpoints"}, {"f", "frame"},   {"s", "stack"},    {"r", "ranks"},   {"l", "locals"},
                   {"lo", "locals"},     {"t", "threads"}, {"th", "threads"}, {"h", "history"}, {"a", "args"}};
    g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(ConsoleName));
    g_autoptr(GString) why = g_string_new(NULL);
    size_t index = 0;
    ConsoleName name = {0};
    for (size_t i = 0; i < G_N_ELEMENTS(letters); i++)
        if (strcmp(letters[i].letter, word) == 0)
            word = letters[i].name;
    for (size_t i = 0; (name.name = cli_debug_info_subject(i)); i++)
        g_array_append_val(names, name);
    if (cli_console_find((const ConsoleName *)names->data, names->len, word, "subject", &index, why) == CONSOLE_FOUND)
        return (int)index;
    cli_debug_fail(session, "info: %s", why->str);
    return -1;
}

static void say_subjects(DebugSession *session)
{
    const char *name;
    g_string_append(session->out, "info ");
    for (size_t i = 0; (name = cli_debug_info_subject(i)); i++)
        g_string_append_printf(session->out, "%s%s", i == 0 ? "" : cli_debug_info_subject(i + 1) ? ", " : " or ", name);
    g_string_append_c(session->out, '\n');
}

void cli_debug_do_info(DebugSession *session, const char *arguments)
{
    int found = *arguments ? find_subject(session, arguments) : -1;
    if (found < 0) {
        say_subjects(session);
        return;
    }
    size_t subject = (size_t)found;
    if (subject >= G_N_ELEMENTS(subjects))
        cli_debug_tell(session, MON_QUERY_OBJECTS, cli_debug_info_subject(subject));
    else if (subjects[subject].tell)
        subjects[subject].tell(session);
    else
        cli_debug_tell(session, subjects[subject].query, NULL);
}
