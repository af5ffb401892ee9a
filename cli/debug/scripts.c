/* scripts.c - the debugger's `commands`: what is done when a breakpoint stops the program.
 *
 * Lines up to `end` belong to the breakpoint. They are done one after the other behind the stop; a line that lets the
 * program go on ends the list, and the lists of the next stop follow. So lists that go on do not nest. */
#include "cli/debug/debug.h"

#include <stdlib.h>
#include <string.h>

typedef struct DebugScripts {
    GHashTable *lists;  /* number -> GPtrArray of char * */
    unsigned collected; /* the breakpoint whose list is being typed; 0: none */
    GArray *due;        /* unsigned: breakpoints whose lists are to be done */
    uint64_t stops;     /* counts stops */
    bool running;
} DebugScripts;

static void free_list(void *list)
{
    g_ptr_array_unref(list);
}

static DebugScripts *scripts_of(DebugSession *session)
{
    if (!session->scripts) {
        session->scripts = g_new0(DebugScripts, 1);
        session->scripts->lists = g_hash_table_new_full(NULL, NULL, NULL, free_list);
        session->scripts->due = g_array_new(FALSE, FALSE, sizeof(unsigned));
    }
    return session->scripts;
}

void cli_debug_free_scripts(DebugSession *session)
{
    if (!session->scripts)
        return;
    g_hash_table_unref(session->scripts->lists);
    g_array_unref(session->scripts->due);
    g_clear_pointer(&session->scripts, g_free);
}

static GPtrArray *list_of(DebugSession *session, unsigned number)
{
    return session->scripts ? g_hash_table_lookup(session->scripts->lists, GUINT_TO_POINTER(number)) : NULL;
}

void cli_debug_forget_script(DebugSession *session, unsigned number)
{
    if (session->scripts)
        g_hash_table_remove(session->scripts->lists, GUINT_TO_POINTER(number));
}

void cli_debug_list_script(DebugSession *session, unsigned number)
{
    const GPtrArray *list = list_of(session, number);
    for (guint i = 0; list && i < list->len; i++)
        g_string_append_printf(session->out, "     %s\n", (const char *)g_ptr_array_index(list, i));
}

/* -- typing ------------------------------------------------------------------------------------ */

/* Without a number: the last breakpoint that was set. */
static const MonBreakpoint *find(DebugSession *session, const char *arguments)
{
    const GPtrArray *points = mon_session_breakpoints(session->core);
    guint64 number = 0;
    if (*arguments == '\0')
        return points->len ? g_ptr_array_index(points, points->len - 1) : NULL;
    return g_ascii_string_to_unsigned(arguments, 10, 1, UINT32_MAX, &number, NULL)
               ? mon_session_breakpoint(session->core, (unsigned)number)
               : NULL;
}

void cli_debug_do_commands(DebugSession *session, const char *arguments)
{
    const MonBreakpoint *point = find(session, arguments);
    DebugScripts *scripts = scripts_of(session);
    if (!point) {
        g_string_append_printf(session->out, "there is no breakpoint '%s': type info breakpoints\n", arguments);
        return;
    }
    scripts->collected = point->number;
    g_hash_table_replace(scripts->lists, GUINT_TO_POINTER(point->number), g_ptr_array_new_with_free_func(g_free));
}

bool cli_debug_collect(DebugSession *session, const char *line)
{
    g_autofree char *text = g_strstrip(g_strdup(line));
    DebugScripts *scripts = session->scripts;
    if (!scripts || scripts->collected == 0)
        return false;
    if (strcmp(text, "end") != 0) {
        if (*text)
            g_ptr_array_add(list_of(session, scripts->collected), g_steal_pointer(&text));
        return true;
    }
    if (list_of(session, scripts->collected)->len == 0) /* an empty list takes an old one away */
        cli_debug_forget_script(session, scripts->collected);
    scripts->collected = 0;
    return true;
}

bool cli_debug_collects(const DebugSession *session)
{
    return session->scripts && session->scripts->collected;
}

/* -- doing ------------------------------------------------------------------------------------- */

static void add_due(DebugSession *session, unsigned number)
{
    const GPtrArray *list = list_of(session, number);
    if (list)
        g_array_append_val(session->scripts->due, number);
}

bool cli_debug_note_stop(DebugSession *session, const MonStop *stop)
{
    if (!session->scripts)
        return false;
    const GPtrArray *list = list_of(session, stop->breakpoint);
    session->scripts->stops++;
    g_array_set_size(session->scripts->due, 0);
    add_due(session, stop->breakpoint);
    for (guint i = 0; i < stop->also->len; i++)
        add_due(session, g_array_index(stop->also, unsigned, i));
    return list && list->len > 0 && strcmp(g_ptr_array_index(list, 0), "silent") == 0;
}

/* The list may be changed by what it does. */
static void do_list(DebugSession *session, const GPtrArray *list)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    uint64_t stops = session->scripts->stops;
    for (guint i = 0; i < list->len; i++)
        g_ptr_array_add(lines, g_strdup(g_ptr_array_index(list, i)));
    for (guint i = 0; i < lines->len && session->scripts->stops == stops && !session->quit; i++)
        if (strcmp(g_ptr_array_index(lines, i), "silent") != 0)
            cli_debug_execute(session, g_ptr_array_index(lines, i));
}

void cli_debug_run_scripts(DebugSession *session)
{
    DebugScripts *scripts = session->scripts;
    if (!scripts || scripts->running)
        return;
    scripts->running = true;
    while (scripts->due->len > 0 && !session->quit) {
        unsigned number = g_array_index(scripts->due, unsigned, 0);
        g_array_remove_index(scripts->due, 0);
        const GPtrArray *list = list_of(session, number);
        if (list)
            do_list(session, list);
    }
    scripts->running = false;
}
