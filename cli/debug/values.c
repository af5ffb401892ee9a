/* values.c - values with names, $x: kept as text that is a C expression, so that they mean the same in each place. */
#include "cli/debug/desk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool belongs_to_name(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* Appends the value of the name that the text begins with, behind "$". Returns what follows it, NULL if it has none. */
static const char *append_value(DebugSession *session, const char *text, GString *out)
{
    size_t length = 0;
    while (belongs_to_name(text[length]))
        length++;
    g_autofree char *name = g_strndup(text, length);
    const char *value = g_tree_lookup(session->desk->values, name);
    if (!value) {
        cli_debug_fail(session, "$%s has no value: 'set $%s = EXPRESSION' gives it one", name, length ? name : "x");
        return NULL;
    }
    g_string_append(out, value);
    return text + length;
}

char *cli_debug_with_values(DebugSession *session, const char *text)
{
    g_autoptr(GString) out = g_string_new(NULL);
    char quote = '\0';
    while (text && *text) {
        if (*text == '\\' && text[1]) {
            g_string_append_len(out, text, 2);
            text += 2;
            continue;
        }
        if (quote ? *text == quote : *text == '"' || *text == '\'')
            quote = quote ? '\0' : *text;
        if (*text == '$' && !quote)
            text = append_value(session, text + 1, out);
        else
            g_string_append_c(out, *text++);
    }
    return text ? g_string_free(g_steal_pointer(&out), FALSE) : NULL;
}

void cli_debug_keep_number(DebugDesk *desk, const char *name, int64_t value)
{
    g_tree_replace(desk->values, g_strdup(name), g_strdup_printf("%" G_GINT64_FORMAT, value));
}

/* Whether the program has a place where expressions mean something. */
static bool can_ask(DebugSession *session)
{
    return session->started && cli_debug_frames(session, NULL) > 0;
}

char *cli_debug_value(DebugSession *session, const char *expression)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) answer = g_string_new(NULL);
    gint64 number;
    if (cli_console_arithmetic(expression, &number) && number >= INT32_MIN && number <= INT32_MAX)
        return g_strdup_printf("%" G_GINT64_FORMAT, number); /* nobody has to be asked */
    if (!can_ask(session)) {
        cli_debug_fail(session, "%s",
                       session->started ? "the program has ended: whole numbers can be computed, and nothing else"
                                        : "the program is not running yet: type run");
        return NULL;
    }
    if (!cli_debug_ask(session, MON_QUERY_PRINT, expression, answer, &error)) {
        cli_debug_fail(session, "%s", error->message);
        return NULL;
    }
    MonFormat format;
    const char *text = expression;
    (void)mon_expression_format(&text, &format, NULL);
    size_t before = strlen(text) + strlen(" = ");
    return g_strdup(answer->str + MIN(before, answer->len));
}

/* A number as a literal of its type; a pointer with a cast. NULL: neither. */
static char *as_expression(const char *value, const char *type)
{
    char *end;
    double real = g_ascii_strtod(value, &end);
    bool number = end > value && (*end == '\0' || *end == ' ');
    size_t length = (size_t)(end - value);
    if (!number && !g_str_has_prefix(value, "0x"))
        return NULL;
    if (g_str_has_suffix(type, "*") || g_str_has_prefix(value, "0x"))
        return g_strdup_printf("((%s)%.*s)", strchr(type, '(') ? "void *" : type, (int)strcspn(value, " "), value);
    if (isnan(real) || isinf(real))
        return g_strdup(isnan(real) ? "(0.0/0.0)" : real < 0 ? "(-1.0/0.0)" : "(1.0/0.0)");
    if (strcmp(type, "int") == 0)
        return g_strdup_printf(*value == '-' ? "(%.*s)" : "%.*s", (int)length, value);
    return g_strdup_printf("((%s)%.*s)", type, (int)length, value);
}

/* Of an expression that has a value. "" if it cannot be told. */
static char *type_of(DebugSession *session, const char *expression)
{
    g_autoptr(GString) type = g_string_new(NULL);
    gint64 number;
    if (cli_console_arithmetic(expression, &number) && number >= INT32_MIN && number <= INT32_MAX)
        return g_strdup("int");
    (void)cli_debug_ask(session, MON_QUERY_WHATIS, expression, type, NULL);
    return g_string_free(g_steal_pointer(&type), FALSE);
}

bool cli_debug_keep(DebugSession *session, const char *name, const char *expression)
{
    g_autofree char *value = cli_debug_value(session, expression);
    if (!value)
        return false;
    g_autofree char *type = type_of(session, expression);
    char *kept = as_expression(value, type);
    if (!kept) {
        cli_debug_fail(session, "%s is of type %s: only numbers and pointers can be kept as $%s", expression, type,
                       name);
        return false;
    }
    g_tree_replace(session->desk->values, g_strdup(name), kept);
    return true;
}

static gboolean show(gpointer name, gpointer value, gpointer user)
{
    g_string_append_printf(user, "$%s = %s\n", (const char *)name, (const char *)value);
    return FALSE;
}

void cli_debug_show_values(DebugSession *session)
{
    if (g_tree_nnodes(session->desk->values) == 0)
        g_string_append(session->out, "no value has a name: 'set $x = EXPRESSION' gives one\n");
    g_tree_foreach(session->desk->values, show, session->out);
}
