/* on_finding.c - opens the debugger where a run has gone wrong (see on_finding.h). */
#include "cli/debug/on_finding.h"
#include "cli/debug/debug.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct CliDebugWatch {
    DebugTarget target;
    int argc;
    char **argv;
    bool terminal;
    int input; /* what was read of standard input; -1: nothing is kept, as it is a terminal or cannot be */
    Machine *machine;
    GThread *thread; /* looks for findings; NULL: nobody would open a debugger */
    GMutex lock;
    GCond over_now;
    bool over;
    atomic_bool cut;
    bool wrong; /* a reason to open the debugger */
    uint64_t told, now_ps;
};

CliDebugWatch *cli_debug_watch_new(const CliRunOptions *options, int argc, char **argv, char **commands)
{
    CliDebugWatch *watch = g_new0(CliDebugWatch, 1);
    watch->target = (DebugTarget){.run = *options, .commands = commands, .on_finding = TRUE};
    watch->target.run.again = true;
    watch->argc = argc;
    watch->argv = g_new0(char *, (gsize)MAX(argc, 0) + 1);
    for (int i = 0; i < argc; i++)
        watch->argv[i] = g_strdup(argv[i]);
    watch->terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    watch->input = -1;
    g_mutex_init(&watch->lock);
    g_cond_init(&watch->over_now);
    return watch;
}

void cli_debug_watch_free(CliDebugWatch *watch)
{
    if (!watch)
        return;
    if (watch->input >= 0)
        close(watch->input);
    g_mutex_clear(&watch->lock);
    g_cond_clear(&watch->over_now);
    g_strfreev(watch->argv);
    g_free(watch);
}

static bool opens(const CliDebugWatch *watch)
{
    return watch->terminal || watch->target.commands;
}

bool cli_debug_watch_prepare(CliDebugWatch *watch, MachOptions *options, GError **error)
{
    if (!watch || !opens(watch))
        return true;
    watch->input = memfd_create("orrery-input", MFD_CLOEXEC);
    if (watch->input < 0)
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "--debug-on-finding: the host keeps no copy of standard input");
    options->input_copy = MAX(watch->input, 0);
    return watch->input >= 0;
}

/* -- during the run ---------------------------------------------------------------------------- */

static gpointer look(gpointer data)
{
    enum { LOOK_EVERY_US = 50000 };
    CliDebugWatch *watch = data;
    g_mutex_lock(&watch->lock);
    while (!watch->over) {
        if (mach_run_noted(watch->machine)) {
            atomic_store(&watch->cut, true);
            mach_run_interrupt(watch->machine);
            break;
        }
        g_cond_wait_until(&watch->over_now, &watch->lock, g_get_monotonic_time() + LOOK_EVERY_US);
    }
    g_mutex_unlock(&watch->lock);
    return NULL;
}

void cli_debug_watch_begin(CliDebugWatch *watch, Machine *machine)
{
    if (!watch)
        return;
    watch->machine = machine;
    if (opens(watch))
        watch->thread = g_thread_new("finding", look, watch);
}

static bool is_wrong(MachStop stop)
{
    return stop == MACH_STOP_FAULT || stop == MACH_STOP_DEADLOCK || stop == MACH_STOP_ABORT ||
           stop == MACH_STOP_NETWORK;
}

bool cli_debug_watch_end(CliDebugWatch *watch, MachStop stop)
{
    if (!watch)
        return false;
    if (watch->thread) {
        g_mutex_lock(&watch->lock);
        watch->over = true;
        g_cond_signal(&watch->over_now);
        g_mutex_unlock(&watch->lock);
        g_thread_join(watch->thread);
    }
    const Machine *machine = watch->machine;
    bool cut = stop == MACH_STOP_INTERRUPT && atomic_load(&watch->cut);
    watch->wrong = cut || is_wrong(stop) || (stop == MACH_STOP_FINISHED && mach_findings(machine));
    watch->told = mach_run_told(machine) - (cut ? mach_findings(machine) : 0);
    watch->now_ps = mach_run_now(machine);
    watch->machine = NULL;
    atomic_store(&watch->cut, cut);
    return watch->wrong && opens(watch);
}

/* -- behind it --------------------------------------------------------------------------------- */

/* What the program would have read next is there for it, too. */
static void keep_rest_of_input(int copy)
{
    char bytes[4096];
    ssize_t n;
    while (!isatty(STDIN_FILENO) && (n = read(STDIN_FILENO, bytes, sizeof bytes)) > 0)
        if (write(copy, bytes, (size_t)n) != n)
            return;
}

static void stay(DebugSession *session, const CliDebugWatch *watch)
{
    mon_session_heard(session->core, watch->told);
    cli_debug_begin(session);
    cli_progress_clear(session->progress);
    session->until_ps = 0;
    cli_debug_flush(session);
    for (char **command = watch->target.commands; command && *command && !session->quit; command++)
        cli_debug_execute(session, *command);
    if (watch->terminal && !session->quit)
        cli_debug_read_terminal(session);
}

void cli_debug_watch_open(CliDebugWatch *watch, CliProgress *progress, int found, int *status)
{
    if (!watch || !watch->wrong)
        return;
    if (!opens(watch)) {
        cli_say("--debug-on-finding: there is no terminal, so the debugger does not open; -x COMMAND lets it do "
                "something");
        return;
    }
    g_autoptr(GError) error = NULL;
    DebugSession session = {.target = &watch->target,
                            .argc = watch->argc,
                            .argv = watch->argv,
                            .input = watch->input,
                            .until_ps = watch->now_ps,
                            .progress = progress,
                            .out = g_string_new(NULL)};
    keep_rest_of_input(watch->input);
    watch->input = -1; /* the session closes it */
    cli_say("the debugger opens where that happened");
    bool opened = cli_debug_open(&session, &error);
    if (opened)
        stay(&session, watch);
    else
        cli_say("the debugger cannot open: %s", error ? error->message : "the program does not compile any more");
    if (atomic_load(&watch->cut))
        *status = session.ended && session.status ? session.status : found;
    cli_debug_close(&session);
    mon_rank_names_free(session.groups);
    g_free(session.listed_file);
    g_string_free(session.out, TRUE);
}
