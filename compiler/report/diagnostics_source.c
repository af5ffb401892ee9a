/* diagnostics_source.c - maps places of the preprocessed text to places of the user's file.
 *
 * The preprocessor replaces macros and comments, so columns change. The marked word or sign is therefore searched again
 * in the user's line. If it came out of a macro, the user's line does not contain it. Then the macro's name is marked:
 * a word that the user's line has and the preprocessed line has not.
 */
#include "compiler/compiler.h"
#include "compiler/report/diagnostics.h"

#include <string.h>

typedef struct CcSource {
    char *text; /* the whole file; NULL: it cannot be read */
    gsize size;
    CcCursor cursor;
} CcSource;

CcLine cc_source_nth_line(const char *text, size_t size, unsigned number, CcCursor *cursor)
{
    /* The text behind the last marker may have become shorter since: a new marker ends it before the cursor. */
    if (cursor->line == 0 || cursor->line / 2 > number || cursor->offset > size)
        *cursor = (CcCursor){0, 1};
    const char *at = text + cursor->offset, *end = text + size;
    unsigned line = cursor->line;
    for (; line > number; line--) { /* at most half of the way to the start */
        const char *newline = at - text > 1 ? memrchr(text, '\n', (size_t)(at - text) - 1) : NULL;
        at = newline ? newline + 1 : text;
    }
    for (; line < number && at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    if (line == number)
        *cursor = (CcCursor){(size_t)(at - text), line};
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((stop ? stop : end) - at);
    if (length && at[length - 1] == '\r')
        length--;
    return (CcLine){at, length};
}

static void source_free(gpointer data)
{
    CcSource *source = data;
    g_free(source->text);
    g_free(source);
}

GHashTable *cc_sources_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, source_free);
}

static CcSource *source_of(CcDiagnostics *diagnostics, const char *path)
{
    CcSource *source = g_hash_table_lookup(diagnostics->sources, path);
    if (source)
        return source;
    source = g_new0(CcSource, 1);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR) && !g_file_get_contents(path, &source->text, &source->size, NULL))
        source->text = NULL;
    g_hash_table_insert(diagnostics->sources, g_strdup(path), source);
    return source;
}

void cc_diagnostics_source(CcDiagnostics *diagnostics, const char *path, const char *text, size_t size)
{
    CcSource *source = g_new0(CcSource, 1);
    source->text = g_strndup(text, size);
    source->size = size;
    g_hash_table_insert(diagnostics->sources, g_strdup(path), source);
}

CcLine cc_source_line(CcDiagnostics *diagnostics, const char *path, unsigned number)
{
    CcSource *source = source_of(diagnostics, path);
    return source->text ? cc_source_nth_line(source->text, source->size, number, &source->cursor) : (CcLine){NULL, 0};
}

const char *cc_source_text(CcDiagnostics *diagnostics, const char *path, size_t *size)
{
    CcSource *source = source_of(diagnostics, path);
    *size = source->size;
    return source->text;
}

/* -- columns ----------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static bool word_at(CcLine line, size_t at, const char *word, size_t length)
{
    if (at + length > line.size || memcmp(line.text + at, word, length) != 0)
        return false;
    if (!is_word(word[0]))
        return true;
    return (at == 0 || !is_word(line.text[at - 1])) && (at + length >= line.size || !is_word(line.text[at + length]));
}

/* Counts how often the word occurs in the line before `limit`. If `wanted` is given, returns instead the offset of
 * occurrence number *wanted (from 0), or SIZE_MAX. */
static size_t count_word(CcLine line, const char *word, size_t length, size_t limit, const size_t *wanted)
{
    size_t n = 0;
    for (size_t i = 0; i + length <= line.size && i < limit; i++) {
        const char *next = memchr(line.text + i, word[0], line.size - i);
        if (!next)
            break;
        i = (size_t)(next - line.text);
        if (i >= limit || !word_at(line, i, word, length))
            continue;
        if (wanted && n == *wanted)
            return i;
        n++;
    }
    return wanted ? SIZE_MAX : n;
}

static size_t word_length(CcLine line, size_t at)
{
    size_t length = 1;
    if (is_word(line.text[at]))
        while (at + length < line.size && is_word(line.text[at + length]))
            length++;
    return length;
}

/* Finds the word or sign at offset `at` of the preprocessed line in the user's line. Returns false if it is not there.
 * Prefers the same offset, then the occurrence with the same number. */
static bool find_text(CcLine user, CcLine seen, size_t at, size_t *found)
{
    size_t length = word_length(seen, at);
    *found = at;
    if (word_at(user, at, seen.text + at, length))
        return true;
    size_t number = count_word(seen, seen.text + at, length, at, NULL);
    *found = count_word(user, seen.text + at, length, user.size, &number);
    return *found != SIZE_MAX;
}

/* Returns the length in the user's line of a range that starts at `at` in the seen line and at `found` in the user's.
 */
static unsigned find_length(CcLine user, CcLine seen, size_t at, size_t found, unsigned length)
{
    size_t end = MIN(at + length, seen.size), last;
    if (length == UINT16_MAX) /* the range goes on in the next line */
        return length;
    if (end <= at || (found + (end - at) <= user.size && memcmp(user.text + found, seen.text + at, end - at) == 0))
        return length;
    for (last = end - 1; last > at && is_word(seen.text[last]) && is_word(seen.text[last - 1]);)
        last--;
    size_t there;
    if (!find_text(user, seen, last, &there) || there < found)
        return (unsigned)MIN(word_length(seen, at), length);
    return (unsigned)(there + (end - last) - found);
}

/* Finds a macro's name: the first word from offset `from` on that occurs in the user's line more often than in the
 * preprocessed line. */
static bool find_macro(CcLine user, CcLine seen, size_t from, size_t *found, size_t *length)
{
    for (size_t i = from; i < user.size; i += *length) {
        *length = word_length(user, i);
        if (!is_word(user.text[i]) || g_ascii_isdigit(user.text[i]))
            continue;
        size_t here = count_word(user, user.text + i, *length, user.size, NULL);
        if (here > count_word(seen, user.text + i, *length, seen.size, NULL)) {
            *found = i;
            return true;
        }
    }
    return false;
}

bool cc_source_find_column(CcLine user, CcLine seen, unsigned *column, unsigned *length)
{
    enum { LONGEST = 20000 }; /* bytes of a line: a longer line is not searched for macros */
    size_t at = *column - 1, found = 0;
    if (at >= seen.size) { /* behind the end of the line: something is missing there */
        if (seen.size != user.size)
            *column = (unsigned)user.size + 1;
        return true;
    }
    if (find_text(user, seen, at, &found)) {
        *column = (unsigned)found + 1;
        *length = find_length(user, seen, at, found, *length);
        return true;
    }
    if (user.size > LONGEST || seen.size > LONGEST)
        return false;
    for (found = 0; at > 0;) { /* search backwards for a word that the user's line has too */
        at--;
        if (seen.text[at] == ' ' || (is_word(seen.text[at]) && at > 0 && is_word(seen.text[at - 1])))
            continue;
        if (find_text(user, seen, at, &found))
            break;
        found = 0;
    }
    size_t word = 1;
    bool macro = find_macro(user, seen, found, &found, &word) || find_macro(user, seen, 0, &found, &word);
    *column = (unsigned)found + 1;
    *length = macro ? (unsigned)word : 1;
    return false;
}

CcSnippet cc_source_snippet(CcLine line, unsigned column)
{
    enum { BEFORE = 600, MOST = 1600 };
    if (!line.text)
        return (CcSnippet){NULL, 0, 0};
    size_t from = column > BEFORE && column <= line.size + 1 ? column - BEFORE : 0;
    while (from > 0 && ((unsigned char)line.text[from] & 0xc0) == 0x80)
        from--;
    size_t size = MIN(line.size - MIN(from, line.size), MOST);
    return (CcSnippet){g_strndup(line.text + MIN(from, line.size), size), size, from};
}
