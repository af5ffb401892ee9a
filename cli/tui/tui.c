/* tui.c - the loop of the full screen: keys and the mouse, until it is left. */
#include "cli/tui/inside.h"

#include <string.h>

enum {
    MOST_OUTPUT = 5000,
    CONTROL_C = 3,
    CONTROL_D = 4,
    TAB = 9,
    CONTROL_L = 12,
    ENTER = 13,
    NEWLINE = 10,
    CONTROL_X = 24,
    WHEEL = 3
};

typedef enum Next { GO_ON, LEAVE, END } Next;

/* -- what is shown ----------------------------------------------------------------------------- */

static void mark_free(void *item)
{
    g_free(((TuiMark *)item)->ranks);
    g_free(item);
}

static void row_free(void *item)
{
    g_free(((TuiRow *)item)->text);
    g_free(item);
}

static void clear_view(TuiView *view)
{
    g_free(view->title);
    g_free(view->table_title);
    g_free(view->messages_title);
    g_strfreev(view->source);
    g_strfreev(view->messages);
    g_clear_pointer(&view->marks, g_ptr_array_unref);
    g_clear_pointer(&view->table, g_ptr_array_unref);
    *view = (TuiView){0};
}

/* Adds a line, broken to the width of its pane, as far as that is a width for text. */
static void add_broken(GPtrArray *lines, const char *line, int width)
{
    enum { LEAST = 20 };
    do {
        const char *end = line;
        int columns = 0;
        while (*end && (width < LEAST || columns < width)) {
            gunichar character = g_utf8_get_char_validated(end, -1);
            bool bad = character == (gunichar)-1 || character == (gunichar)-2;
            const char *next = bad ? end + 1 : g_utf8_next_char(end);
            g_autofree char *one = g_strndup(end, (gsize)(next - end));
            columns += cli_tui_columns(one);
            if (columns > width && width >= LEAST)
                break;
            end = next;
        }
        g_ptr_array_add(lines, g_strndup(line, (gsize)(end - line)));
        line = end;
    } while (*line);
}

static char **broken(char **lines, int width)
{
    GPtrArray *all = g_ptr_array_new();
    for (char **line = lines; line && *line; line++)
        add_broken(all, *line, width);
    g_ptr_array_add(all, NULL);
    g_strfreev(lines);
    return (char **)g_ptr_array_free(all, FALSE);
}

static void look(Tui *tui)
{
    clear_view(&tui->view);
    tui->view.marks = g_ptr_array_new_with_free_func(mark_free);
    tui->view.table = g_ptr_array_new_with_free_func(row_free);
    tui->host->look(tui->host->user, &tui->view);
    cli_tui_panes_place(tui);
    tui->view.messages = broken(tui->view.messages, tui->boxes[TUI_MESSAGES].width);
    cli_tui_panes_show_line(tui, tui->view.current);
}

static void add_output(Tui *tui, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    cli_tui_panes_place(tui);
    for (char **line = lines; *line && (line[1] || **line); line++)
        add_broken(tui->output, *line, tui->boxes[TUI_OUTPUT].width);
    if (tui->output->len > MOST_OUTPUT)
        g_ptr_array_remove_range(tui->output, 0, tui->output->len - MOST_OUTPUT);
    cli_tui_panes_scroll(tui, TUI_OUTPUT, (int)tui->output->len);
}

/* -- commands ---------------------------------------------------------------------------------- */

static Next execute(Tui *tui, const char *line)
{
    g_autoptr(GString) said = g_string_new(NULL);
    if (*line) {
        g_autofree char *echo = g_strconcat(tui->host->prompt(tui->host->user), line, NULL);
        add_output(tui, echo);
    }
    cli_tui_panes_draw(tui);
    cli_tui_screen_commands(true);
    bool stays = tui->host->execute(tui->host->user, line, said);
    cli_tui_screen_commands(false);
    add_output(tui, said->str);
    look(tui);
    return stays ? GO_ON : LEAVE;
}

static void complete(Tui *tui)
{
    TuiTyped *typed = &tui->typed;
    g_autofree char *line = g_strndup(typed->text->str, typed->cursor);
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    tui->host->complete(tui->host->user, line, lines);
    if (lines->len == 0)
        return;
    const char *first = g_ptr_array_index(lines, 0);
    size_t same = strlen(first);
    for (guint i = 1; i < lines->len; i++) {
        const char *other = g_ptr_array_index(lines, i);
        size_t n = 0;
        while (n < same && other[n] == first[n])
            n++;
        same = n;
    }
    if (same > strlen(line)) {
        g_autofree char *more = g_strndup(first + strlen(line), same - strlen(line));
        g_string_insert(typed->text, (gssize)typed->cursor, more);
        typed->cursor += strlen(more);
        return;
    }
    const char *word = strrchr(line, ' ');
    g_autoptr(GString) all = g_string_new(NULL);
    for (guint i = 0; i < lines->len; i++)
        g_string_append_printf(all, "%s%s", i ? "  " : "",
                               (char *)g_ptr_array_index(lines, i) + (word ? word + 1 - line : 0));
    add_output(tui, all->str);
}

/* -- the mouse --------------------------------------------------------------------------------- */

static bool is_in(const TuiBox *box, const MEVENT *event)
{
    return event->y > box->row && event->y < box->row + box->height && event->x >= box->column &&
           event->x < box->column + box->width;
}

static char *command_of_click(Tui *tui, TuiPane pane, const MEVENT *event)
{
    const TuiBox *box = &tui->boxes[pane];
    int line = tui->top[pane] + event->y - box->row - 1;
    if (line >= cli_tui_panes_lines(tui, pane))
        return NULL;
    if (pane == TUI_TABLE)
        return tui->host->row_command(tui->host->user,
                                      ((const TuiRow *)g_ptr_array_index(tui->view.table, (guint)line))->id);
    if (pane == TUI_SOURCE && event->x < box->column + tui->margin)
        return tui->host->line_command(tui->host->user, &tui->view, (uint32_t)line + 1);
    return NULL;
}

static Next mouse(Tui *tui)
{
    MEVENT event;
    if (getmouse(&event) != OK)
        return GO_ON;
    for (int pane = 0; pane < TUI_PANES; pane++) {
        if (!is_in(&tui->boxes[pane], &event))
            continue;
        if (event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
            cli_tui_panes_scroll(tui, (TuiPane)pane, event.bstate & BUTTON4_PRESSED ? -WHEEL : WHEEL);
            return GO_ON;
        }
        g_autofree char *command = command_of_click(tui, (TuiPane)pane, &event);
        return command ? execute(tui, command) : GO_ON;
    }
    return GO_ON;
}

/* -- keys -------------------------------------------------------------------------------------- */

static Next enter(Tui *tui)
{
    g_autofree char *line = cli_tui_line_take(tui);
    if (*line)
        tui->host->remember(tui->host->user, line);
    return execute(tui, line);
}

static Next control_x(void)
{
    wint_t key = 0;
    return get_wch(&key) == OK && (key == 'a' || key == 'A' || key == 1) ? LEAVE : GO_ON;
}

/* Pages move the large pane. */
static void page(Tui *tui, int direction)
{
    TuiPane large = tui->host->large(tui->host->user);
    cli_tui_panes_scroll(tui, large, direction * MAX(tui->boxes[large].height - 2, 1));
}

static Next handle(Tui *tui, bool special, wint_t key)
{
    if (special && key == KEY_MOUSE)
        return mouse(tui);
    if (special && (key == KEY_PPAGE || key == KEY_NPAGE)) {
        page(tui, key == KEY_PPAGE ? -1 : 1);
        return GO_ON;
    }
    if (special && key == KEY_RESIZE) {
        look(tui);
        cli_tui_panes_scroll(tui, TUI_OUTPUT, (int)tui->output->len);
        clearok(curscr, TRUE);
        return GO_ON;
    }
    if (key == ENTER || (!special && key == NEWLINE) || (special && key == KEY_ENTER))
        return enter(tui);
    if (!special && key == CONTROL_D && tui->typed.text->len == 0)
        return END;
    if (!special && key == CONTROL_X)
        return control_x();
    if (!special && key == TAB)
        complete(tui);
    else if (!special && key == CONTROL_L)
        clearok(curscr, TRUE);
    else if (!special && key == CONTROL_C)
        g_free(cli_tui_line_take(tui));
    else
        cli_tui_line_key(tui, special, key);
    return GO_ON;
}

static Next loop(Tui *tui)
{
    Next next = GO_ON;
    while (next == GO_ON) {
        wint_t key = 0;
        cli_tui_panes_draw(tui);
        int kind = get_wch(&key);
        if (kind == ERR)
            next = END; /* the terminal has gone */
        else
            next = handle(tui, kind == KEY_CODE_YES, key);
    }
    return next;
}

bool cli_tui_run(const TuiHost *host, const char *output, bool *end, GError **error)
{
    Tui tui = {.host = host};
    if (!cli_tui_screen_open(host->coloured, error))
        return false;
    tui.output = g_ptr_array_new_with_free_func(g_free);
    tui.typed = (TuiTyped){g_string_new(NULL), 0, g_ptr_array_new_with_free_func(g_free), 0};
    add_output(&tui, output);
    look(&tui);
    *end = loop(&tui) == END;
    cli_tui_screen_close();
    clear_view(&tui.view);
    g_ptr_array_unref(tui.output);
    g_string_free(tui.typed.text, TRUE);
    g_ptr_array_unref(tui.typed.past);
    return true;
}
