/* threads.c - the debugger command that selects a thread of the rank, or does something for several. */
#include "cli/debug/debug.h"
#include "machine/machine.h"
#include "monitor/monitor.h"

#include <string.h>

static bool select_thread(DebugSession *session, uint64_t id)
{
    if (!mon_debug_select_thread(session->debugger, session->rank, id, session->out))
        return false;
    session->frame = mon_debug_program_frame(session->debugger, session->rank);
    session->listed.first = 0;
    return true;
}

static void do_for(DebugSession *session, uint64_t id, const char *command)
{
    if (!select_thread(session, id))
        return;
    g_string_append_printf(session->out, "thread %" G_GUINT64_FORMAT ":\n", id);
    cli_debug_look(session, command);
}

/* Takes a word off the text. Returns "" at its end. The caller frees it with g_free(). */
static char *take_word(const char **text)
{
    gsize length = strcspn(*text, " \t");
    char *word = g_strndup(*text, length);
    *text += length;
    *text += strspn(*text, " \t");
    return word;
}

/* Reads "all" or numbers; the rest of the text is a command. Returns their ids, which the caller frees with
 * g_array_unref(). */
static GArray *take_threads(DebugSession *session, const char **text)
{
    GArray *ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (;;) {
        const char *rest = *text;
        g_autofree char *word = take_word(&rest);
        guint64 id;
        if (!ids->len && strcmp(word, "all") == 0) {
            g_array_unref(ids);
            *text = rest;
            return mon_debug_threads(session->debugger, session->rank);
        }
        if (!g_ascii_string_to_unsigned(word, 10, 0, INT64_MAX, &id, NULL))
            return ids;
        g_array_append_val(ids, id);
        *text = rest;
    }
}

static void apply(DebugSession *session, const char *text)
{
    uint64_t current = mon_debug_thread(session->debugger, session->rank);
    uint32_t frame = session->frame;
    MonLines listed = session->listed;
    g_autoptr(GArray) ids = take_threads(session, &text);
    if (!ids->len || *text == '\0') {
        g_string_append(session->out, "thread apply what? type thread apply all backtrace, or numbers of threads for "
                                      "all\n");
        return;
    }
    for (guint i = 0; i < ids->len && !session->quit; i++)
        do_for(session, g_array_index(ids, uint64_t, i), text);
    g_autoptr(GString) ignored = g_string_new(NULL);
    (void)mon_debug_select_thread(session->debugger, session->rank, current, ignored);
    session->frame = frame;
    session->listed = listed;
}

void cli_debug_do_thread(DebugSession *session, const char *arguments)
{
    const char *rest = arguments;
    g_autofree char *word = take_word(&rest);
    guint64 id = 0;
    if (strcmp(word, "apply") == 0)
        apply(session, rest);
    else if (*word != '\0' && !g_ascii_string_to_unsigned(arguments, 10, 0, INT64_MAX, &id, NULL))
        g_string_append_printf(session->out, "'%s' is no thread: type info threads to see which there are\n",
                               arguments);
    else if (*word == '\0' || select_thread(session, id))
        cli_debug_say_place(session);
}
