/* panes.c - where panes are on the screen, and what is in them.
 *
 *   wide:  source | table       narrow (fewer than 60 columns or 16 rows):  the large pane
 *          output | messages                                                output
 *          line                                                             line
 */
#include "cli/tui/inside.h"

#include <string.h>
#include <wchar.h>

enum { WIDE = 60, HIGH = 16, TAB = 8, NUMBER = 5, MOST_RANKS = 12 };

attr_t cli_tui_style(TuiStyle style)
{
    bool coloured = has_colors() && COLOR_PAIRS > 3;
    switch (style) {
    case TUI_TITLE: return A_REVERSE;
    case TUI_NUMBER: return coloured ? COLOR_PAIR(1) : A_NORMAL;
    case TUI_CURRENT: return A_BOLD;
    case TUI_RANKS: return A_BOLD | (coloured ? COLOR_PAIR(2) : A_NORMAL);
    case TUI_POINT: return A_BOLD | (coloured ? COLOR_PAIR(3) : A_NORMAL);
    case TUI_PLAIN: break;
    }
    return A_NORMAL;
}

/* -- text -------------------------------------------------------------------------------------- */

/* Columns of a character; what cannot be shown is replaced by one that can. */
static int columns_of(gunichar *character)
{
    int columns = *character < 32 || *character == 127 ? -1 : wcwidth((wchar_t)*character);
    if (columns < 0)
        *character = '?';
    return columns < 0 ? 1 : columns;
}

int cli_tui_columns(const char *text)
{
    int columns = 0;
    while (*text) {
        gunichar character = g_utf8_get_char_validated(text, -1);
        bool bad = character == (gunichar)-1 || character == (gunichar)-2;
        columns += bad ? 1 : *text == '\t' ? TAB - columns % TAB : columns_of(&character);
        text = bad ? text + 1 : g_utf8_next_char(text);
    }
    return columns;
}

void cli_tui_write(int row, int column, int width, attr_t style, const char *text)
{
    int used = 0;
    attrset((int)style);
    move(row, column);
    while (*text && used < width) {
        gunichar character = g_utf8_get_char_validated(text, -1);
        bool bad = character == (gunichar)-1 || character == (gunichar)-2;
        if (!bad && character == '\t') {
            int to = MIN(width, used - used % TAB + TAB);
            for (; used < to; used++)
                addch(' ');
            text++;
            continue;
        }
        if (bad)
            character = '?';
        text = bad ? text + 1 : g_utf8_next_char(text);
        int columns = columns_of(&character);
        if (used + columns > width)
            break;
        wchar_t wide[2] = {(wchar_t)character, L'\0'};
        addwstr(wide);
        used += columns;
    }
    for (; used < width; used++)
        addch(' ');
    attrset(A_NORMAL);
}

/* -- places ------------------------------------------------------------------------------------ */

static void place_narrow(Tui *tui)
{
    TuiPane large = tui->host->large(tui->host->user);
    int rows = MAX(LINES - 1, 1), output = rows >= 6 ? rows / 3 : 0;
    memset(tui->boxes, 0, sizeof tui->boxes);
    tui->boxes[large] = (TuiBox){0, 0, rows - output, COLS};
    tui->boxes[TUI_OUTPUT] = (TuiBox){rows - output, 0, output, COLS};
}

/* The large pane is at the top left, and takes the place of the source. */
static void place_wide(Tui *tui)
{
    TuiPane large = tui->host->large(tui->host->user);
    int rows = LINES - 1, upper = rows * 3 / 5, left = COLS * 3 / 5;
    TuiBox big = {0, 0, upper, left}, right = {0, left + 1, upper, COLS - left - 1};
    TuiBox low = {upper, 0, rows - upper, left}, low_right = {upper, left + 1, rows - upper, COLS - left - 1};
    tui->boxes[TUI_SOURCE] = big;
    tui->boxes[TUI_TABLE] = right;
    tui->boxes[TUI_OUTPUT] = low;
    tui->boxes[TUI_MESSAGES] = low_right;
    TuiBox other = tui->boxes[large];
    tui->boxes[large] = big;
    if (large != TUI_SOURCE)
        tui->boxes[TUI_SOURCE] = other;
}

void cli_tui_panes_place(Tui *tui)
{
    if (COLS < WIDE || LINES < HIGH)
        place_narrow(tui);
    else
        place_wide(tui);
}

int cli_tui_panes_lines(const Tui *tui, TuiPane pane)
{
    switch (pane) {
    case TUI_SOURCE: return tui->view.source ? (int)g_strv_length(tui->view.source) : 0;
    case TUI_TABLE: return tui->view.table ? (int)tui->view.table->len : 0;
    case TUI_MESSAGES: return tui->view.messages ? (int)g_strv_length(tui->view.messages) : 0;
    default: return (int)tui->output->len;
    }
}

/* Rows below the title. */
static int inner(const Tui *tui, TuiPane pane)
{
    return pane < TUI_PANES ? MAX(tui->boxes[pane].height - 1, 0) : 0;
}

void cli_tui_panes_scroll(Tui *tui, TuiPane pane, int by)
{
    int most = MAX(cli_tui_panes_lines(tui, pane) - inner(tui, pane), 0);
    tui->top[pane] = CLAMP(tui->top[pane] + by, 0, most);
}

void cli_tui_panes_show_line(Tui *tui, uint32_t line)
{
    int rows = inner(tui, TUI_SOURCE), at = (int)line - 1;
    if (line > 0 && (at < tui->top[TUI_SOURCE] || at >= tui->top[TUI_SOURCE] + rows))
        tui->top[TUI_SOURCE] = at - rows / 2;
    cli_tui_panes_scroll(tui, TUI_SOURCE, 0);
}

/* -- drawing ----------------------------------------------------------------------------------- */

static const TuiMark *mark_at(const TuiView *view, uint32_t line)
{
    for (guint i = 0; view->marks && i < view->marks->len; i++) {
        const TuiMark *mark = g_ptr_array_index(view->marks, i);
        if (mark->line == line)
            return mark;
    }
    return NULL;
}

static int ranks_width(const Tui *tui)
{
    int width = 0;
    for (guint i = 0; tui->view.marks && i < tui->view.marks->len; i++) {
        const TuiMark *mark = g_ptr_array_index(tui->view.marks, i);
        width = MAX(width, mark->ranks ? (int)strlen(mark->ranks) + 1 : 0);
    }
    return MIN(width, tui->boxes[TUI_SOURCE].width < WIDE / 2 + 10 ? MOST_RANKS / 2 : MOST_RANKS);
}

/* "0-3>*   20  text" */
static void draw_source_line(Tui *tui, int row, uint32_t line, int ranks)
{
    const TuiBox *box = &tui->boxes[TUI_SOURCE];
    const TuiMark *mark = mark_at(&tui->view, line);
    bool current = line == tui->view.current;
    g_autofree char *number = g_strdup_printf("%*u%s", NUMBER, line, current ? ">" : " ");
    g_autofree char *told = g_strdup(mark && mark->ranks ? mark->ranks : "");
    if ((int)strlen(told) + 1 > ranks && ranks > 3)
        strcpy(told + ranks - 3, "..");
    g_autofree char *arrow = g_strdup_printf("%*s%s", *told ? ranks - 1 : ranks, told, *told ? ">" : "");
    cli_tui_write(row, box->column, ranks, cli_tui_style(TUI_RANKS), arrow);
    char point[2] = {mark ? mark->point : ' ', '\0'};
    cli_tui_write(row, box->column + ranks, 1, cli_tui_style(TUI_POINT), point);
    cli_tui_write(row, box->column + ranks + 1, NUMBER + 1, cli_tui_style(current ? TUI_CURRENT : TUI_NUMBER), number);
    cli_tui_write(row, box->column + tui->margin, MAX(box->width - tui->margin, 0),
                  cli_tui_style(current ? TUI_CURRENT : TUI_PLAIN), tui->view.source[line - 1]);
}

static const char *line_of(const Tui *tui, TuiPane pane, int line, bool *bold)
{
    *bold = false;
    if (pane == TUI_OUTPUT)
        return g_ptr_array_index(tui->output, (guint)line);
    if (pane == TUI_MESSAGES)
        return tui->view.messages[line];
    const TuiRow *row = g_ptr_array_index(tui->view.table, (guint)line);
    *bold = row->current;
    return row->text;
}

static const char *title_of(const Tui *tui, TuiPane pane)
{
    const char *titles[TUI_PANES] = {tui->view.title, tui->view.table_title, tui->view.messages_title, "output"};
    return titles[pane] ? titles[pane] : "";
}

static void draw_pane(Tui *tui, TuiPane pane)
{
    const TuiBox *box = &tui->boxes[pane];
    if (box->height <= 0 || box->width <= 0)
        return;
    int lines = cli_tui_panes_lines(tui, pane), ranks = ranks_width(tui);
    cli_tui_write(box->row, box->column, box->width, cli_tui_style(TUI_TITLE), title_of(tui, pane));
    if (pane == TUI_SOURCE)
        tui->margin = MIN(ranks + NUMBER + 3, box->width);
    for (int i = 0; i < inner(tui, pane); i++) {
        int row = box->row + 1 + i, line = tui->top[pane] + i;
        bool bold;
        if (line >= lines) {
            cli_tui_write(row, box->column, box->width, A_NORMAL, "");
        } else if (pane == TUI_SOURCE) {
            cli_tui_write(row, box->column, box->width, A_NORMAL, "");
            draw_source_line(tui, row, (uint32_t)line + 1, ranks);
        } else {
            const char *text = line_of(tui, pane, line, &bold);
            cli_tui_write(row, box->column, box->width, cli_tui_style(bold ? TUI_CURRENT : TUI_PLAIN), text);
        }
    }
}

void cli_tui_panes_draw(Tui *tui)
{
    erase();
    cli_tui_panes_place(tui);
    for (int pane = 0; pane < TUI_PANES; pane++) {
        cli_tui_panes_scroll(tui, (TuiPane)pane, 0);
        draw_pane(tui, (TuiPane)pane);
    }
    for (int row = 0; tui->boxes[TUI_MESSAGES].height > 0 && tui->boxes[TUI_OUTPUT].width < COLS && row < LINES - 1;
         row++)
        mvaddch(row, tui->boxes[TUI_OUTPUT].width, '|');
    cli_tui_line_draw(tui);
    refresh();
}
