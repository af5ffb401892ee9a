/* names.c - finds commands by name, abbreviation and further names. */
#include "base/nearest.h"
#include "cli/console/console.h"

#include <string.h>

static char plain(char c)
{
    return c == '_' ? '-' : c;
}

bool cli_console_begins(const char *name, const char *word)
{
    while (*word && plain(*word) == plain(*name))
        word++, name++;
    return *word == '\0';
}

static bool is(const char *name, const char *word)
{
    return cli_console_begins(name, word) && strlen(name) == strlen(word);
}

static bool has_alias(const char *aliases, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = aliases; at && *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == length && strncmp(at, word, n) == 0)
            return true;
        at += n;
    }
    return false;
}

static void say_several(const ConsoleName *names, size_t n, const char *word, GString *why)
{
    const char *between = " ";
    g_string_append_printf(why, "'%s' could be:", word);
    for (size_t i = 0; i < n; i++) {
        if (!cli_console_begins(names[i].name, word))
            continue;
        g_string_append_printf(why, "%s%s", between, names[i].name);
        between = ", ";
    }
}

static void say_unknown(const ConsoleName *names, size_t n, const char *word, const char *what, GString *why)
{
    BaseNearest nearest = base_nearest_of(word);
    for (size_t i = 0; i < n; i++)
        base_nearest_try(&nearest, names[i].name);
    g_string_append_printf(why, "no %s '%s'; ", what, word);
    if (nearest.best)
        g_string_append_printf(why, "did you mean %s?", nearest.best);
    else
        g_string_append(why, "type help");
}

ConsoleFound cli_console_find(const ConsoleName *names, size_t n, const char *word, const char *what, size_t *index,
                              GString *why)
{
    size_t fit = 0;
    for (size_t i = 0; i < n; i++)
        if (is(names[i].name, word)) {
            *index = i;
            return CONSOLE_FOUND;
        }
    for (size_t i = 0; i < n; i++)
        if (has_alias(names[i].aliases, word)) {
            *index = i;
            return CONSOLE_FOUND;
        }
    for (size_t i = n; *word && i > 0; i--)
        if (cli_console_begins(names[i - 1].name, word)) {
            *index = i - 1;
            fit++;
        }
    if (fit == 1)
        return CONSOLE_FOUND;
    if (fit > 1)
        say_several(names, n, word, why);
    else
        say_unknown(names, n, word, what, why);
    return fit > 1 ? CONSOLE_SEVERAL : CONSOLE_UNKNOWN;
}
