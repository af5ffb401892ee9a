/* session.c - what a debugger debugs: the program is compiled and its machine made in the engine's process, each time
 * that it starts. What comes back is printed here. */
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/debug/desk.h"
#include "cli/run/run.h"
#include "machine/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ranks are seen in the order of virtual time if each runs no further than this at a time. */
enum { DEBUG_QUANTUM = 100 };

static Machine *make_machine(void *user, MonEngine *engine, GError **error)
{
    DebugSession *session = user;
    /* cli_run_prepare() may rearrange its arguments: every start gets a fresh copy */
    char **argv = g_new0(char *, (gsize)session->argc + 1);
    for (int i = 0; i < session->argc; i++)
        argv[i] = g_strdup(session->argv[i]);
    session->run.example = "orrery debug -n 4 hello.c";
    if (session->saved ? !cli_run_prepare_saved(&session->run, &session->target->run, session->saved, error)
                       : !cli_run_prepare(&session->run, &session->target->run, session->argc, argv, error))
        return NULL;
    session->made = g_variant_ref_sink(cli_run_save(&session->run));
    if (!session->target->run.quantum)
        session->run.options.quantum = DEBUG_QUANTUM;
    mon_engine_prepare(engine, &session->run.options);
    return cli_run_machine(&session->run, error);
}

/* What the program prints comes between what the debugger says, in its order. */
static void print_output(void *user, uint32_t rank, int stream, const char *bytes, size_t size)
{
    DebugSession *session = user;
    (void)rank;
    cli_debug_flush(session);
    if (session->desk->shown)
        g_string_append_len(session->desk->shown, bytes, (gssize)size);
    else if (stream == STDOUT_FILENO && !cli_say_bytes(bytes, size))
        session->quit = session->unheard = true;
    else if (stream != STDOUT_FILENO)
        (void)fwrite(bytes, 1, size, stderr);
}

static void print_note(void *user, const char *text)
{
    DebugSession *session = user;
    cli_debug_flush(session);
    if (session->desk->batch)
        cli_debug_batch_note(session->desk->batch, text);
    if (session->desk->shown)
        g_string_append_printf(session->desk->shown, "orrery: %s\n", text);
    else
        fprintf(stderr, "orrery: %s\n", text);
}

static void print_progress(void *user, uint64_t moment, uint64_t time_ps)
{
    DebugSession *session = user;
    if (!session->progress || !session->until_ps)
        return;
    g_autofree char *time = base_units_format_time(time_ps);
    g_autofree char *until = base_units_format_time(session->until_ps);
    g_autofree char *text =
        g_strdup_printf("coming to that moment again: %s of %s, %" G_GUINT64_FORMAT " statements", time, until, moment);
    cli_progress_say(session->progress, text);
}

static GVariant *made_of(void *user)
{
    const DebugSession *session = user;
    return g_variant_ref(session->made);
}

MonSessionOptions cli_debug_options_of(DebugSession *session)
{
    return (MonSessionOptions){.make = make_machine,
                               .made_of = made_of,
                               .output = print_output,
                               .note = print_note,
                               .progress = print_progress,
                               .user = session,
                               .input = session->input};
}

bool cli_debug_open(DebugSession *session, GError **error)
{
    if (!session->desk)
        cli_debug_desk_open(session);
    MonSessionOptions options = cli_debug_options_of(session);
    if (!cli_run_parse_memory(session->target->history, &options.history_bytes, error)) {
        g_prefix_error(error, "--history: ");
        return false;
    }
    if (session->target->input) {
        session->input = open(session->target->input, O_RDONLY | O_CLOEXEC);
        if (session->input < 0)
            g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "--input %s: cannot be opened", session->target->input);
        options.input = session->input;
    }
    if (session->target->input && session->input < 0)
        return false;
    session->core = mon_session_new(&options);
    mon_session_stop_at_findings(session->core, session->target->on_finding);
    return cli_debug_start(session, error);
}

bool cli_debug_start(DebugSession *session, GError **error)
{
    session->started = session->ended = false;
    session->rank = session->frame = 0;
    session->breakpoint = 0;
    session->listed_last = 0;
    session->desk->arguments_changed = false;
    session->desk->made_us = g_get_real_time();
    g_hash_table_remove_all(session->desk->warned);
    return mon_session_start(session->core, error);
}

void cli_debug_close(DebugSession *session)
{
    g_clear_pointer(&session->core, mon_session_free);
    g_clear_pointer(&session->saved, g_variant_unref);
    cli_run_options_clear(&session->restored.run);
    if (session->input >= 0)
        close(session->input);
    cli_debug_desk_close(session);
    g_clear_pointer(&session->own_argv, g_strfreev);
}

bool cli_debug_ask(DebugSession *session, MonQuery query, const char *argument, GString *out, GError **error)
{
    MonPlace place = {.rank = session->rank, .frame = session->frame};
    return mon_session_ask(session->core, query, &place, argument, out, error);
}

bool cli_debug_tell(DebugSession *session, MonQuery query, const char *argument)
{
    g_autoptr(GError) error = NULL;
    if (cli_debug_ask(session, query, argument, session->out, &error))
        return true;
    cli_debug_fail(session, "%s", error->message);
    return false;
}

uint32_t cli_debug_frames(DebugSession *session, uint32_t *program)
{
    g_autoptr(GString) out = g_string_new(NULL);
    unsigned frames = 0, innermost = 0;
    if (cli_debug_ask(session, MON_QUERY_FRAMES, NULL, out, NULL)) {
        char *rest;
        frames = (unsigned)strtoul(out->str, &rest, 10);
        innermost = (unsigned)strtoul(rest, NULL, 10);
    }
    if (program)
        *program = innermost;
    return frames;
}

void cli_debug_look_at_program(DebugSession *session)
{
    (void)cli_debug_frames(session, &session->frame);
    session->listed_last = 0;
}
