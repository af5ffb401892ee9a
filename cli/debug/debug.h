/* debug.h - what the files of `orrery debug` share.
 *
 *   cmd_debug.c    the command                      commands.def  what can be typed; commands.c finds it there
 *   terminal.c     reading lines                    session.c     starting, and starting again
 *   place.c        telling where a rank is          arguments.c   what stands behind commands
 *   going.c, breakpoints.c, data.c, stack.c, source.c: the commands by subject
 *
 * All that a debugger knows of a program is in monitor/; here is how people ask for it.
 */
#ifndef ORRERY_CLI_DEBUG_H
#define ORRERY_CLI_DEBUG_H

#include "cli/run/run.h"
#include "monitor/monitor.h"

#include <stdio.h>

typedef struct DebugTarget {
    CliRunOptions run;
    char **commands, *input;
} DebugTarget;

typedef struct DebugSession {
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
} DebugSession;

#define DEBUG_COMMAND(name, alias, form, text, needs)                                                                  \
    void cli_debug_do_##name(DebugSession *session, const char *arguments);
#include "cli/debug/commands.def"

/* -- session.c --------------------------------------------------------------------------------- */
/* A machine before its start, with the breakpoints that there were. */
bool cli_debug_make_machine(DebugSession *session, GError **error);
void cli_debug_drop_machine(DebugSession *session);

/* -- place.c ----------------------------------------------------------------------------------- */
void cli_debug_say_source_line(DebugSession *session);
void cli_debug_say_place(DebugSession *session);
/* Why the program has stopped, and where; the rank and frame that are looked at become those. */
void cli_debug_say_event(DebugSession *session, MonEvent event);

/* -- arguments.c ------------------------------------------------------------------------------- */
/* A rank; without one, *rank stays. False: there is none, which has been said. */
bool cli_debug_parse_rank(DebugSession *session, const char *text, uint32_t *rank);
/* A number of times, at least 1; without one, 1. */
bool cli_debug_parse_count(DebugSession *session, const char *text, uint64_t *count);
/* A rank that has ended has no line to stop at and no variables any more. */
bool cli_debug_still_there(DebugSession *session, uint32_t rank);

/* -- commands.c -------------------------------------------------------------------------------- */
/* Does what a line says, and prints the answer. */
void cli_debug_execute(DebugSession *session, const char *line);

/* -- terminal.c -------------------------------------------------------------------------------- */
void cli_debug_read_terminal(DebugSession *session);
void cli_debug_read_lines(DebugSession *session);

#endif
