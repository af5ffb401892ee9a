/* debug.h - shared by the files of `orrery debug`.
 *
 *   cmd_debug.c    the command                      commands.def  the debugger's commands; commands.c finds them
 *   terminal.c     reads lines                      session.c     starts the program, and starts it again
 *   place.c        shows where a rank is            arguments.c   arguments of commands
 *   checkpoint.c   a moment of a session in a file
 *   on_finding.c   opens it where a run has gone wrong
 *   going.c, breakpoints.c, data.c, stack.c, threads.c, source.c: the commands by subject
 *   desk.h     what the user has around: settings, scripts, displays and others
 *
 * Everything that a debugger knows about a program is in monitor/. These files are its user interface.
 */
#ifndef ORRERY_CLI_DEBUG_H
#define ORRERY_CLI_DEBUG_H

#include "cli/run/run.h"
#include "monitor/debugger.h"
#include "monitor/look.h"

#include <stdio.h>

typedef struct DebugTarget {
    CliRunOptions run;
    char **commands, *input, *history, *port;
    char *colour, *json;
    gboolean no_init, batch, full_screen, dap;
    gboolean on_finding;
    char *restart;
} DebugTarget;

typedef struct DebugDesk DebugDesk; /* desk.h */

typedef struct DebugSession {
    DebugTarget *target;
    int argc;
    char **argv;
    CliRun run;           /* in the engine's process ... */
    GVariant *made;       /* ... what it was made of, if checkpoints are possible */
    GVariant *saved;      /* what a checkpoint says that it is made of; NULL: the command line does */
    DebugTarget restored; /* then `target` is this */
    MonSession *core;
    uint32_t rank, frame; /* the ones that commands refer to */
    unsigned breakpoint;  /* the breakpoint that the program stopped at; 0: none */
    char *listed_file;    /* the lines listed last: of this file ... */
    uint32_t listed_first,
        listed_last; /* ... from this up to this one; 0: none since the program stopped or the frame changed */
    bool started, ended, quit;
    bool unheard;      /* output cannot be written */
    int input;         /* descriptor of --input; -1: none */
    int status;        /* exit status of the program, if it has ended */
    uint64_t until_ps; /* the time that a run comes to again; 0: it does not */
    CliProgress *progress;
    MonRankNames *groups;         /* sets of ranks with names; NULL: none yet */
    struct DebugScripts *scripts; /* what is done at breakpoints (scripts.c); NULL: nothing yet */
    enum { DEBUG_OTHERS_GO, DEBUG_OTHERS_STAND, DEBUG_OTHERS_STAND_IN_STEPS } locking; /* set scheduler-locking */
    GString *out;
    DebugDesk *desk;
    bool failed;     /* the command that was executed last has failed */
    char **own_argv; /* argv is this, once it was changed; NULL: it is the command line's */
} DebugSession;

#define DEBUG_COMMAND(name, alias, form, text, needs)                                                                  \
    void cli_debug_do_##name(DebugSession *session, const char *arguments);
#include "cli/debug/commands.def"

/* -- session.c --------------------------------------------------------------------------------- */
/* Makes the session, and a machine that has not started. */
bool cli_debug_open(DebugSession *session, GError **error);
/* Makes the machine anew, with the breakpoints that were set before. */
bool cli_debug_start(DebugSession *session, GError **error);
/* The options of a session of this debugger. */
MonSessionOptions cli_debug_options_of(DebugSession *session);
void cli_debug_close(DebugSession *session);
/* Asks about the rank and frame that commands refer to. */
bool cli_debug_ask(DebugSession *session, MonQuery query, const char *argument, GString *out, GError **error);
/* The same, and appends the answer, or why there is none, to what is said. */
bool cli_debug_tell(DebugSession *session, MonQuery query, const char *argument);
/* Returns the number of frames of the rank; *program: the innermost one that belongs to the program. */
uint32_t cli_debug_frames(DebugSession *session, uint32_t *program);
/* Selects that frame. */
void cli_debug_look_at_program(DebugSession *session);

/* -- going.c ----------------------------------------------------------------------------------- */
/* Starts the program, which stands at its beginning, and says where it stops. */
void cli_debug_begin(DebugSession *session);

/* -- checkpoint.c ------------------------------------------------------------------------------ */
/* In place of cli_debug_open(): comes to the moment of a checkpoint. Whatever session there was stays if that fails. */
bool cli_debug_restart(DebugSession *session, const char *path, GError **error);

/* -- place.c ----------------------------------------------------------------------------------- */
void cli_debug_say_source_line(DebugSession *session);
void cli_debug_say_place(DebugSession *session);
/* Says why the program has stopped, and where. That rank and frame become the current ones. */
void cli_debug_say_stop(DebugSession *session, const MonStop *stop);

/* -- going.c ----------------------------------------------------------------------------------- */
/* Obeys "scheduler-locking on|off|step". Returns false if the text is something else. */
bool cli_debug_set_locking(DebugSession *session, const char *text);

/* -- breakpoints.c ----------------------------------------------------------------------------- */
void cli_debug_list_breakpoints(DebugSession *session);

/* -- arguments.c ------------------------------------------------------------------------------- */
/* Parses a rank. *rank stays if none is given. Returns false, with a message, if there is no such rank. */
bool cli_debug_parse_rank(DebugSession *session, const char *text, uint32_t *rank);
/* Parses a number of times, at least 1; 1 if none is given. */
bool cli_debug_parse_count(DebugSession *session, const char *text, uint64_t *count);
/* Returns false, with a message, if the rank has ended: it has no line to stop at and no variables any more. */
bool cli_debug_still_there(DebugSession *session, uint32_t rank);

/* -- ranks.c ----------------------------------------------------------------------------------- */
/* Asks about a set of ranks, with the names that sets have, and appends the answer or why there is none. */
void cli_debug_tell_ranks(DebugSession *session, MonQuery query, const char *text);
/* Reads a set of ranks: uint32_t, ascending, for g_array_unref(); or as text, "0-3,7". NULL with an error. */
GArray *cli_debug_read_ranks(DebugSession *session, const char *text, GError **error);
char *cli_debug_spell_ranks(DebugSession *session, const char *text, GError **error);
void cli_debug_append_ranks(const GArray *ranks, GString *out);
/* Whether a line is "NAME = RANKS". */
bool cli_debug_is_group(const char *line);

/* -- scripts.c --------------------------------------------------------------------------------- */
/* Takes a line of a list that is being typed. Returns false if none is. */
bool cli_debug_collect(DebugSession *session, const char *line);
bool cli_debug_collects(const DebugSession *session);
/* Notes whose lists are to be done. Returns whether the stop itself shall not be told. */
bool cli_debug_note_stop(DebugSession *session, const MonStop *stop);
void cli_debug_run_scripts(DebugSession *session);
void cli_debug_list_script(DebugSession *session, unsigned number);
void cli_debug_forget_script(DebugSession *session, unsigned number);
void cli_debug_free_scripts(DebugSession *session);

/* -- commands.c -------------------------------------------------------------------------------- */
/* Executes a line that was typed, and prints the answer. */
void cli_debug_execute(DebugSession *session, const char *line);
/* Prints what has been said so far. */
void cli_debug_flush(DebugSession *session);
/* Executes a command that only looks, as a part of another one. */
void cli_debug_look(DebugSession *session, const char *line);

/* -- settings.c -------------------------------------------------------------------------------- */
/* The arguments of the program, as a shell reads them, for the next start. */
void cli_debug_set_arguments(DebugSession *session, const char *text);

/* -- terminal.c -------------------------------------------------------------------------------- */
void cli_debug_read_terminal(DebugSession *session);
void cli_debug_read_lines(DebugSession *session);

#endif
