/* response.c - @FILE on the command line is replaced by the words in that file.
 *
 * Words are separated by white space. Quotes of both kinds hold a word together, and a backslash takes the next
 * character as it is. A file may name further ones. If a file cannot be read, @FILE stays, and then counts as an input
 * that does not exist.
 */
#include "cli/base/base.h"
#include "cli/driver/driver.h"

#include <string.h>

enum { MOST_WORDS = 1 << 20, DEEPEST = 100 };

/* Returns the word that begins at *text, and moves *text to its end. */
static char *next_word(const char **text)
{
    GString *word = g_string_new(NULL);
    char quote = 0;
    const char *c = *text;
    for (; *c && (quote || !g_ascii_isspace(*c)); c++) {
        if (*c == '\\' && c[1])
            g_string_append_c(word, *++c);
        else if (quote ? *c == quote : *c == '"' || *c == '\'')
            quote = quote ? 0 : *c;
        else
            g_string_append_c(word, *c);
    }
    *text = c;
    return g_string_free(word, FALSE);
}

static bool add_word(GPtrArray *words, const char *word, unsigned depth, GError **error)
{
    g_autofree char *text = NULL;
    gsize size;
    bool file = word[0] == '@' && word[1] && g_file_test(word + 1, G_FILE_TEST_IS_REGULAR) &&
                g_file_get_contents(word + 1, &text, &size, NULL);
    if (!file) {
        g_ptr_array_add(words, g_strdup(word));
        return true;
    }
    if (depth >= DEEPEST || words->len > MOST_WORDS)
        return cli_error_usage(error, "%s: files of options name each other without end", word);
    const char *at = text;
    for (;;) {
        while (g_ascii_isspace(*at))
            at++;
        if (!*at)
            return true;
        g_autofree char *inner = next_word(&at);
        if (!add_word(words, inner, depth + 1, error))
            return false;
    }
}

GPtrArray *cli_driver_expand(int argc, char **argv, GError **error)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    for (int i = 1; i < argc; i++) {
        if (!add_word(words, argv[i], 0, error)) {
            g_ptr_array_unref(words);
            return NULL;
        }
    }
    return words;
}
