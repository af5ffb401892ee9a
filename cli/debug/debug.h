/* debug.h - shared by the files of `orrery debug`.
 *
 *   cmd_debug.c    the command                      commands.def  the debugger's commands; commands.c finds them
 *   terminal.c     reads lines                      session.c     starts the program, and starts it again
 *   place.c        shows where a rank is            arguments.c   arguments of commands
 *   going.c, breakpoints.c, data.c, stack.c, threads.c, source.c: the commands by subject
 *
 * Everything that a debugger knows about a program is in monitor/. These files are its user interface.
 */
#ifndef ORRERY_CLI_DEBUG_H
#define ORRERY_CLI_DEBUG_H

#include "cli/run/run.h"
#include "monitor/look.h"
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
    GPtrArray *places;    /* char *: breakpoints as typed, to set them again after a new start; NULL: deleted */
    uint32_t rank, frame; /* the ones that commands refer to */
    unsigned breakpoint;  /* the breakpoint that the program stopped at; 0: none */
    MonLines listed;      /* the lines listed last; first 0: none since the program stopped or the frame changed */
    bool started, ended, quit;
    bool unheard; /* output cannot be written */
    FILE *input;
    MonRankNames *groups; /* sets of ranks with names; NULL: none yet */
    GString *out;
} DebugSession;

#define DEBUG_COMMAND(name, alias, form, text, needs)                                                                  \
    void cli_debug_do_##name(DebugSession *session, const char *arguments);
#include "cli/debug/commands.def"

/* -- session.c --------------------------------------------------------------------------------- */
/* Makes a machine that has not started, with the breakpoints that were set before. */
bool cli_debug_make_machine(DebugSession *session, GError **error);
void cli_debug_drop_machine(DebugSession *session);

/* -- place.c ----------------------------------------------------------------------------------- */
void cli_debug_say_source_line(DebugSession *session);
void cli_debug_say_place(DebugSession *session);
/* Says why the program has stopped, and where. That rank and frame become the current ones. */
void cli_debug_say_event(DebugSession *session, MonEvent event);

/* -- arguments.c ------------------------------------------------------------------------------- */
/* Parses a rank. *rank stays if none is given. Returns false, with a message, if there is no such rank. */
bool cli_debug_parse_rank(DebugSession *session, const char *text, uint32_t *rank);
/* Parses a number of times, at least 1; 1 if none is given. */
bool cli_debug_parse_count(DebugSession *session, const char *text, uint64_t *count);
/* Returns false, with a message, if the rank has ended: it has no line to stop at and no variables any more. */
bool cli_debug_still_there(DebugSession *session, uint32_t rank);

/* -- ranks.c ----------------------------------------------------------------------------------- */
/* Takes the set of ranks that *text begins with. NULL, with a message: there is none. */
MonRankSet *cli_debug_take_ranks(DebugSession *session, const char **text);
/* Reads a set of ranks; all if none is given. NULL, with a message: it cannot be read. */
MonRankSet *cli_debug_all_ranks(DebugSession *session, const char *text);
/* Prints "@RANKS [/FORMAT] EXPRESSION"; `whole`: with histogram and differences. */
void cli_debug_print_over(DebugSession *session, const char *text, bool whole);
/* Whether a line is "NAME = RANKS". */
bool cli_debug_is_group(const char *line);
/* The names of sets. The session owns them. */
MonRankNames *cli_debug_groups(DebugSession *session);

/* -- commands.c -------------------------------------------------------------------------------- */
/* Executes a line that was typed, and prints the answer. */
void cli_debug_execute(DebugSession *session, const char *line);
/* Executes a command that only looks, as a part of another one. */
void cli_debug_look(DebugSession *session, const char *line);

/* -- terminal.c -------------------------------------------------------------------------------- */
void cli_debug_read_terminal(DebugSession *session);
void cli_debug_read_lines(DebugSession *session);

#endif
