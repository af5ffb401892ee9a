/* breakpoints.c - debugger commands for breakpoints and watchpoints. */
#include "cli/base/base.h"
#include "cli/debug/debug.h"

#include <string.h>

/* Takes " WORD REST" off the end of the text. Returns REST, or NULL. The caller frees it with g_free(). */
static char *take_clause(char *text, const char *word)
{
    g_autofree char *inside = g_strdup_printf(" %s ", word);
    char *at = g_str_has_prefix(text, inside + 1) ? text : strstr(text, inside);
    if (!at)
        return NULL;
    char *rest = g_strstrip(g_strdup(at + strlen(inside) - (at == text && *text != ' ')));
    *at = '\0';
    g_strchomp(text);
    return rest;
}

/* Sets a breakpoint that is described by `wanted`, and by what is behind the place: ranks SET, if CONDITION. Returns
 * its number, or 0 with an error. */
static unsigned try_to_set(DebugSession *session, const char *arguments, MonBreakpoint *wanted, GError **error)
{
    g_autofree char *where = g_strdup(arguments);
    g_autofree char *condition = take_clause(where, "if");
    g_autofree char *ranks = wanted->watch ? NULL : take_clause(where, "ranks");
    g_autoptr(GArray) set = ranks ? cli_debug_read_ranks(session, ranks, error) : NULL;
    if (ranks && !set)
        return 0;
    wanted->where = where;
    wanted->condition = condition;
    wanted->watch_rank = session->rank;
    if (set)
        wanted->ranks = set;
    unsigned number = mon_session_break(session->core, wanted, session->frame, error);
    wanted->ranks = set ? NULL : wanted->ranks;
    return number;
}

static void say_set(DebugSession *session, const MonBreakpoint *wanted, unsigned number, const GError *error)
{
    const MonBreakpoint *point = number ? mon_session_breakpoint(session->core, number) : NULL;
    if (!point) {
        g_string_append_printf(session->out, "%s\n", error->message);
        return;
    }
    g_string_append_printf(session->out, "%s %u at %s", wanted->watch ? "watchpoint" : "breakpoint", number,
                           point->described);
    if (point->ranks && !point->watch) {
        g_string_append(session->out, ", ranks ");
        cli_debug_append_ranks(point->ranks, session->out);
    }
    g_string_append_c(session->out, '\n');
}

/* -- what is no place -------------------------------------------------------------------------- */

static const struct {
    const char *word, *kind, *before;
} words[] = {/* other words for some of kinds.def */
             {"at", "time", ""},
             {"signal", "fault", ""},
             {"segfault", "fault", "SIGSEGV"},
             {"abort", "fault", "SIGABRT"},
             {"exit", "end", ""},
             {"mpi-error", "error", ""}};

/* Finds the kind that a word means. *before: what it stands for besides. Returns MON_POINT_PLACE if it is none. */
static MonPointKind kind_of(const char *word, const char **before)
{
    *before = "";
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i].word, word) == 0) {
            *before = words[i].before;
            word = words[i].kind;
        }
    for (MonPointKind kind = MON_POINT_MESSAGE; mon_point_kind(kind); kind++)
        if (strcmp(mon_point_kind(kind)->word, word) == 0)
            return kind;
    return MON_POINT_PLACE;
}

/* Puts numbers for the sets of ranks behind `from` and `to`, which only the user's side knows by name. Returns NULL
 * with an error. */
static char *resolve_ranks(DebugSession *session, const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, " ", -1);
    for (char **part = parts; *part && part[1] && strcmp(*part, "if") != 0; part++) {
        if (strcmp(*part, "from") != 0 && strcmp(*part, "to") != 0)
            continue;
        char *numbers = cli_debug_spell_ranks(session, part[1], error);
        if (!numbers)
            return NULL;
        g_free(part[1]);
        part[1] = numbers;
    }
    return g_strjoinv(" ", parts);
}

/* "end 3" is "end ranks 3". */
static char *complete(DebugSession *session, MonPointKind kind, const char *before, const char *rest, GError **error)
{
    bool of_ranks = kind == MON_POINT_START || kind == MON_POINT_END;
    if (of_ranks && *rest && !g_str_has_prefix(rest, "ranks ") && !g_str_has_prefix(rest, "if "))
        return g_strdup_printf("ranks %s", rest);
    if (kind == MON_POINT_MESSAGE)
        return resolve_ranks(session, rest, error);
    return g_strdup_printf("%s%s%s", before, *before && *rest ? " " : "", rest);
}

/* Sets a breakpoint of another kind than a place, if the text names one. Returns whether it does. */
static bool catch_it(DebugSession *session, const char *arguments, MonBreakpoint *wanted)
{
    const char *before;
    g_autoptr(GError) error = NULL;
    size_t length = strcspn(arguments, " \t");
    g_autofree char *word = g_strndup(arguments, length);
    wanted->kind = kind_of(word, &before);
    if (wanted->kind == MON_POINT_PLACE)
        return false;
    const char *rest = arguments + length + strspn(arguments + length, " \t");
    g_autofree char *text = complete(session, wanted->kind, before, rest, &error);
    unsigned number = text ? try_to_set(session, text, wanted, &error) : 0;
    say_set(session, wanted, number, error);
    return true;
}

/* A function may have the name of a kind: then a word alone means the function. */
static void set(DebugSession *session, const char *arguments, MonBreakpoint *wanted)
{
    g_autoptr(GError) error = NULL;
    unsigned number = 0;
    if (strpbrk(arguments, " \t") && catch_it(session, arguments, wanted))
        return;
    wanted->kind = MON_POINT_PLACE;
    if (g_str_has_prefix(arguments, "if ")) /* gdb means the present line */
        g_string_append(session->out, "where?\n");
    else if ((number = try_to_set(session, arguments, wanted, &error)) || !catch_it(session, arguments, wanted))
        say_set(session, wanted, number, error);
}

void cli_debug_do_break(DebugSession *session, const char *arguments)
{
    set(session, arguments, &(MonBreakpoint){0});
}

void cli_debug_do_tbreak(DebugSession *session, const char *arguments)
{
    set(session, arguments, &(MonBreakpoint){.temporary = true});
}

void cli_debug_do_catch(DebugSession *session, const char *arguments)
{
    if (catch_it(session, arguments, &(MonBreakpoint){0}))
        return;
    g_string_append(session->out, "catch what? one of\n");
    for (MonPointKind kind = MON_POINT_MESSAGE; mon_point_kind(kind); kind++)
        g_string_append_printf(session->out, "  %-9s %s: %s\n", mon_point_kind(kind)->word, mon_point_kind(kind)->form,
                               mon_point_kind(kind)->meaning);
}

/* -- log points -------------------------------------------------------------------------------- */

/* Appends the text of printf's format and its arguments as the text of a log point: %d of x is {/d x}. */
static void append_message(const char *format, char **arguments, GString *out)
{
    for (const char *at = format; *at; at++) {
        if (*at == '\\' && at[1]) {
            at++;
            if (*at != 'n') /* each text is a line */
                g_string_append_c(out, *at == 't' ? '\t' : *at);
        } else if (*at != '%' || at[1] == '%') {
            g_string_append_c(out, *at);
            at += *at == '%';
        } else {
            at += 1 + strspn(at + 1, "-+ #0123456789.hlzjt");
            const char *letter = *at && strchr("xoc", *at) ? at : NULL;
            if (*arguments && letter)
                g_string_append_printf(out, "{/%c %s}", *letter, g_strstrip(*arguments++));
            else if (*arguments)
                g_string_append_printf(out, "{%s}", g_strstrip(*arguments++));
            at -= *at == '\0';
        }
    }
}

/* Takes ,"format",a,b or ,text with {EXPRESSION}s off the text. Returns the text of the log point, or NULL. */
static char *take_message(char *text)
{
    char *comma = strchr(text, ',');
    if (!comma)
        return NULL;
    *comma = '\0';
    char *at = g_strchug(comma + 1), *end = at + 1;
    if (*at != '"')
        return g_strdup(at);
    while (*end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *format = g_strndup(at + 1, (gsize)(end - at - 1));
    g_auto(GStrv) arguments = g_strsplit(*end && end[1] ? end + 1 + strspn(end + 1, " ,") : "", ",", -1);
    append_message(format, arguments, out);
    return g_string_free(g_steal_pointer(&out), FALSE);
}

void cli_debug_do_dprintf(DebugSession *session, const char *arguments)
{
    g_autofree char *where = g_strdup(arguments);
    g_autofree char *message = take_message(where);
    g_strchomp(where);
    set(session, where, &(MonBreakpoint){.log = true, .message = message});
}

/* -- watchpoints ------------------------------------------------------------------------------- */

static void watch(DebugSession *session, const char *arguments, MonBreakpoint *wanted)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) ranks = NULL;
    wanted->watch = true;
    if (*arguments == '@') {
        g_autofree char *set = g_strndup(arguments + 1, strcspn(arguments, " \t") - 1);
        arguments += strcspn(arguments, " \t");
        arguments += strspn(arguments, " \t");
        ranks = cli_debug_read_ranks(session, set, &error);
    }
    if (!error && *arguments == '\0')
        g_set_error_literal(&error, CLI_ERROR, CLI_ERROR_USAGE, "watch what?");
    wanted->ranks = ranks;
    unsigned number = error ? 0 : try_to_set(session, arguments, wanted, &error);
    say_set(session, wanted, number, error);
}

void cli_debug_do_watch(DebugSession *session, const char *arguments)
{
    watch(session, arguments, &(MonBreakpoint){0});
}

void cli_debug_do_rwatch(DebugSession *session, const char *arguments)
{
    watch(session, arguments, &(MonBreakpoint){.reads = true});
}

void cli_debug_do_awatch(DebugSession *session, const char *arguments)
{
    watch(session, arguments, &(MonBreakpoint){.reads = true, .writes = true});
}

/* -- changing them ----------------------------------------------------------------------------- */

/* Finds the breakpoint whose number the text begins with. *rest: what follows it. Says so if there is none. */
static MonBreakpoint *find(DebugSession *session, const char *text, const char **rest)
{
    char *end;
    guint64 number = g_ascii_strtoull(text, &end, 10);
    MonBreakpoint *point =
        end > text && number <= UINT32_MAX ? mon_session_breakpoint(session->core, (unsigned)number) : NULL;
    *rest = end + strspn(end, " \t");
    if (!point || (*end && *rest == end)) {
        g_string_append_printf(session->out, "there is no breakpoint '%s': type info breakpoints\n", text);
        return NULL;
    }
    return point;
}

void cli_debug_do_delete(DebugSession *session, const char *arguments)
{
    const char *rest;
    const MonBreakpoint *point = find(session, arguments, &rest);
    if (!point)
        return;
    unsigned number = point->number;
    mon_session_break_remove(session->core, number);
    cli_debug_forget_script(session, number);
    g_string_append_printf(session->out, "breakpoint %u is gone\n", number);
}

static void enable(DebugSession *session, const char *arguments, bool enabled)
{
    const char *rest;
    MonBreakpoint *point = find(session, arguments, &rest);
    if (point)
        point->disabled = !enabled;
}

void cli_debug_do_disable(DebugSession *session, const char *arguments)
{
    enable(session, arguments, false);
}

void cli_debug_do_enable(DebugSession *session, const char *arguments)
{
    enable(session, arguments, true);
}

void cli_debug_do_condition(DebugSession *session, const char *arguments)
{
    const char *rest;
    MonBreakpoint *point = find(session, arguments, &rest);
    if (!point)
        return;
    g_autoptr(GError) error = NULL;
    if (!mon_session_condition(session->core, point->number, *rest ? rest : NULL, &error))
        g_string_append_printf(session->out, "%s\n", error->message);
}

void cli_debug_do_ignore(DebugSession *session, const char *arguments)
{
    const char *rest;
    guint64 count = 0;
    MonBreakpoint *point = find(session, arguments, &rest);
    if (point && g_ascii_string_to_unsigned(rest, 10, 0, INT32_MAX, &count, NULL))
        point->ignore = count;
    else if (point)
        g_string_append_printf(session->out, "'%s' is no number of times\n", rest);
}

static void list_breakpoint(DebugSession *session, const MonBreakpoint *point)
{
    /* "(name)" repeats what stands before it */
    g_autofree char *where = g_strdup(point->described);
    g_autofree char *name = g_strdup_printf(" (%s)", point->where);
    bool place = point->kind == MON_POINT_PLACE;
    if (g_str_has_suffix(where, name))
        where[strlen(where) - strlen(name)] = '\0';
    g_string_append_printf(session->out, "%u  %s%s%s", point->number, place ? point->where : "", place ? "  at " : "",
                           where);
    if (point->ranks && !point->watch) {
        g_string_append(session->out, ", ranks ");
        cli_debug_append_ranks(point->ranks, session->out);
    }
    if (point->condition)
        g_string_append_printf(session->out, ", if %s", point->condition);
    if (point->ignore)
        g_string_append_printf(session->out, ", passed %" G_GUINT64_FORMAT " more times", point->ignore);
    if (point->temporary)
        g_string_append(session->out, ", once");
    if (point->log)
        g_string_append(session->out, ", only told");
    if (point->disabled)
        g_string_append(session->out, ", disabled");
    g_string_append_printf(session->out, ", reached %" G_GUINT64_FORMAT " time%s\n", point->hits,
                           point->hits == 1 ? "" : "s");
    cli_debug_list_script(session, point->number);
}

void cli_debug_list_breakpoints(DebugSession *session)
{
    const GPtrArray *points = mon_session_breakpoints(session->core);
    for (guint i = 0; i < points->len; i++)
        list_breakpoint(session, g_ptr_array_index(points, i));
    if (points->len == 0)
        g_string_append(session->out, "no breakpoints\n");
}
