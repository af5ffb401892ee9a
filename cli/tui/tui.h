/* tui.h - a full screen for a command line: source text, a table, messages, output and the line that is typed, on
 * ncurses. What they show and what commands do is the caller's: nothing here knows of a program that is debugged.
 *
 *   tui.c     the loop: keys, the mouse          screen.c  the terminal: opened, given back whatever happens
 *   panes.c   where panes are, and what is in them  line.c   the line that is typed
 */
#ifndef ORRERY_CLI_TUI_H
#define ORRERY_CLI_TUI_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct TuiMark { /* what stands beside a line of the source */
    uint32_t line;
    char *ranks; /* text; NULL: none */
    char point;  /* a character, ' ': none */
} TuiMark;

typedef struct TuiRow { /* of the table */
    uint32_t id;
    char *text;
    bool current;
} TuiRow;

typedef struct TuiView { /* what is shown; it is filled anew after each command */
    char *title;         /* of the source */
    char **source;       /* lines, the first is line 1; NULL: there are none */
    uint32_t current;    /* line where the program is; 0: none */
    GPtrArray *marks;    /* TuiMark, by line */
    char *table_title;
    GPtrArray *table; /* TuiRow */
    char *messages_title;
    char **messages; /* lines; NULL: none */
} TuiView;

typedef enum TuiPane { TUI_SOURCE, TUI_TABLE, TUI_MESSAGES, TUI_OUTPUT, TUI_PANES } TuiPane;

typedef struct TuiHost {
    /* Executes a line, "" for an empty one, and appends what it says. Returns false if the screen is to be left. The
     * terminal sends Ctrl-C as a signal meanwhile. */
    bool (*execute)(void *user, const char *line, GString *output);
    /* Fills in a view that is empty. */
    void (*look)(void *user, TuiView *view);
    /* As ConsoleEditorOptions.complete. */
    void (*complete)(void *user, const char *line, GPtrArray *lines);
    const char *(*prompt)(void *user);
    /* What clicks mean, as commands: a row of the table; the margin of a line. Free it with g_free(). */
    char *(*row_command)(void *user, uint32_t id);
    char *(*line_command)(void *user, const TuiView *view, uint32_t line);
    /* The pane that is large: TUI_SOURCE, TUI_TABLE or TUI_MESSAGES. */
    TuiPane (*large)(void *user);
    /* Remembers a line that was typed. */
    void (*remember)(void *user, const char *line);
    void *user;
    bool coloured;
} TuiHost;

/* Shows the screen until execute() returns false, or Ctrl-X A or Ctrl-D is typed; *end: it was Ctrl-D. `output` is what
 * is in the pane of output at first. Returns false with an error if the terminal cannot show one. SIGINT must be
 * blocked. */
bool cli_tui_run(const TuiHost *host, const char *output, bool *end, GError **error);

#endif
