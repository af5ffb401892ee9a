/* inside.h - shared by the files of the full screen. */
#ifndef ORRERY_CLI_TUI_INSIDE_H
#define ORRERY_CLI_TUI_INSIDE_H

#include "cli/tui/tui.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>

typedef struct TuiBox { /* of a pane, its title above it; height 0: it is not shown */
    int row, column, height, width;
} TuiBox;

typedef struct TuiTyped { /* the line that is typed */
    GString *text;        /* UTF-8 */
    gsize cursor;         /* a byte */
    GPtrArray *past;      /* char *: lines, the last one last */
    guint at;             /* which of them is shown; past->len: none */
} TuiTyped;

typedef struct Tui {
    const TuiHost *host;
    TuiView view;
    TuiBox boxes[TUI_PANES];
    int top[TUI_PANES]; /* first line that is shown */
    int margin;         /* columns before the source text */
    GPtrArray *output;  /* char *: lines */
    TuiTyped typed;
} Tui;

/* -- screen.c: returns false with an error; after that, a signal that ends the process gives the terminal back first.
 */
bool cli_tui_screen_open(bool coloured, GError **error);
void cli_tui_screen_close(void);
/* While commands are executed, Ctrl-C is a signal. */
void cli_tui_screen_commands(bool executing);

/* -- panes.c ----------------------------------------------------------------------------------- */
typedef enum TuiStyle { TUI_PLAIN, TUI_TITLE, TUI_NUMBER, TUI_CURRENT, TUI_RANKS, TUI_POINT } TuiStyle;
/* Attributes of a style on this terminal. */
attr_t cli_tui_style(TuiStyle style);
void cli_tui_panes_place(Tui *tui);
void cli_tui_panes_draw(Tui *tui);
/* Moves what a pane shows by lines, as far as there are some. */
void cli_tui_panes_scroll(Tui *tui, TuiPane pane, int by);
void cli_tui_panes_show_line(Tui *tui, uint32_t line);
int cli_tui_panes_lines(const Tui *tui, TuiPane pane);
/* Writes text at a place, cut to a width; the rest of the width becomes blank. */
void cli_tui_write(int row, int column, int width, attr_t style, const char *text);
/* Columns that text takes. */
int cli_tui_columns(const char *text);

/* -- line.c ------------------------------------------------------------------------------------ */
/* Handles a key that edits the line. */
void cli_tui_line_key(Tui *tui, bool special, wint_t key);
/* Takes the line. Free it with g_free(). */
char *cli_tui_line_take(Tui *tui);
void cli_tui_line_draw(Tui *tui);

#endif
