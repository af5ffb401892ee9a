/* cmd_debug.c - `orrery debug`: the debugger in the terminal.
 *
 * Reads commands (libedit on a terminal, plain lines otherwise) and hands them to the debugger core in monitor/. A
 * command is one row of the table below and its function. What the simulated program prints goes to stdout, and so do
 * the answers.
 */
#include "base/units.h"
#include "cli.h"

#include <errno.h>
#include <histedit.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

typedef struct DebugTarget {
    CliRunOptions run;
    char **commands, *input;
} DebugTarget;

const CliOption cli_debug_options[] = {
    CLI_RUN_OPTIONS(DebugTarget),
    {"command", 'x', CLI_LIST, "COMMAND", offsetof(DebugTarget, commands),
     "do this first; several times. With no terminal, further commands come from standard input",
     "-x 'break main' -x run"},
    {"input", 0, CLI_FILE, "FILE", offsetof(DebugTarget, input),
     "standard input of the program (the terminal belongs to the debugger)", "--input numbers.txt"},
    {0}};

static const CliUsage debug_usage = {
    .command = "debug",
    .synopsis = "[OPTION...] PROGRAM [ARGUMENT...]",
    .text = "Steps through the ranks of a program. Virtual time stands still while the program does, and nothing that\n"
            "is looked at changes what it does: it runs as it would without the debugger, to the last picosecond.\n"
            "Programs are compiled with -O0 unless -O says otherwise. Type `help` for the commands.\n\n"
            "  orrery debug -n 4 samples/greetings.c\n"
            "  orrery debug -n 2 -x 'break 31' -x run -x 'print line' samples/greetings.c",
    .options = cli_debug_options,
};

typedef struct Session {
    DebugTarget *target;
    int argc;
    char **argv;
    CliRun run;
    Machine *machine;
    MonDebugger *debugger;
    GPtrArray *places; /* char *: breakpoints as typed, for a new start; NULL where one was deleted */
    uint32_t rank, frame;
    unsigned breakpoint; /* that it has stopped at; 0: none */
    MonLines listed;     /* last; first 0: nothing since it stopped or another frame was looked at */
    bool started, ended, quit;
    bool unheard; /* what it says cannot be written */
    FILE *input;
    GString *out;
} Session;

enum { LINES_LISTED = 10 };

typedef void (*CommandFunction)(Session *session, const char *arguments);
typedef struct Command {
    const char *name, *alias, *arguments, *help; /* arguments "": it takes none */
    CommandFunction function;
    enum { ANY_TIME, STARTED, RUNNING } needs; /* STARTED: also when it has ended by a fault or a deadlock */
} Command;

/* -- starting ---------------------------------------------------------------------------------- */

static size_t read_input(void *user, char *bytes, size_t size)
{
    Session *session = user;
    return session->input ? fread(bytes, 1, size, session->input) : 0;
}

static void drop_machine(Session *session)
{
    g_clear_pointer(&session->debugger, mon_debugger_free);
    g_clear_pointer(&session->machine, mach_run_free);
    cli_run_clear(&session->run);
}

/* Under the numbers they had; the program may have been edited meanwhile. */
static void restore_breakpoints(Session *session)
{
    for (guint i = 0; i < session->places->len; i++) {
        g_autoptr(GError) error = NULL;
        char **place = (char **)&g_ptr_array_index(session->places, i);
        mon_debug_break_reserve(session->debugger, i + 1);
        if (*place && mon_debug_break_add(session->debugger, *place, &error) == 0) {
            g_string_append_printf(session->out, "breakpoint %u is gone: %s\n", i + 1, error->message);
            g_clear_pointer(place, g_free);
        }
    }
    mon_debug_break_reserve(session->debugger, session->places->len + 1);
}

static bool make_machine(Session *session, GError **error)
{
    drop_machine(session);
    if (session->input)
        rewind(session->input);
    /* preparing may rearrange its arguments: every start gets a fresh copy */
    g_auto(GStrv) argv = g_new0(char *, (gsize)session->argc + 1);
    for (int i = 0; i < session->argc; i++)
        argv[i] = g_strdup(session->argv[i]);
    g_autofree char **borrowed = g_memdup2(argv, ((gsize)session->argc + 1) * sizeof *argv);
    session->run.example = "orrery debug -n 4 hello.c";
    if (!cli_run_prepare(&session->run, &session->target->run, session->argc, borrowed, error))
        return false;
    session->run.options.input = read_input;
    session->run.options.user = session;
    session->machine = cli_run_machine(&session->run, error);
    if (!session->machine)
        return false;
    session->debugger = mon_debugger_new(session->machine);
    session->started = session->ended = false;
    session->rank = session->frame = 0;
    restore_breakpoints(session);
    return true;
}

/* -- telling where we are ---------------------------------------------------------------------- */

static void say_source_line(Session *session)
{
    g_autoptr(GString) source = g_string_new(NULL);
    mon_debug_list_source(session->debugger, session->rank, session->frame, source);
    const char *arrow = g_str_has_prefix(source->str, "->") ? source->str : strstr(source->str, "\n->");
    if (arrow) {
        arrow += *arrow == '\n';
        g_string_append_printf(session->out, "%.*s\n", (int)strcspn(arrow, "\n"), arrow);
    }
}

static void say_place(Session *session)
{
    VmRank *rank = mach_run_rank(session->machine, session->rank);
    if (vm_rank_depth(rank) == 0) {
        g_string_append_printf(session->out, "rank %u has ended\n", session->rank);
        return;
    }
    g_autofree char *time = base_units_format_time(vm_clock_now(vm_rank_clock(rank)));
    g_string_append_printf(session->out, "rank %u at %s: ", session->rank, time);
    mon_debug_describe_frame(session->debugger, session->rank, session->frame, session->out);
    say_source_line(session);
}

static void say_end(Session *session)
{
    session->ended = true;
    mach_explain(session->machine, session->out);
    if (session->out->len > 0 && session->out->str[session->out->len - 1] != '\n')
        g_string_append_c(session->out, '\n');
    g_autofree char *makespan = base_units_format_time(mach_run_makespan(session->machine));
    g_string_append_printf(session->out, "the program has ended at %s with exit status %d\n", makespan,
                           mach_run_exit_status(session->machine));
}

static void say_event(Session *session, MonEvent event)
{
    bool interrupted = event.reason == MON_ENDED && event.stop == MACH_STOP_INTERRUPT;
    if (!interrupted) /* Ctrl-C stops all of them: keep looking at the same one */
        session->rank = event.rank;
    session->breakpoint = event.reason == MON_BREAKPOINT ? event.breakpoint : 0;
    session->listed.first = 0;
    session->frame = event.reason == MON_ENDED ? mon_debug_program_frame(session->debugger, session->rank) : 0;
    if (event.reason == MON_ENDED && !interrupted) {
        say_end(session);
        return;
    }
    if (interrupted)
        g_string_append(session->out, "interrupted, ");
    if (event.reason == MON_BREAKPOINT)
        g_string_append_printf(session->out, "breakpoint %u, ", event.breakpoint);
    say_place(session);
}

typedef enum Going { CONTINUE, STEP_INTO, STEP_OVER, FINISH } Going;

/* Lets the program go on; Ctrl-C comes back to the prompt. */
static void go(Session *session, Going how, uint32_t rank)
{
    CliInterrupt *interrupt = cli_interrupt_watch(session->machine, false, false);
    MonEvent event = how == CONTINUE ? mon_debug_continue(session->debugger)
                     : how == FINISH ? mon_debug_finish(session->debugger, rank)
                                     : mon_debug_step(session->debugger, rank, how == STEP_INTO);
    cli_interrupt_end(interrupt);
    say_event(session, event);
}

/* -- commands ---------------------------------------------------------------------------------- */

static bool parse_rank(Session *session, const char *text, uint32_t *rank)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text == '\0')
        return true;
    if (end == text || *end != '\0' || number >= mach_run_ranks(session->machine)) {
        g_string_append_printf(session->out, "no rank '%s': there are 0 to %u\n", text,
                               mach_run_ranks(session->machine) - 1);
        return false;
    }
    *rank = (uint32_t)number;
    return true;
}

/* A rank that has ended has no line to stop at and no variables any more. */
static bool still_there(Session *session, uint32_t rank)
{
    if (vm_rank_depth(mach_run_rank(session->machine, rank)) > 0)
        return true;
    g_string_append_printf(session->out, "rank %u has ended\n", rank);
    return false;
}

static void do_break(Session *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    unsigned number = mon_debug_break_add(session->debugger, arguments, &error);
    if (number == 0) {
        g_string_append_printf(session->out, "%s\n", error->message);
        return;
    }
    while (session->places->len < number)
        g_ptr_array_add(session->places, NULL);
    g_free(g_ptr_array_index(session->places, number - 1));
    g_ptr_array_index(session->places, number - 1) = g_strdup(arguments);
    g_string_append_printf(session->out, "breakpoint %u at ", number);
    mon_debug_break_describe(session->debugger, number, session->out);
    g_string_append_c(session->out, '\n');
}

static void do_delete(Session *session, const char *arguments)
{
    guint64 number = 0;
    if (!g_ascii_string_to_unsigned(arguments, 10, 1, UINT32_MAX, &number, NULL) ||
        !mon_debug_break_remove(session->debugger, (unsigned)number)) {
        g_string_append_printf(session->out, "there is no breakpoint '%s': type info breakpoints\n", arguments);
        return;
    }
    g_clear_pointer(&g_ptr_array_index(session->places, number - 1), g_free);
    g_string_append_printf(session->out, "breakpoint %u is gone\n", (unsigned)number);
}

static void do_run(Session *session, const char *arguments)
{
    (void)arguments;
    g_autoptr(GError) error = NULL;
    if (session->started && !make_machine(session, &error)) {
        g_string_append_printf(session->out, "cannot start again: %s\n",
                               error ? error->message : "it does not compile");
        session->quit = true;
        return;
    }
    session->started = true;
    go(session, CONTINUE, 0);
}

/* A number of times, at least 1; without one, 1. */
static bool parse_count(Session *session, const char *text, uint64_t *count)
{
    guint64 number = 1;
    if (*text != '\0' && !g_ascii_string_to_unsigned(text, 10, 1, INT32_MAX, &number, NULL)) {
        g_string_append_printf(session->out, "'%s' is no number of times\n", text);
        return false;
    }
    *count = number;
    return true;
}

static void do_continue(Session *session, const char *arguments)
{
    uint64_t count;
    if (!parse_count(session, arguments, &count))
        return;
    if (count > 1 && !mon_debug_break_ignore(session->debugger, session->breakpoint, count - 1)) {
        g_string_append(session->out,
                        "not stopped at a breakpoint that could be passed so often: continue without a number\n");
        return;
    }
    if (count > 1)
        g_string_append_printf(session->out, "breakpoint %u does not stop the next %" G_GUINT64_FORMAT " time%s\n",
                               session->breakpoint, count - 1, count == 2 ? "" : "s");
    go(session, CONTINUE, 0);
}

static void step(Session *session, const char *arguments, Going how)
{
    uint32_t rank = session->rank;
    if (parse_rank(session, arguments, &rank) && still_there(session, rank))
        go(session, how, rank);
}

static void do_step(Session *session, const char *arguments)
{
    step(session, arguments, STEP_INTO);
}

static void do_next(Session *session, const char *arguments)
{
    step(session, arguments, STEP_OVER);
}

static void do_finish(Session *session, const char *arguments)
{
    step(session, arguments, FINISH);
}

static void do_print(Session *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    GString *value = g_string_new(NULL);
    if (mon_debug_print(session->debugger, session->rank, session->frame, arguments, value, &error))
        g_string_append_printf(session->out, "%s = %s\n", arguments, value->str);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
    g_string_free(value, TRUE);
}

static void print_type(Session *session, const char *arguments, bool whole)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) type = g_string_new(NULL);
    if (mon_debug_print_type(session->debugger, session->rank, session->frame, arguments, whole, type, &error))
        g_string_append_printf(session->out, "%s: %s\n", arguments, type->str);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
}

static void do_whatis(Session *session, const char *arguments)
{
    print_type(session, arguments, false);
}

static void do_ptype(Session *session, const char *arguments)
{
    print_type(session, arguments, true);
}

static void do_info(Session *session, const char *arguments)
{
    if (g_str_has_prefix("ranks", arguments) && *arguments != '\0')
        mon_debug_info_ranks(session->debugger, session->out);
    else if (g_str_has_prefix("breakpoints", arguments) && *arguments != '\0')
        mon_debug_break_list(session->debugger, session->out);
    else if (g_str_has_prefix("locals", arguments) && *arguments != '\0')
        mon_debug_locals(session->debugger, session->rank, session->frame, session->out);
    else
        g_string_append(session->out, "info ranks, info breakpoints or info locals\n");
}

static void do_rank(Session *session, const char *arguments)
{
    if (!parse_rank(session, arguments, &session->rank))
        return;
    session->frame = mon_debug_program_frame(session->debugger, session->rank);
    session->listed.first = 0;
    say_place(session);
}

static void go_to_frame(Session *session, int64_t level)
{
    uint32_t depth = mon_debug_frames(session->debugger, session->rank);
    if (level < 0 || level >= depth) {
        g_string_append_printf(session->out, "rank %u has frames 0 to %d\n", session->rank, (int)depth - 1);
        return;
    }
    session->frame = (uint32_t)level;
    session->listed.first = 0;
    g_string_append_printf(session->out, "#%-3u ", session->frame);
    mon_debug_describe_frame(session->debugger, session->rank, session->frame, session->out);
    say_source_line(session);
}

static void do_frame(Session *session, const char *arguments)
{
    guint64 level = session->frame;
    if (*arguments != '\0' && !g_ascii_string_to_unsigned(arguments, 10, 0, INT32_MAX, &level, NULL))
        g_string_append_printf(session->out, "'%s' is no frame: type backtrace to see which there are\n", arguments);
    else
        go_to_frame(session, (int64_t)level);
}

static void do_up(Session *session, const char *arguments)
{
    uint64_t count;
    if (parse_count(session, arguments, &count))
        go_to_frame(session, (int64_t)session->frame + (int64_t)count);
}

static void do_down(Session *session, const char *arguments)
{
    uint64_t count;
    if (parse_count(session, arguments, &count))
        go_to_frame(session, (int64_t)session->frame - (int64_t)count);
}

static void do_backtrace(Session *session, const char *arguments)
{
    uint32_t rank = session->rank;
    if (parse_rank(session, arguments, &rank))
        mon_debug_backtrace(session->debugger, rank, session->out);
}

/* Without arguments: around the present line, and then on from there. */
static void do_list(Session *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    MonLines *listed = &session->listed;
    if (*arguments == '\0' && !session->started && listed->first == 0)
        arguments = "main";
    if (*arguments != '\0') {
        if (!mon_debug_find_lines(session->debugger, session->rank, session->frame, arguments, listed, &error)) {
            g_string_append_printf(session->out, "%s\n", error->message);
            return;
        }
    } else if (listed->first > 0) {
        listed->first = listed->last + 1;
        listed->last = listed->last + LINES_LISTED;
    } else if (!mon_debug_present_lines(session->debugger, session->rank, session->frame, listed)) {
        g_string_append(session->out, "the source text is not there\n");
        return;
    }
    if (!mon_debug_list_lines(session->debugger, session->rank, session->frame, listed, session->out))
        g_string_append(session->out, "the source text is not there\n");
    else if (listed->first > listed->last)
        g_string_append_printf(session->out, "the file has %u lines\n", listed->last);
}

static void do_quit(Session *session, const char *arguments)
{
    (void)arguments;
    session->quit = true;
}

static void do_help(Session *session, const char *arguments);
static const Command *find_command(const char *word);

static const Command commands[] = {
    {"break", "b", "FILE:LINE | LINE | FUNCTION", "stop every rank that comes there", do_break, ANY_TIME},
    {"delete", "d", "NUMBER", "take a breakpoint away", do_delete, ANY_TIME},
    {"run", "r", "", "start, or start again from the beginning", do_run, ANY_TIME},
    {"continue", "c", "[COUNT]", "go on to the next breakpoint or the end; COUNT: past this one", do_continue, RUNNING},
    {"step", "s", "[RANK]", "one rank to its next line, into calls", do_step, RUNNING},
    {"next", "n", "[RANK]", "one rank to its next line, over calls", do_next, RUNNING},
    {"finish", "fin", "[RANK]", "one rank out of its function", do_finish, RUNNING},
    {"print", "p", "EXPRESSION", "a C expression; object@n shows n side by side", do_print, STARTED},
    {"whatis", NULL, "EXPRESSION", "its type", do_whatis, STARTED},
    {"ptype", "pt", "EXPRESSION", "its type, with all members", do_ptype, STARTED},
    {"info", "i", "ranks | breakpoints | locals", "where all ranks are, and more", do_info, ANY_TIME},
    {"rank", NULL, "[NUMBER]", "look at another rank", do_rank, STARTED},
    {"frame", "f", "[NUMBER]", "look at a caller's frame", do_frame, STARTED},
    {"up", NULL, "[COUNT]", "one frame outwards", do_up, STARTED},
    {"down", NULL, "[COUNT]", "one frame inwards", do_down, STARTED},
    {"backtrace", "bt", "[RANK]", "how it came there", do_backtrace, ANY_TIME},
    {"list", "l", "[[FILE:]LINE | FIRST,LAST | FUNCTION]", "source text: around here, then on; or there", do_list,
     ANY_TIME},
    {"help", "h", "[COMMAND]", "this", do_help, ANY_TIME},
    {"quit", "q", "", "leave", do_quit, ANY_TIME},
};

static void append_form(GString *out, const Command *command)
{
    g_autofree char *form = g_strdup_printf("%s %s", command->name, command->arguments);
    g_string_append_printf(out, "  %-46s %-4s %s\n", form, command->alias ? command->alias : "", command->help);
}

static void do_help(Session *session, const char *arguments)
{
    const Command *command = *arguments != '\0' ? find_command(arguments) : NULL;
    if (command)
        append_form(session->out, command);
    else if (*arguments != '\0')
        g_string_append_printf(session->out, "no command '%s'; type help\n", arguments);
    for (size_t i = 0; *arguments == '\0' && i < G_N_ELEMENTS(commands); i++)
        append_form(session->out, &commands[i]);
}

/* What is typed behind a command that takes nothing, or nothing where it needs something, is a mistake. */
static bool takes(const Command *command, const char *arguments, GString *out)
{
    bool none = *command->arguments == '\0', optional = *command->arguments == '[';
    if (*arguments != '\0' ? !none : none || optional)
        return true;
    g_string_append_printf(out, none ? "%s takes nothing behind it: %s\n" : "%s what? type %s %s\n", command->name,
                           command->name, command->arguments);
    return false;
}

/* By name, alias, or the beginning of a name (the first in the table wins). */
static const Command *find_command(const char *word)
{
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        if (g_strcmp0(commands[i].alias, word) == 0 || strcmp(commands[i].name, word) == 0)
            return &commands[i];
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        if (g_str_has_prefix(commands[i].name, word))
            return &commands[i];
    return NULL;
}

static void execute(Session *session, const char *line)
{
    g_autofree char *text = g_strstrip(g_strdup(line));
    if (*text == '\0' || *text == '#')
        return;
    char *arguments = text + strcspn(text, " \t");
    if (*arguments != '\0')
        *arguments++ = '\0';
    arguments = g_strchug(arguments);
    const Command *command = find_command(text);
    if (!command)
        g_string_append_printf(session->out, "no command '%s'; type help\n", text);
    else if (!takes(command, arguments, session->out))
        ; /* it has been said */
    else if (command->needs != ANY_TIME && !session->started)
        g_string_append(session->out, "the program is not running yet: type run\n");
    else if (command->needs == RUNNING && session->ended)
        g_string_append(session->out, "the program has ended: type run to start it again\n");
    else if (command->needs != STARTED || command->function == do_rank || still_there(session, session->rank))
        command->function(session, arguments);
    if (!cli_print(session->out->str))
        session->quit = session->unheard = true;
    g_string_truncate(session->out, 0);
}

/* -- reading commands -------------------------------------------------------------------------- */

static char *prompt(EditLine *editor)
{
    (void)editor;
    return (char *)"(orrery) ";
}

static void ignore_signal(int signal)
{
    (void)signal; /* it has interrupted ppoll(): that is all */
}

/* Reads one character for the editor. Ctrl-C is let in only here, so that none is lost: -1 with EINTR. */
static int read_character(EditLine *editor, wchar_t *character)
{
    const sigset_t *unblocked = NULL;
    mbstate_t state = {0};
    el_get(editor, EL_CLIENTDATA, &unblocked);
    for (;;) {
        struct pollfd terminal = {.fd = STDIN_FILENO, .events = POLLIN};
        char byte;
        if (ppoll(&terminal, 1, NULL, unblocked) < 0)
            return -1;
        ssize_t count = read(STDIN_FILENO, &byte, 1);
        if (count <= 0)
            return (int)count;
        size_t length = mbrtowc(character, &byte, 1, &state);
        if (length == (size_t)-1)
            *character = (unsigned char)byte;
        if (length != (size_t)-2) /* else the character has more bytes */
            return 1;
    }
}

/* One line; NULL at the end of the input. Ctrl-C throws away what was typed. */
static const char *read_line(EditLine *editor)
{
    for (;;) {
        int length;
        errno = 0;
        const char *line = el_gets(editor, &length);
        if (line || errno != EINTR)
            return line;
        cli_print("\n");
        el_reset(editor);
    }
}

static void edit_lines(Session *session, EditLine *editor, History *past)
{
    HistEvent event;
    const char *line;
    g_autofree char *last = NULL;
    while (!session->quit && (line = read_line(editor))) {
        g_autofree char *text = g_strstrip(g_strdup(line));
        if (*text != '\0') {
            history(past, &event, H_ENTER, line);
            g_free(last);
            last = g_strdup(text);
        }
        if (last)
            execute(session, last); /* an empty line repeats, as in gdb */
    }
}

static void read_terminal(Session *session)
{
    struct sigaction handler = {.sa_handler = ignore_signal}, handler_before;
    sigset_t interrupt, mask_before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &mask_before);
    sigaction(SIGINT, &handler, &handler_before);
    EditLine *editor = el_init("orrery", stdin, stdout, stderr);
    History *past = history_init();
    HistEvent event;
    history(past, &event, H_SETSIZE, 1000);
    el_set(editor, EL_PROMPT, prompt);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_HIST, history, past);
    el_set(editor, EL_CLIENTDATA, &mask_before);
    el_set(editor, EL_GETCFN, read_character);
    el_source(editor, NULL);
    edit_lines(session, editor, past);
    history_end(past);
    el_end(editor);
    sigaction(SIGINT, &handler_before, NULL);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

static void read_lines(Session *session)
{
    char *line = NULL;
    size_t capacity = 0;
    while (!session->quit && getline(&line, &capacity, stdin) >= 0)
        execute(session, line);
    free(line);
}

static bool open_input(Session *session, GError **error)
{
    if (!session->target->input)
        return true;
    session->input = fopen(session->target->input, "r");
    if (!session->input)
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "--input %s: cannot be opened", session->target->input);
    return session->input;
}

int cli_debug(int argc, char **argv)
{
    DebugTarget target = {0};
    Session session = {.target = &target, .out = g_string_new(NULL)};
    session.places = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_parse(&debug_usage, &target, &argc, argv, &done, &error) && !done) {
        if (!target.run.optimise)
            target.run.optimise = g_strdup("0");
        session.argc = argc - 1;
        session.argv = argv + 1;
        if (open_input(&session, &error) && make_machine(&session, &error)) {
            for (char **command = target.commands; command && *command && !session.quit; command++)
                execute(&session, *command);
            if (isatty(STDIN_FILENO))
                read_terminal(&session);
            else
                read_lines(&session);
        }
    }
    if (error)
        status = cli_fail(error);
    drop_machine(&session);
    if (session.input)
        fclose(session.input);
    g_ptr_array_unref(session.places);
    g_string_free(session.out, TRUE);
    cli_options_clear(cli_debug_options, &target);
    return session.unheard ? CLI_STATUS_USAGE : status;
}
