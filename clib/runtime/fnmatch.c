/* fnmatch.c - matching of file names with patterns (POSIX XCU 2.13), with GNU's FNM_LEADING_DIR and FNM_CASEFOLD. */
#include "classes.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

static int fold(int c, int flags)
{
    return flags & FNM_CASEFOLD ? tolower((unsigned char)c) : c;
}

static int in_class(const char *name, size_t length, int c)
{
    return iswctype((unsigned char)c, __orrery_class(name, length));
}

/* Reads the bracket expression behind '['. Returns its end, or 0 if it has none. *found tells whether it contains
 * `c`. */
static const char *bracket(const char *at, int c, int flags, int *found)
{
    int inverted = *at == '!' || *at == '^';
    at += inverted;
    *found = 0;
    for (const char *first = at; *at != ']' || at == first;) {
        if (at[0] == '[' && at[1] == ':') {
            const char *name = at + 2, *end = strstr(name, ":]");
            if (!end)
                return 0;
            *found |= in_class(name, (size_t)(end - name), c);
            at = end + 2;
            continue;
        }
        if (*at == '\\' && !(flags & FNM_NOESCAPE))
            at++;
        int low = fold(*at, flags), high = low;
        if (!*at++)
            return 0;
        if (at[0] == '-' && at[1] && at[1] != ']') {
            at += 1 + (at[1] == '\\' && !(flags & FNM_NOESCAPE));
            high = fold(*at, flags);
            if (!*at++)
                return 0;
        }
        int folded = fold(c, flags);
        *found |= (unsigned char)folded >= (unsigned char)low && (unsigned char)folded <= (unsigned char)high;
    }
    *found ^= inverted;
    return at + 1;
}

static int match(const char *pattern, const char *text, const char *start, int flags)
{
    for (; *pattern; text++) {
        int leading =
            *text == '.' && (flags & FNM_PERIOD) && (text == start || ((flags & FNM_PATHNAME) && text[-1] == '/'));
        int slash = *text == '/' && (flags & FNM_PATHNAME), found;
        switch (*pattern) {
        case '?':
            if (!*text || slash || leading)
                return FNM_NOMATCH;
            pattern++;
            break;
        case '*':
            while (*pattern == '*')
                pattern++;
            if (leading)
                return FNM_NOMATCH;
            for (;; text++) {
                if (match(pattern, text, start, flags) == 0)
                    return 0;
                if (!*text || (*text == '/' && (flags & FNM_PATHNAME)))
                    return FNM_NOMATCH;
            }
        case '[': {
            const char *end = *text && !slash && !leading ? bracket(pattern + 1, *text, flags, &found) : 0;
            if (end && !found)
                return FNM_NOMATCH;
            if (end)
                pattern = end;
            else if (*text != *pattern++ || leading)
                return FNM_NOMATCH;
            break;
        }
        case '\\':
            if (!(flags & FNM_NOESCAPE) && pattern[1])
                pattern++; /* fall through */
        default:
            if (fold(*pattern, flags) != fold(*text, flags) || !*text)
                return FNM_NOMATCH;
            pattern++;
        }
    }
    return !*text || (*text == '/' && (flags & FNM_LEADING_DIR)) ? 0 : FNM_NOMATCH;
}

int fnmatch(const char *pattern, const char *text, int flags)
{
    return match(pattern, text, text, flags);
}
