/* words.c - names, numbers, strings, comments and signs of a C text, without understanding it. */
#include "lsp/core/core.h"

#include <string.h>

const char *const lsp_words_keywords[] = {
    "auto",          "break",  "case",     "char",     "const",     "continue",
    "default",       "do",     "double",   "else",     "enum",      "extern",
    "float",         "for",    "goto",     "if",       "inline",    "int",
    "long",          "return", "short",    "register", "restrict",  "signed",
    "sizeof",        "static", "struct",   "switch",   "typedef",   "union",
    "unsigned",      "void",   "volatile", "while",    "_Alignas",  "_Alignof",
    "_Atomic",       "_Bool",  "_Complex", "_Generic", "_Noreturn", "_Static_assert",
    "_Thread_local", NULL};

bool lsp_words_is_keyword(const char *text, size_t size)
{
    for (const char *const *word = lsp_words_keywords; *word; word++)
        if (strlen(*word) == size && memcmp(*word, text, size) == 0)
            return true;
    return false;
}

static bool is_letter(char c)
{
    return g_ascii_isalpha(c) || c == '_' || (c & 0x80);
}

bool lsp_words_is_name(const char *text)
{
    if (!is_letter(*text))
        return false;
    for (const char *at = text; *at; at++)
        if (!is_letter(*at) && !g_ascii_isdigit(*at))
            return false;
    return !lsp_words_is_keyword(text, strlen(text));
}

static const char *skip_comment(const char *at, const char *end)
{
    if (at[1] == '/') {
        while (at < end && *at != '\n')
            at += *at == '\\' && at + 1 < end ? 2 : 1;
        return MIN(at, end);
    }
    for (at += 2; at < end; at++)
        if (*at == '*' && at + 1 < end && at[1] == '/')
            return at + 2;
    return end;
}

static const char *skip_literal(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end && *at == quote ? at + 1 : MIN(at, end);
}

/* Returns the end of the word at `at`, and its kind. */
static const char *skip_word(const char *at, const char *end, LspWordKind *kind)
{
    *kind = LSP_SIGN;
    if (*at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '*')) {
        *kind = LSP_COMMENT;
        return skip_comment(at, end);
    }
    if (*at == '"' || *at == '\'') {
        *kind = LSP_STRING;
        return skip_literal(at, end);
    }
    bool number = g_ascii_isdigit(*at) || (*at == '.' && at + 1 < end && g_ascii_isdigit(at[1]));
    if (!number && !is_letter(*at))
        return at + 1;
    *kind = number ? LSP_NUMBER : LSP_NAME;
    for (at++; at < end && (is_letter(*at) || g_ascii_isdigit(*at) || (number && *at == '.')); at++)
        continue;
    return at;
}

GArray *lsp_words(const char *text, size_t size)
{
    GArray *words = g_array_new(FALSE, FALSE, sizeof(LspWord));
    const char *end = text + size;
    bool directive = false, fresh = true; /* fresh: only blanks since the line began */
    for (const char *at = text; at < end;) {
        if (*at == '\n')
            fresh = true, directive = false;
        if (*at == '\\' && at + 1 < end && at[1] == '\n')
            at++;
        if (g_ascii_isspace(*at) || *at == '\\' || *at == '\0') {
            at++;
            continue;
        }
        LspWord word = {.from = (size_t)(at - text)};
        if (*at == '#' && fresh)
            directive = true;
        bool begins = *at == '#' && fresh;
        at = skip_word(at, end, &word.kind);
        word.to = (size_t)(at - text);
        word.in_directive = directive;
        if (begins)
            word.kind = LSP_DIRECTIVE;
        fresh = fresh && word.kind == LSP_COMMENT;
        g_array_append_val(words, word);
    }
    return words;
}
