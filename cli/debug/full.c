/* full.c - the full screen of the debugger: what its panes show (tui.h), and the commands that show it. */
#include "cli/debug/desk.h"
#include "cli/tui/tui.h"

#include <stdlib.h>
#include <string.h>

typedef struct Full {
    DebugSession *session;
    char *file;     /* whose lines are kept */
    char **source;  /* its lines */
    gint64 made_us; /* ... of this start */
} Full;

/* -- the source -------------------------------------------------------------------------------- */

/* Lines of an answer to MON_QUERY_LIST: "->   20  text". *current: the number of the one with the arrow. */
static char **take_text(char **lines, uint32_t *current)
{
    guint n = g_strv_length(lines);
    char **text = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++) {
        const char *at = lines[i];
        if (g_str_has_prefix(at, "->"))
            *current = (uint32_t)strtoul(at + 2, NULL, 10);
        at += strspn(at, "-> ");
        at += strspn(at, "0123456789");
        text[i] = g_strdup(g_str_has_prefix(at, "  ") ? at + 2 : at);
    }
    return text;
}

/* Asks for lines; the answer begins with two numbers and the file, which is returned. Free it with g_free(). */
static char *ask_lines(DebugSession *session, const char *what, char ***lines)
{
    g_autoptr(GString) answer = g_string_new(NULL);
    char *at;
    if (!cli_debug_ask(session, MON_QUERY_LIST, what, answer, NULL))
        return NULL;
    (void)strtoul(answer->str, &at, 10);
    (void)strtoul(at, &at, 10);
    char *end = strchr(at, '\n');
    char *file = g_strndup(at + 1, (gsize)(end - at - 1));
    g_strchomp(end + 1);
    *lines = g_strsplit(end + 1, "\n", -1);
    return file;
}

static void look_at_source(Full *full, TuiView *view)
{
    DebugSession *session = full->session;
    g_auto(GStrv) near = NULL;
    uint32_t ignored = 0;
    g_autofree char *file = ask_lines(session, session->started ? "" : "main", &near);
    if (!file) { /* the program has ended: what was shown last */
        view->title = full->file ? g_path_get_basename(full->file) : g_strdup("no source");
        view->source = g_strdupv(full->source);
        return;
    }
    g_strfreev(take_text(near, &view->current));
    if (g_strcmp0(file, full->file) != 0 || full->made_us != session->desk->made_us) {
        g_autofree char *all = g_strdup_printf("%s:1,%d", file, INT32_MAX);
        g_auto(GStrv) lines = NULL;
        g_autofree char *same = ask_lines(session, all, &lines);
        g_strfreev(full->source);
        g_free(full->file);
        full->file = g_strdup(file);
        full->source = same ? take_text(lines, &ignored) : NULL;
        full->made_us = session->desk->made_us;
    }
    view->source = g_strdupv(full->source);
    g_autoptr(GPtrArray) marks = cli_debug_marks(session, file);
    for (guint i = 0; i < marks->len; i++) {
        const DebugMark *mark = g_ptr_array_index(marks, i);
        TuiMark *shown = g_new(TuiMark, 1);
        *shown = (TuiMark){mark->line, g_strdup(mark->ranks), !mark->point ? ' ' : mark->disabled ? 'o' : '*'};
        g_ptr_array_add(view->marks, shown);
    }
    g_autofree char *name = g_path_get_basename(file);
    view->title = g_strdup(name);
}

/* -- ranks and messages ------------------------------------------------------------------------ */

/* Appends the next part of a row, which blanks end: two of them at least. Returns what follows. */
static const char *take_part(const char *row, int width, GString *out)
{
    row += strspn(row, " ");
    const char *end = strstr(row, "  ");
    int length = (int)(end ? (size_t)(end - row) : strlen(row));
    g_string_append_printf(out, "%-*.*s ", width, length, row);
    return row + length;
}

/* "*    0  ready      76.332 ns  twice at a.c:7" becomes "*0 ready twice at a.c:7  76.332 ns": the time may be cut. */
static char *row_text(const char *row, int digits, bool current)
{
    char *rest;
    g_autoptr(GString) text = g_string_new(NULL), time = g_string_new(NULL);
    g_string_append_printf(text, "%c%*lu ", current ? '*' : ' ', digits, strtoul(row, &rest, 10));
    const char *behind = take_part(take_part(rest, 1, text), 1, time);
    behind += strspn(behind, " ");
    g_string_append_printf(text, "%s  %s", behind, time->str);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void look_at_ranks(Full *full, TuiView *view)
{
    DebugSession *session = full->session;
    const char *filter = session->desk->filter;
    g_autoptr(GString) answer = g_string_new(NULL);
    view->table_title = filter ? g_strdup_printf("ranks: %s", filter) : g_strdup("ranks");
    if (!session->started || !cli_debug_ask(session, MON_QUERY_RANKS, NULL, answer, NULL))
        return;
    g_auto(GStrv) lines = g_strsplit(answer->str, "\n", -1);
    g_autofree char *last = g_strdup_printf("%u", mon_session_ranks(session->core) - 1);
    for (char **line = lines; *line; line++) {
        char *rest;
        unsigned long rank = **line ? strtoul(*line + 1, &rest, 10) : 0;
        if (!**line || rest == *line + 1 || (filter && !strstr(*line, filter)))
            continue;
        TuiRow *row = g_new(TuiRow, 1);
        bool current = rank == session->rank;
        *row = (TuiRow){(uint32_t)rank, row_text(*line + 1, (int)strlen(last), current), current};
        g_ptr_array_add(view->table, row);
    }
}

static void look_at_messages(Full *full, TuiView *view)
{
    DebugSession *session = full->session;
    g_autoptr(GString) answer = g_string_new(NULL);
    g_autofree char *rank = g_strdup_printf("\n%u", session->rank);
    view->messages_title = g_strdup_printf("messages of rank %u", session->rank);
    if (!session->started)
        return;
    if (!session->ended)
        (void)cli_debug_ask(session, MON_QUERY_WHY, NULL, answer, NULL);
    (void)cli_debug_ask(session, MON_QUERY_QUEUES, rank, answer, NULL);
    view->messages = g_strsplit(g_strchomp(answer->str), "\n", -1);
}

static void look(void *user, TuiView *view)
{
    Full *full = user;
    look_at_source(full, view);
    look_at_ranks(full, view);
    look_at_messages(full, view);
}

/* -- what is done ------------------------------------------------------------------------------ */

static bool execute(void *user, const char *line, GString *output)
{
    DebugSession *session = ((Full *)user)->session;
    session->desk->shown = output;
    (void)cli_debug_type(session, line);
    cli_debug_flush(session);
    session->desk->shown = NULL;
    return !session->quit && session->desk->full_screen;
}

static void complete(void *user, const char *line, GPtrArray *lines)
{
    cli_debug_complete(((Full *)user)->session, line, lines);
}

static const char *prompt(void *user)
{
    const DebugDesk *desk = ((Full *)user)->session->desk;
    return cli_console_scripts_collects(desk->scripts) || cli_debug_collects(((Full *)user)->session)
               ? ">"
               : desk->settings[DEBUG_SET_PROMPT];
}

static char *row_command(void *user, uint32_t id)
{
    (void)user;
    return g_strdup_printf("rank %u", id);
}

/* A click sets a breakpoint at the line, or takes it away. */
static char *line_command(void *user, const TuiView *view, uint32_t line)
{
    const Full *full = user;
    g_autoptr(GPtrArray) marks = cli_debug_marks(full->session, full->file);
    const DebugMark *mark = cli_debug_mark_at(marks, line);
    return mark && mark->point ? g_strdup_printf("delete %u", mark->point)
                               : g_strdup_printf("break %s:%u", view->title, line);
}

static TuiPane large(void *user)
{
    return (TuiPane)((Full *)user)->session->desk->large_pane;
}

static void remember(void *user, const char *line)
{
    const DebugDesk *desk = ((Full *)user)->session->desk;
    if (desk->editor)
        cli_console_editor_remember(desk->editor, line);
}

bool cli_debug_full_screen(DebugSession *session)
{
    g_autoptr(GError) error = NULL;
    Full full = {.session = session};
    bool coloured = strcmp(session->desk->settings[DEBUG_SET_STYLE], "off") != 0 && cli_debug_coloured(session->desk);
    TuiHost host = {execute, look, complete, prompt, row_command, line_command, large, remember, &full, coloured};
    g_autofree char *said = g_strdup(session->out->str);
    bool end = false, shown;
    g_string_truncate(session->out, 0);
    shown = cli_tui_run(&host, said, &end, &error);
    if (!shown)
        cli_debug_fail(session, "%s", error->message);
    session->quit = session->quit || end;
    session->desk->full_screen = false;
    g_free(full.file);
    g_strfreev(full.source);
    return shown;
}

/* -- commands ---------------------------------------------------------------------------------- */

static void show(DebugSession *session)
{
    if (session->desk->editor || session->target->full_screen)
        session->desk->full_screen = true;
    else
        cli_debug_fail(session, "a full screen needs a terminal, and there is none");
}

void cli_debug_do_tui(DebugSession *session, const char *arguments)
{
    const char *rest = arguments;
    g_autofree char *word = cli_console_take_word(&rest);
    if (*word == '\0' || strcmp(word, "enable") == 0) {
        show(session);
    } else if (strcmp(word, "disable") == 0) {
        session->desk->full_screen = false;
    } else if (strcmp(word, "filter") == 0) {
        g_free(session->desk->filter);
        session->desk->filter = *rest ? g_strdup(rest) : NULL;
    } else {
        cli_debug_fail(session, "tui enable, tui disable or tui filter WORD, not '%s'", word);
    }
}

void cli_debug_do_layout(DebugSession *session, const char *arguments)
{
    static const struct {
        const char *name;
        TuiPane pane;
    } layouts[] = {{"src", TUI_SOURCE}, {"source", TUI_SOURCE}, {"ranks", TUI_TABLE}, {"messages", TUI_MESSAGES}};
    for (size_t i = 0; *arguments && i < G_N_ELEMENTS(layouts); i++)
        if (g_str_has_prefix(layouts[i].name, arguments)) {
            session->desk->large_pane = layouts[i].pane;
            show(session);
            return;
        }
    if (*arguments)
        cli_debug_fail(session, "layout src, ranks or messages, not '%s'", arguments);
    else
        show(session);
}
