/* threads.c - the debugger command that selects a thread of the rank, or does something for several. */
#include "cli/debug/desk.h"

#include <string.h>

static bool select_thread(DebugSession *session, uint64_t id)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) ignored = g_string_new(NULL);
    MonPlace place = {.rank = session->rank, .thread = id};
    if (id == 0) {
        g_string_append_printf(session->out, "rank %u has no thread 0: type info threads\n", session->rank);
        return false;
    }
    if (!mon_session_ask(session->core, MON_QUERY_THREAD, &place, NULL, ignored, &error)) {
        cli_debug_fail(session, "%s", error->message);
        return false;
    }
    cli_debug_look_at_program(session);
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

static GArray *all_threads(DebugSession *session)
{
    GArray *ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    g_autoptr(GString) list = g_string_new(NULL);
    (void)cli_debug_ask(session, MON_QUERY_LIVING_THREADS, NULL, list, NULL);
    g_auto(GStrv) words = g_strsplit(list->str, " ", -1);
    for (char **word = words; *word && **word; word++) {
        uint64_t id = g_ascii_strtoull(*word, NULL, 10);
        g_array_append_val(ids, id);
    }
    return ids;
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
            return all_threads(session);
        }
        if (!g_ascii_string_to_unsigned(word, 10, 0, INT64_MAX, &id, NULL))
            return ids;
        g_array_append_val(ids, id);
        *text = rest;
    }
}

static void apply(DebugSession *session, const char *text)
{
    g_autoptr(GString) current = g_string_new(NULL);
    uint32_t frame = session->frame, listed_last = session->listed_last;
    (void)cli_debug_ask(session, MON_QUERY_THREAD, NULL, current, NULL);
    g_autoptr(GArray) ids = take_threads(session, &text);
    if (!ids->len || *text == '\0') {
        g_string_append(session->out, "thread apply what? type thread apply all backtrace, or numbers of threads for "
                                      "all\n");
        return;
    }
    for (guint i = 0; i < ids->len && !session->quit; i++)
        do_for(session, g_array_index(ids, uint64_t, i), text);
    (void)select_thread(session, g_ascii_strtoull(current->str, NULL, 10));
    session->frame = frame;
    session->listed_last = listed_last;
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
