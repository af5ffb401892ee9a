/* line.c - the line that is typed at the bottom of the full screen. */
#include "cli/tui/inside.h"

#include <string.h>

enum {
    CONTROL_A = 1,
    CONTROL_B = 2,
    CONTROL_E = 5,
    CONTROL_F = 6,
    CONTROL_H = 8,
    CONTROL_K = 11,
    CONTROL_N = 14,
    CONTROL_P = 16,
    CONTROL_U = 21,
    CONTROL_W = 23,
    DELETE = 127,
    LONGEST = 4000
};

static void set(TuiTyped *typed, const char *text)
{
    g_string_assign(typed->text, text);
    typed->cursor = typed->text->len;
}

static gsize before(const TuiTyped *typed)
{
    const char *at = g_utf8_find_prev_char(typed->text->str, typed->text->str + typed->cursor);
    return at ? (gsize)(at - typed->text->str) : 0;
}

static gsize behind(const TuiTyped *typed)
{
    return typed->cursor < typed->text->len
               ? (gsize)(g_utf8_next_char(typed->text->str + typed->cursor) - typed->text->str)
               : typed->cursor;
}

static void erase_to(TuiTyped *typed, gsize from, gsize to)
{
    g_string_erase(typed->text, (gssize)from, (gssize)(to - from));
    typed->cursor = from;
}

/* Goes through the lines typed before. */
static void recall(TuiTyped *typed, int by)
{
    if ((by < 0 && typed->at == 0) || (by > 0 && typed->at >= typed->past->len))
        return;
    typed->at += (guint)by;
    set(typed, typed->at < typed->past->len ? g_ptr_array_index(typed->past, typed->at) : "");
}

static void erase_word(TuiTyped *typed)
{
    gsize from = typed->cursor;
    while (from > 0 && typed->text->str[from - 1] == ' ')
        from--;
    while (from > 0 && typed->text->str[from - 1] != ' ')
        from--;
    erase_to(typed, from, typed->cursor);
}

static void insert(TuiTyped *typed, wint_t key)
{
    char bytes[6];
    if (key < 32 || !g_unichar_validate(key) || typed->text->len > LONGEST)
        return;
    int n = g_unichar_to_utf8(key, bytes);
    g_string_insert_len(typed->text, (gssize)typed->cursor, bytes, n);
    typed->cursor += (gsize)n;
}

static void special_key(TuiTyped *typed, wint_t key)
{
    switch (key) {
    case KEY_LEFT: typed->cursor = before(typed); break;
    case KEY_RIGHT: typed->cursor = behind(typed); break;
    case KEY_HOME: typed->cursor = 0; break;
    case KEY_END: typed->cursor = typed->text->len; break;
    case KEY_UP: recall(typed, -1); break;
    case KEY_DOWN: recall(typed, 1); break;
    case KEY_BACKSPACE: erase_to(typed, before(typed), typed->cursor); break;
    case KEY_DC: erase_to(typed, typed->cursor, behind(typed)); break;
    default: break;
    }
}

void cli_tui_line_key(Tui *tui, bool special, wint_t key)
{
    TuiTyped *typed = &tui->typed;
    if (special) {
        special_key(typed, key);
        return;
    }
    switch (key) {
    case CONTROL_A: typed->cursor = 0; break;
    case CONTROL_E: typed->cursor = typed->text->len; break;
    case CONTROL_B: typed->cursor = before(typed); break;
    case CONTROL_F: typed->cursor = behind(typed); break;
    case CONTROL_P: recall(typed, -1); break;
    case CONTROL_N: recall(typed, 1); break;
    case CONTROL_U: erase_to(typed, 0, typed->cursor); break;
    case CONTROL_K: erase_to(typed, typed->cursor, typed->text->len); break;
    case CONTROL_W: erase_word(typed); break;
    case CONTROL_H:
    case DELETE: erase_to(typed, before(typed), typed->cursor); break;
    default: insert(typed, key); break;
    }
}

char *cli_tui_line_take(Tui *tui)
{
    TuiTyped *typed = &tui->typed;
    char *line = g_strdup(typed->text->str);
    if (*line)
        g_ptr_array_add(typed->past, g_strdup(line));
    typed->at = typed->past->len;
    set(typed, "");
    return line;
}

/* The part around the cursor, if the line is longer than the screen is wide. */
void cli_tui_line_draw(Tui *tui)
{
    const TuiTyped *typed = &tui->typed;
    const char *prompt = tui->host->prompt(tui->host->user);
    g_autofree char *left = g_strndup(typed->text->str, typed->cursor);
    int room = MAX(COLS - cli_tui_columns(prompt) - 1, 1), at = cli_tui_columns(left);
    const char *from = typed->text->str;
    while (at >= room && *from) {
        g_autofree char *skipped = g_strndup(from, (gsize)(g_utf8_next_char(from) - from));
        at -= cli_tui_columns(skipped);
        from = g_utf8_next_char(from);
    }
    g_autofree char *line = g_strconcat(prompt, from, NULL);
    cli_tui_write(LINES - 1, 0, COLS - 1, A_NORMAL, line);
    move(LINES - 1, MIN(cli_tui_columns(prompt) + at, COLS - 1));
}
