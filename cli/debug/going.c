/* going.c - debugger commands that let the program go on, and back. */
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/debug/debug.h"
#include "cli/run/run.h"
#include "trace/trace.h"

#include <string.h>

static void interrupt(void *core)
{
    mon_session_interrupt(core);
}

/* Says where the program has come to, or why it has not moved. Takes the stop. */
static void arrive(DebugSession *session, MonStop *stop, const GError *error)
{
    if (stop)
        cli_debug_say_stop(session, stop);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
    mon_session_free_stop(stop);
}

/* Lets the program go on, or back. Ctrl-C returns to the prompt. */
static void go(DebugSession *session, const MonGo *going)
{
    g_autoptr(GError) error = NULL;
    CliInterrupt *watch = cli_interrupt_watch_with(interrupt, session->core);
    MonStop *stop = mon_session_go(session->core, going, &error);
    cli_interrupt_end(watch);
    arrive(session, stop, error);
}

void cli_debug_do_run(DebugSession *session, const char *arguments)
{
    (void)arguments;
    g_autoptr(GError) error = NULL;
    if (session->started && !cli_debug_start(session, &error)) {
        g_string_append_printf(session->out, "cannot start again: %s\n",
                               error ? error->message : "it does not compile");
        session->quit = true;
        return;
    }
    session->started = true;
    go(session, &(MonGo){.kind = MON_GO_CONTINUE});
}

/* Whether others stand while the ranks step, or the rank goes on. */
static bool locks(const DebugSession *session, bool steps)
{
    return session->locking == DEBUG_OTHERS_STAND || (steps && session->locking == DEBUG_OTHERS_STAND_IN_STEPS);
}

void cli_debug_do_continue(DebugSession *session, const char *arguments)
{
    uint64_t count;
    if (!cli_debug_parse_count(session, arguments, &count))
        return;
    MonBreakpoint *point = session->breakpoint ? mon_session_breakpoint(session->core, session->breakpoint) : NULL;
    if (count > 1 && !point) {
        g_string_append(session->out,
                        "not stopped at a breakpoint that could be passed so often: continue without a number\n");
        return;
    }
    if (count > 1) {
        point->ignore = count - 1;
        g_string_append_printf(session->out, "breakpoint %u does not stop the next %" G_GUINT64_FORMAT " time%s\n",
                               session->breakpoint, count - 1, count == 2 ? "" : "s");
    }
    go(session, &(MonGo){.kind = MON_GO_CONTINUE, .rank = session->rank, .alone = locks(session, false)});
}

bool cli_debug_set_locking(DebugSession *session, const char *text)
{
    static const char word[] = "scheduler-locking";
    static const char *const modes[] = {"off", "on", "step"};
    if (!g_str_has_prefix(text, word))
        return false;
    const char *mode = text + strlen(word) + strspn(text + strlen(word), " \t");
    for (unsigned i = 0; i < G_N_ELEMENTS(modes); i++)
        if (strcmp(modes[i], mode) == 0)
            session->locking = i;
        else if (*mode == '\0' && session->locking == i)
            g_string_append_printf(session->out, "scheduler-locking is %s\n", modes[i]);
    if (*mode && strcmp(modes[session->locking], mode) != 0)
        g_string_append_printf(session->out, "'%s' is none of on, off and step\n", mode);
    return true;
}

/* One rank, or a set of them. */
static void step(DebugSession *session, const char *arguments, MonGoKind kind, bool backwards)
{
    uint32_t rank = session->rank;
    bool one = arguments[strspn(arguments, "0123456789")] == '\0';
    MonGo going = {.kind = kind, .rank = rank, .backwards = backwards};
    going.alone = !backwards && locks(session, kind != MON_GO_FINISH);
    if (one && cli_debug_parse_rank(session, arguments, &going.rank) &&
        (backwards || cli_debug_still_there(session, going.rank)))
        go(session, &going);
    if (one)
        return;
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) ranks = cli_debug_read_ranks(session, arguments, &error);
    going.ranks = ranks;
    if (!ranks)
        g_string_append_printf(session->out, "%s\n", error->message);
    else if (backwards && ranks->len > 1)
        g_string_append(session->out, "backwards one rank steps at a time\n");
    else
        go(session, &going);
}

void cli_debug_do_step(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_STEP, false);
}

void cli_debug_do_next(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_NEXT, false);
}

void cli_debug_do_finish(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_FINISH, false);
}

void cli_debug_do_stepi(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_INSTRUCTION, false);
}

/* "PLACE [ranks SET]" */
static void go_to_place(DebugSession *session, const char *arguments, MonGoKind kind)
{
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) parts = g_strsplit(arguments, " ranks ", 2);
    g_autoptr(GArray) ranks = parts[0] && parts[1] ? cli_debug_read_ranks(session, parts[1], &error) : NULL;
    if (error)
        g_string_append_printf(session->out, "%s\n", error->message);
    else if (ranks || cli_debug_still_there(session, session->rank))
        go(session,
           &(MonGo){
               .kind = kind, .rank = session->rank, .ranks = ranks, .alone = locks(session, false), .where = parts[0]});
}

void cli_debug_do_until(DebugSession *session, const char *arguments)
{
    go_to_place(session, arguments, MON_GO_UNTIL);
}

/* To a place, or to a virtual time. */
void cli_debug_do_advance(DebugSession *session, const char *arguments)
{
    uint64_t time_ps;
    bool number = arguments[strspn(arguments, "0123456789")] == '\0';
    if (!number && base_units_parse(arguments, BASE_UNIT_TIME, &time_ps, NULL))
        go(session, &(MonGo){.kind = MON_GO_TIME, .to = time_ps});
    else
        go_to_place(session, arguments, MON_GO_ADVANCE);
}

void cli_debug_do_reverse_step(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_STEP, true);
}

void cli_debug_do_reverse_next(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_NEXT, true);
}

void cli_debug_do_reverse_finish(DebugSession *session, const char *arguments)
{
    step(session, arguments, MON_GO_FINISH, true);
}

void cli_debug_do_reverse_continue(DebugSession *session, const char *arguments)
{
    (void)arguments;
    go(session, &(MonGo){.kind = MON_GO_CONTINUE, .backwards = true});
}

static void go_to_sender(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    uint32_t rank = session->rank;
    if (!cli_debug_parse_rank(session, arguments, &rank))
        return;
    CliInterrupt *watch = cli_interrupt_watch_with(interrupt, session->core);
    MonStop *stop = mon_session_go_to_sender(session->core, rank, &error);
    cli_interrupt_end(watch);
    arrive(session, stop, error);
}

static void go_to_write(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    MonPlace place = {.rank = session->rank, .frame = session->frame};
    CliInterrupt *watch = cli_interrupt_watch_with(interrupt, session->core);
    MonStop *stop = mon_session_go_to_write(session->core, &place, arguments, &error);
    cli_interrupt_end(watch);
    arrive(session, stop, error);
}

/* Finds event `number`, from 1 on, of a trace: its time and rank. */
static bool find_event(const char *path, guint64 number, TraceEvent *event, uint32_t *rank, GError **error)
{
    TraceSelection selection = trace_selection_all();
    g_autoptr(TraceReader) reader = trace_reader_new(path, error);
    g_autoptr(TraceCursor) cursor = reader ? trace_cursor_new(reader, &selection) : NULL;
    guint64 at = 0;
    while (cursor && at < number && trace_cursor_next(cursor, event))
        at++;
    if (!cursor || !trace_cursor_end(cursor, error))
        return false;
    if (at < number) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "%s has %" G_GUINT64_FORMAT " events", path, at);
        return false;
    }
    *rank = trace_reader_location(reader, event->location).rank;
    return true;
}

/* "N TRACE": to the time of an event of a trace of the same run, at its rank. */
static void go_to_event(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    char *path;
    guint64 number = g_ascii_strtoull(arguments, &path, 10);
    uint32_t rank = 0;
    TraceEvent event;
    if (path == arguments || number == 0 || *g_strchug(path) == '\0') {
        g_string_append(session->out, "goto event NUMBER TRACE: its events count from 1, in the order of `orrery trace "
                                      "convert`\n");
        return;
    }
    if (!find_event(path, number, &event, &rank, &error)) {
        g_string_append_printf(session->out, "%s\n", error->message);
        return;
    }
    if (rank < mon_session_ranks(session->core))
        session->rank = rank;
    go(session, &(MonGo){.kind = MON_GO_TIME, .to = event.time_ps, .rank = rank, .backwards = session->ended});
    if (rank < mon_session_ranks(session->core) && session->rank != rank) {
        session->rank = rank;
        cli_debug_say_place(session);
    }
}

/* "goto 1.5us" is a time, "goto 1234" a moment. */
void cli_debug_do_goto(DebugSession *session, const char *arguments)
{
    static const struct {
        const char *word;
        void (*go)(DebugSession *session, const char *arguments);
    } places[] = {{"sender", go_to_sender}, {"write", go_to_write}, {"event", go_to_event}};
    guint64 moment;
    uint64_t time_ps;
    size_t length = strcspn(arguments, " \t");
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
        if (strlen(places[i].word) == length && strncmp(places[i].word, arguments, length) == 0) {
            places[i].go(session, arguments + length + strspn(arguments + length, " \t"));
            return;
        }
    if (g_ascii_string_to_unsigned(arguments, 10, 0, INT64_MAX, &moment, NULL))
        go(session, &(MonGo){.kind = MON_GO_MOMENT, .to = moment});
    else if (base_units_parse(arguments, BASE_UNIT_TIME, &time_ps, NULL))
        go(session, &(MonGo){.kind = MON_GO_TIME, .to = time_ps, .backwards = session->ended});
    else
        g_string_append_printf(
            session->out,
            "'%s' is neither a virtual time, such as 1.5us, nor a moment of info history, nor sender, "
            "write EXPRESSION or event NUMBER TRACE\n",
            arguments);
}

void cli_debug_do_branch(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    guint64 number = 0;
    if (!g_ascii_string_to_unsigned(arguments, 10, 0, UINT32_MAX, &number, NULL)) {
        g_string_append_printf(session->out, "'%s' is not the number of a branch: 'info branches' lists them\n",
                               arguments);
        return;
    }
    CliInterrupt *watch = cli_interrupt_watch_with(interrupt, session->core);
    MonStop *stop = mon_session_switch(session->core, (unsigned)number, &error);
    cli_interrupt_end(watch);
    arrive(session, stop, error);
}
