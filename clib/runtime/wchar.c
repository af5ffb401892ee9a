/* wchar.c - strings of wide characters (C11 7.29.4); multibyte.c has their conversions. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

size_t wcslen(const wchar_t *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t size)
{
    return memcpy(to, from, size * sizeof *to);
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t size)
{
    return memmove(to, from, size * sizeof *to);
}

wchar_t *wmemset(wchar_t *to, wchar_t wide, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = wide;
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

wchar_t *wmemchr(const wchar_t *block, wchar_t wanted, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (block[i] == wanted)
            return (wchar_t *)block + i;
    return 0;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
    return wmemcpy(to, from, wcslen(from) + 1);
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t size)
{
    size_t i = 0;
    for (; i < size && from[i]; i++)
        to[i] = from[i];
    wmemset(to + i, 0, size - i);
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
    wcscpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t size)
{
    wchar_t *end = to + wcslen(to);
    for (; size > 0 && *from; size--)
        *end++ = *from++;
    *end = 0;
    return to;
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t size)
{
    for (; size > 0; size--, a++, b++) {
        if (*a != *b)
            return *a < *b ? -1 : 1;
        if (!*a)
            break;
    }
    return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    return wcsncmp(a, b, (size_t)-1);
}

int wcscoll(const wchar_t *a, const wchar_t *b)
{
    return wcscmp(a, b);
}

wchar_t *wcschr(const wchar_t *text, wchar_t wanted)
{
    return wmemchr(text, wanted, wcslen(text) + 1);
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t wanted)
{
    for (size_t i = wcslen(text) + 1; i-- > 0;)
        if (text[i] == wanted)
            return (wchar_t *)text + i;
    return 0;
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *wanted)
{
    size_t length = wcslen(wanted);
    for (; wcsncmp(text, wanted, length) != 0; text++)
        if (!*text)
            return 0;
    return (wchar_t *)text;
}

size_t wcsspn(const wchar_t *text, const wchar_t *set)
{
    size_t i = 0;
    while (text[i] && wcschr(set, text[i]))
        i++;
    return i;
}

size_t wcscspn(const wchar_t *text, const wchar_t *set)
{
    size_t i = 0;
    while (text[i] && !wcschr(set, text[i]))
        i++;
    return i;
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set)
{
    text += wcscspn(text, set);
    return *text ? (wchar_t *)text : 0;
}

wchar_t *wcstok(wchar_t *text, const wchar_t *separators, wchar_t **state)
{
    if (!text)
        text = *state;
    text += wcsspn(text, separators);
    if (!*text) {
        *state = text;
        return 0;
    }
    wchar_t *end = text + wcscspn(text, separators);
    *state = *end ? end + 1 : end;
    *end = 0;
    return text;
}

/* -- numbers ----------------------------------------------------------------------------------- */

/* Copies the leading ASCII characters of a wide string to a string. Returns 0 if there is no memory. */
static char *narrow(const wchar_t *text)
{
    size_t length = 0;
    while (text[length] > 0 && text[length] < 128)
        length++;
    char *copy = malloc(length + 1);
    for (size_t i = 0; copy && i < length; i++)
        copy[i] = (char)text[i];
    if (copy)
        copy[length] = '\0';
    return copy;
}

/* Sets *end to the position that corresponds to `stop` in the copy, and frees the copy. */
static void finish(const wchar_t *text, wchar_t **end, char *copy, const char *stop)
{
    if (end)
        *end = (wchar_t *)text + (stop - copy);
    free(copy);
}

#define CONVERT_INTEGER(type, name, convert)                                                                           \
    type name(const wchar_t *text, wchar_t **end, int base)                                                            \
    {                                                                                                                  \
        char *copy = narrow(text), *stop = copy;                                                                       \
        type value = copy ? convert(copy, &stop, base) : 0;                                                            \
        finish(text, end, copy, stop);                                                                                 \
        return value;                                                                                                  \
    }
#define CONVERT_REAL(type, name, convert)                                                                              \
    type name(const wchar_t *text, wchar_t **end)                                                                      \
    {                                                                                                                  \
        char *copy = narrow(text), *stop = copy;                                                                       \
        type value = copy ? convert(copy, &stop) : 0;                                                                  \
        finish(text, end, copy, stop);                                                                                 \
        return value;                                                                                                  \
    }

CONVERT_INTEGER(long, wcstol, strtol)
CONVERT_INTEGER(unsigned long, wcstoul, strtoul)
CONVERT_INTEGER(long long, wcstoll, strtoll)
CONVERT_INTEGER(unsigned long long, wcstoull, strtoull)
CONVERT_INTEGER(long, wcstoimax, strtol)
CONVERT_INTEGER(unsigned long, wcstoumax, strtoul)
CONVERT_REAL(double, wcstod, strtod)
CONVERT_REAL(float, wcstof, strtof)
CONVERT_REAL(long double, wcstold, strtold)

/* -- more strings: POSIX and GNU --------------------------------------------------------------- */

size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t size)
{
    size_t length = wcslen(from);
    if (size > 0)
        wmemcpy(to, from, length < size ? length + 1 : size);
    return length;
}

size_t wcsnlen(const wchar_t *text, size_t limit)
{
    size_t length = 0;
    while (length < limit && text[length])
        length++;
    return length;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from)
{
    size_t length = wcslen(from);
    return wmemcpy(to, from, length + 1) + length;
}

wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t size)
{
    return wcsncpy(to, from, size) + wcsnlen(from, size);
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t size)
{
    return wmemcpy(to, from, size) + size;
}

wchar_t *wcschrnul(const wchar_t *text, wchar_t wanted)
{
    while (*text && *text != wanted)
        text++;
    return (wchar_t *)text;
}

wchar_t *wcsdup(const wchar_t *text)
{
    size_t size = wcslen(text) + 1;
    wchar_t *copy = malloc(size * sizeof *copy);
    return copy ? wmemcpy(copy, text, size) : 0;
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t size)
{
    for (; size > 0; size--, a++, b++) {
        wint_t left = towlower((wint_t)*a), right = towlower((wint_t)*b);
        if (left != right)
            return (int)(left - right);
        if (!left)
            break;
    }
    return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b)
{
    return wcsncasecmp(a, b, (size_t)-1);
}

int __orrery_wide_class(unsigned wide);

int wcwidth(wchar_t wide)
{
    if ((unsigned)wide < 128)
        return wide == 0 ? 0 : iswprint((wint_t)wide) ? 1 : -1;
    return (__orrery_wide_class((unsigned)wide) >> 16) - 1;
}

int wcswidth(const wchar_t *text, size_t size)
{
    int width = 0;
    for (; size > 0 && *text; size--, text++) {
        int own = wcwidth(*text);
        if (own < 0)
            return -1;
        width += own;
    }
    return width;
}

/* Converts to bytes of the locale's charset and back. */
size_t wcsftime(wchar_t *text, size_t size, const wchar_t *format, const struct tm *calendar)
{
    size_t room = size * MB_CUR_MAX + 1, length = 0, bytes = wcstombs(0, format, 0);
    char *narrow_form = bytes != (size_t)-1 ? malloc(bytes + 1) : 0, *output = malloc(room);
    if (narrow_form && output) {
        wcstombs(narrow_form, format, bytes + 1);
        if (strftime(output, room, narrow_form, calendar))
            length = mbstowcs(text, output, size);
    }
    free(narrow_form);
    free(output);
    return length < size ? length : 0;
}
