/* desk.h - what a user of the debugger has around: settings, values with names, displays, commands of his own.
 *
 *   desk.c     lines that come, scripts       settings.c  set, show           values.c    $x
 *   help.c     help, apropos                  say.c       echo, printf, output, call, display
 *   complete.c what Tab offers                batch.c     --batch and its report
 *   full.c     the full-screen layout         points_named.c  which breakpoints a command means
 */
#ifndef ORRERY_CLI_DEBUG_DESK_H
#define ORRERY_CLI_DEBUG_DESK_H

#include "cli/console/console.h"
#include "cli/debug/debug.h"

typedef enum DebugSetting { /* settings.def */
#define DEBUG_SETTING(id, name, kind, value, help) DEBUG_SET_##id,
#include "cli/debug/settings.def"
                            DEBUG_SETTINGS
} DebugSetting;

typedef struct DebugBatch DebugBatch;

struct DebugDesk {
    ConsoleName *names; /* of the commands */
    ConsoleScripts *scripts;
    char *settings[DEBUG_SETTINGS];
    GTree *values;       /* of $x, by name: char * */
    GPtrArray *displays; /* DebugDisplay */
    unsigned next_display;
    ConsoleEditor *editor;  /* NULL: no terminal */
    DebugBatch *batch;      /* NULL: no --batch */
    char *last;             /* line that an empty one repeats; NULL: none */
    bool typing;            /* a line that was typed is executed, not one of a script */
    bool arguments_changed; /* since the machine was made */
    bool full_screen;       /* wanted, or shown */
    int large_pane;         /* of it: a TuiPane */
    char *filter;           /* only ranks whose row has this; NULL: all */
    GString *shown;         /* what is said goes there instead of to standard output; NULL: not so */
    GHashTable *warned;     /* names of files of which a warning has been said */
    gint64 made_us;         /* when the machine was made, of the host's clock */
    char *next_memory;      /* where x goes on; NULL: nowhere */
    int exit_status;        /* of the last run; -1: none has ended */
};

/* -- desk.c ------------------------------------------------------------------------------------ */
void cli_debug_desk_open(DebugSession *session);
void cli_debug_desk_close(DebugSession *session);
/* Takes a line that was typed: blocks are collected, an empty line repeats. Returns false if it failed. */
bool cli_debug_type(DebugSession *session, const char *line);
/* Takes a line of a script or an option. Returns false if it failed. */
bool cli_debug_enter(DebugSession *session, const char *line);
/* -x: the commands of a file; if there is none, a single command. A blank before it: a command in any case. */
bool cli_debug_first(DebugSession *session, const char *text);
/* The settings of the user: ~/.config/orrery/debuginit. Returns false if it failed. */
bool cli_debug_read_init(DebugSession *session);
/* Says what is wrong, for scripts to stop. */
void cli_debug_fail(DebugSession *session, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Called at each stop, before and after it is told. */
void cli_debug_before_stop(DebugSession *session, const MonStop *stop);
void cli_debug_after_stop(DebugSession *session, const MonStop *stop);

/* -- commands.c: the table --------------------------------------------------------------------- */
void cli_debug_commands_open(DebugDesk *desk);
void cli_debug_commands_close(DebugDesk *desk);
/* All n names, in the order of the table. */
const ConsoleName *cli_debug_commands(const DebugSession *session, size_t *n);
/* Finds a command. Returns its name, or NULL and appends why. */
const char *cli_debug_command(const DebugSession *session, const char *word, GString *why);
/* What stands in the row of a command. */
const char *cli_debug_command_form(const DebugSession *session, const char *name, const char **help);

/* -- settings.c -------------------------------------------------------------------------------- */
void cli_debug_settings_open(DebugDesk *desk);
void cli_debug_settings_close(DebugDesk *desk);
/* A number; UINT32_MAX: unlimited. */
unsigned cli_debug_number(const DebugDesk *desk, DebugSetting setting);
bool cli_debug_is_on(const DebugDesk *desk, DebugSetting setting);
bool cli_debug_coloured(const DebugDesk *desk);
/* The names, for completion. */
const char *cli_debug_setting_name(DebugSetting setting, const char **help);
/* The path of the file of earlier lines. NULL: none is kept. Free it with g_free(). */
char *cli_debug_past_file(const DebugDesk *desk);

/* -- data.c ------------------------------------------------------------------------------------ */
/* "VARIABLE = EXPRESSION" of the program. */
void cli_debug_set_variable(DebugSession *session, const char *assignment);
/* The subjects of info; NULL behind the last. */
const char *cli_debug_info_subject(size_t i);

/* -- values.c ---------------------------------------------------------------------------------- */
/* Replaces $x by its value outside of quotes. Returns NULL if one has none, which is said. Free it with g_free(). */
char *cli_debug_with_values(DebugSession *session, const char *text);
/* Keeps the value of an expression. Returns false if it has none that can be kept, which is said. */
bool cli_debug_keep(DebugSession *session, const char *name, const char *expression);
void cli_debug_keep_number(DebugDesk *desk, const char *name, int64_t value);
/* Evaluates. Returns what print shows behind "=", or NULL if it fails, which is said. Free it with g_free(). */
char *cli_debug_value(DebugSession *session, const char *expression);
void cli_debug_show_values(DebugSession *session);

/* -- points_named.c ---------------------------------------------------------------------------- */
/* Calls `act` with each number that is meant: "1 3-5"; all if none is named. */
void cli_debug_for_points(DebugSession *session, const char *text,
                          void (*act)(DebugSession *session, const char *number));

/* -- say.c ------------------------------------------------------------------------------------- */
void cli_debug_show_displays(DebugSession *session);
void cli_debug_list_displays(DebugSession *session);

/* -- help.c ------------------------------------------------------------------------------------ */
const char *cli_debug_example(const char *command); /* "": none */

/* -- source.c ---------------------------------------------------------------------------------- */
typedef struct DebugMark { /* what stands at a line */
    uint32_t line;
    char *ranks;    /* NULL: none */
    unsigned point; /* number of a breakpoint; 0: none */
    bool disabled;
} DebugMark;
/* Ranks and breakpoints in a file: DebugMark, by line, one for each. Free it with g_ptr_array_unref(). */
GPtrArray *cli_debug_marks(DebugSession *session, const char *file);
const DebugMark *cli_debug_mark_at(const GPtrArray *marks, uint32_t line);
/* Appends lines of an answer to MON_QUERY_LIST, with the margin. */
void cli_debug_append_listing(DebugSession *session, const char *file, const char *lines);
/* Warns, once, if the file is newer than what was compiled. */
void cli_debug_warn_of_source(DebugSession *session, const char *file);
void cli_debug_info_source(DebugSession *session);

/* -- complete.c -------------------------------------------------------------------------------- */
/* Adds all completions of a line: char *, whole lines. */
void cli_debug_complete(DebugSession *session, const char *line, GPtrArray *lines);

/* -- batch.c ----------------------------------------------------------------------------------- */
DebugBatch *cli_debug_batch_new(void);
void cli_debug_batch_free(DebugBatch *batch);
void cli_debug_batch_stop(DebugSession *session, const MonStop *stop);
void cli_debug_batch_note(DebugBatch *batch, const char *text);
/* Notes that a command failed; NULL: something has, which may be noted already. */
void cli_debug_batch_failed(DebugBatch *batch, const char *command);
/* Prints the report, and writes it as JSON if `json` is not NULL. Returns the exit status. */
int cli_debug_batch_report(DebugSession *session, const char *json, GError **error);

/* -- full.c ------------------------------------------------------------------------------------ */
/* Shows the full screen until it is left. Returns false if it cannot be shown, which is said. */
bool cli_debug_full_screen(DebugSession *session);

#endif
