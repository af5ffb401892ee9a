/* display.c - expressions that are shown at each stop. */
#include "cli/debug/desk.h"

#include <string.h>

typedef struct DebugDisplay {
    unsigned number;
    char *expression; /* with its format */
} DebugDisplay;

static void display_free(void *item)
{
    g_free(((DebugDisplay *)item)->expression);
    g_free(item);
}

/* What cannot be evaluated here is left out at stops, but said where it is asked for. */
static void show(DebugSession *session, const DebugDisplay *display, bool at_stop)
{
    g_autoptr(GString) answer = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    if (!cli_debug_ask(session, MON_QUERY_PRINT, display->expression, answer, &error)) {
        if (!at_stop)
            cli_debug_fail(session, "%s", error->message);
        return;
    }
    g_string_append_printf(session->out, "%u: %s\n", display->number, answer->str);
}

void cli_debug_show_displays(DebugSession *session)
{
    const GPtrArray *displays = session->desk->displays;
    for (guint i = 0; displays && i < displays->len; i++)
        show(session, g_ptr_array_index(displays, i), true);
}

void cli_debug_list_displays(DebugSession *session)
{
    const GPtrArray *displays = session->desk->displays;
    for (guint i = 0; displays && i < displays->len; i++) {
        const DebugDisplay *display = g_ptr_array_index(displays, i);
        g_string_append_printf(session->out, "%u: %s\n", display->number, display->expression);
    }
    if (!displays || displays->len == 0)
        g_string_append(session->out, "nothing is shown at stops: display EXPRESSION shows it\n");
}

void cli_debug_do_display(DebugSession *session, const char *arguments)
{
    DebugDesk *desk = session->desk;
    if (*arguments == '\0') {
        if (session->started)
            cli_debug_show_displays(session);
        return;
    }
    if (!desk->displays)
        desk->displays = g_ptr_array_new_with_free_func(display_free);
    DebugDisplay *display = g_new(DebugDisplay, 1);
    *display = (DebugDisplay){desk->next_display, g_strdup(arguments)};
    if (session->started && !session->ended)
        show(session, display, false);
    if (session->failed) {
        display_free(display);
        return;
    }
    desk->next_display++;
    g_ptr_array_add(desk->displays, display);
}

static bool remove_display(DebugDesk *desk, guint64 number)
{
    for (guint i = 0; desk->displays && i < desk->displays->len; i++)
        if (((const DebugDisplay *)g_ptr_array_index(desk->displays, i))->number == number)
            return g_ptr_array_remove_index(desk->displays, i);
    return false;
}

void cli_debug_do_undisplay(DebugSession *session, const char *arguments)
{
    if (*arguments == '\0') {
        g_clear_pointer(&session->desk->displays, g_ptr_array_unref);
        return;
    }
    g_auto(GStrv) words = cli_console_split(arguments);
    for (char **word = words; *word; word++) {
        guint64 number = 0;
        if (!g_ascii_string_to_unsigned(*word, 10, 1, UINT32_MAX, &number, NULL) ||
            !remove_display(session->desk, number))
            cli_debug_fail(session, "there is no display '%s': type info display", *word);
    }
}
