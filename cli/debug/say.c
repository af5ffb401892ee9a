/* say.c - what scripts say in a form of their own, and what is shown at each stop: echo, printf, output, call, display.
 */
#include "cli/debug/desk.h"

#include <stdlib.h>
#include <string.h>

void cli_debug_do_echo(DebugSession *session, const char *arguments)
{
    cli_console_unescape(arguments, session->out);
}

void cli_debug_do_output(DebugSession *session, const char *arguments)
{
    g_autofree char *value = cli_debug_value(session, arguments);
    if (value)
        g_string_append(session->out, value);
}

void cli_debug_do_call(DebugSession *session, const char *arguments)
{
    g_autofree char *value = cli_debug_value(session, arguments);
    if (value && strcmp(value, "void") != 0 && strcmp(value, "(void)") != 0)
        g_string_append_printf(session->out, "%s = %s\n", arguments, value);
}

/* -- printf ------------------------------------------------------------------------------------ */

/* Takes the text up to the next comma outside of quotes and brackets. "" at the end. Free it with g_free(). */
static char *take_argument(const char **text)
{
    const char *begin = *text + strspn(*text, " \t,"), *at = begin;
    char quote = '\0';
    for (int open = 0; *at && (quote || open > 0 || *at != ','); at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
        else if (!quote)
            open += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
    }
    *text = at;
    return g_strchomp(g_strndup(begin, (gsize)(at - begin)));
}

/* The text between the quotes of a value such as 0x10000 "abc"; NULL: it has none. Free it with g_free(). */
static char *quoted(const char *value)
{
    const char *begin = strchr(value, '"'), *end = begin ? strrchr(value, '"') : NULL;
    if (!begin || end == begin)
        return NULL;
    g_autofree char *inside = g_strndup(begin + 1, (gsize)(end - begin - 1));
    g_autoptr(GString) plain = g_string_new(NULL);
    cli_console_unescape(inside, plain);
    return g_string_free(g_steal_pointer(&plain), FALSE);
}

/* Appends a value by one conversion of a format, such as "%-5ld": `spec` without its length letters, and the letter. */
static bool convert(DebugSession *session, const char *spec, char letter, const char *value)
{
    g_autofree char *format = NULL;
    if (letter == 's') {
        g_autofree char *text = quoted(value);
        format = g_strdup_printf("%ss", spec);
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"");
        g_string_append_printf(session->out, format, text ? text : value);
        _Pragma("GCC diagnostic pop");
        return true;
    }
    char *end;
    double real = g_ascii_strtod(value, &end);
    if (end == value) {
        cli_debug_fail(session, "printf: %s is no number", value);
        return false;
    }
    gint64 whole = g_str_has_prefix(value, "0x") || strcspn(value, ".eEn ") == strcspn(value, " ")
                       ? (*value == '-' ? g_ascii_strtoll(value, NULL, 0) : (gint64)g_ascii_strtoull(value, NULL, 0))
                       : (gint64)CLAMP(real, -9.2e18, 9.2e18);
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"");
    if (strchr("eEfFgGaA", letter)) {
        format = g_strdup_printf("%s%c", spec, letter);
        g_string_append_printf(session->out, format, real);
    } else if (letter == 'c') {
        format = g_strdup_printf("%sc", spec);
        g_string_append_printf(session->out, format, (int)(unsigned char)whole);
    } else {
        format =
            g_strdup_printf("%s%s%c", letter == 'p' ? "%#" : spec, G_GINT64_MODIFIER, letter == 'p' ? 'x' : letter);
        g_string_append_printf(session->out, format, whole);
    }
    _Pragma("GCC diagnostic pop");
    return true;
}

enum { WIDEST = 4 }; /* digits of a width: more than that is no format but a mistake */

/* Converts at the '%' of a format. Returns what follows it, NULL if that failed. */
static const char *conversion(DebugSession *session, const char *format, const char **arguments)
{
    size_t flags = strspn(format + 1, "-+ #0"), width = strspn(format + 1 + flags, "0123456789");
    const char *at = format + 1 + flags + width;
    size_t precision = *at == '.' ? 1 + strspn(at + 1, "0123456789") : 0;
    at += precision;
    g_autofree char *spec = g_strndup(format, (gsize)(at - format));
    at += strspn(at, "hlLqjzt");
    if (*at == '\0' || !strchr("diuoxXcseEfFgGaAp", *at) || width > WIDEST || precision > WIDEST + 1 || flags > 5) {
        cli_debug_fail(session, "printf does not know '%s'", format);
        return NULL;
    }
    g_autofree char *argument = take_argument(arguments);
    if (*argument == '\0') {
        cli_debug_fail(session, "printf: there is no value for '%s'", format);
        return NULL;
    }
    g_autofree char *value = cli_debug_value(session, argument);
    return value && convert(session, spec, *at, value) ? at + 1 : NULL;
}

static void say_formatted(DebugSession *session, const char *format, const char *arguments)
{
    while (format && *format) {
        if (format[0] == '%' && format[1] == '%')
            g_string_append_c(session->out, '%'), format += 2;
        else if (format[0] == '%')
            format = conversion(session, format, &arguments);
        else
            g_string_append_c(session->out, *format++);
    }
    if (format && arguments[strspn(arguments, " \t,")])
        cli_debug_fail(session, "printf: the format has no place for%s", arguments + strspn(arguments, ","));
}

void cli_debug_do_printf(DebugSession *session, const char *arguments)
{
    const char *rest = arguments;
    g_autofree char *literal = take_argument(&rest);
    size_t length = strlen(literal);
    if (length < 2 || literal[0] != '"' || literal[length - 1] != '"') {
        cli_debug_fail(session, "printf wants its format in quotes: printf \"%%d\\n\", rank");
        return;
    }
    literal[length - 1] = '\0';
    g_autoptr(GString) format = g_string_new(NULL);
    cli_console_unescape(literal + 1, format);
    say_formatted(session, format->str, rest);
}

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
