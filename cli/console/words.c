/* words.c - words, quotes and escapes of a command line. */
#include "cli/console/console.h"

#include <string.h>

char *cli_console_take_word(const char **text)
{
    const char *begin = *text + strspn(*text, " \t");
    gsize length = strcspn(begin, " \t");
    *text = begin + length + strspn(begin + length, " \t");
    return g_strndup(begin, length);
}

/* Returns what follows a word. */
static const char *skip_word(const char *at)
{
    char quote = '\0';
    for (; *at && (quote || (*at != ' ' && *at != '\t')); at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
    }
    return at;
}

char **cli_console_split(const char *text)
{
    GPtrArray *words = g_ptr_array_new();
    for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t")) {
        const char *end = skip_word(at);
        g_ptr_array_add(words, g_strndup(at, (gsize)(end - at)));
        at = end;
    }
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

/* Takes up to three octal digits. */
static char octal(const char **at)
{
    unsigned value = 0;
    for (int i = 0; i < 3 && **at >= '0' && **at <= '7'; i++)
        value = value * 8 + (unsigned)(*(*at)++ - '0');
    return (char)value;
}

void cli_console_unescape(const char *text, GString *out)
{
    static const char letters[] = "ntaefrbv", meanings[] = "\n\t\a\033\f\r\b\v";
    while (*text) {
        if (*text != '\\') {
            g_string_append_c(out, *text++);
            continue;
        }
        text++;
        const char *letter = *text ? strchr(letters, *text) : NULL;
        if (*text >= '0' && *text <= '7')
            g_string_append_c(out, octal(&text));
        else if (*text)
            g_string_append_c(out, letter ? meanings[letter - letters] : *text), text++;
    }
}
