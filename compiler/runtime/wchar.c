/* wchar.c - strings of wide characters (C11 7.29.4) and their conversion in the C locale, where only ASCII has both
 * forms. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

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

/* -- conversion ----------------------------------------------------------------------------------- */

wint_t btowc(int c)
{
    return c >= 0 && c < 128 ? (wint_t)c : WEOF;
}

int wctob(wint_t c)
{
    return c < 128 ? (int)c : -1;
}

int mbsinit(const mbstate_t *state)
{
    (void)state;
    return 1;
}

size_t mbrtowc(wchar_t *wide, const char *text, size_t size, mbstate_t *state)
{
    (void)state;
    if (!text)
        return 0;
    if (size == 0)
        return (size_t)-2;
    return (size_t)mbtowc(wide, text, size);
}

size_t mbrlen(const char *text, size_t size, mbstate_t *state)
{
    return mbrtowc(0, text, size, state);
}

size_t wcrtomb(char *text, wchar_t wide, mbstate_t *state)
{
    (void)state;
    return text ? (size_t)wctomb(text, wide) : 1;
}

size_t mbsrtowcs(wchar_t *wide, const char **text, size_t size, mbstate_t *state)
{
    (void)state;
    size_t count = mbstowcs(wide, *text, size);
    if (wide && count != (size_t)-1)
        *text = count < size ? 0 : *text + count;
    return count;
}

size_t wcsrtombs(char *text, const wchar_t **wide, size_t size, mbstate_t *state)
{
    (void)state;
    size_t count = wcstombs(text, *wide, size);
    if (text && count != (size_t)-1)
        *wide = count < size ? 0 : *wide + count;
    return count;
}

/* The ASCII beginning of a wide string as a string; 0 where memory is short. */
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

/* Makes *end the place that corresponds to `stop` in the copy, which is freed. */
static void finish(const wchar_t *text, wchar_t **end, char *copy, const char *stop)
{
    if (end)
        *end = (wchar_t *)text + (stop - copy);
    free(copy);
}

long wcstol(const wchar_t *text, wchar_t **end, int base)
{
    char *copy = narrow(text), *stop = copy;
    long value = copy ? strtol(copy, &stop, base) : 0;
    finish(text, end, copy, stop);
    return value;
}

unsigned long wcstoul(const wchar_t *text, wchar_t **end, int base)
{
    char *copy = narrow(text), *stop = copy;
    unsigned long value = copy ? strtoul(copy, &stop, base) : 0;
    finish(text, end, copy, stop);
    return value;
}

double wcstod(const wchar_t *text, wchar_t **end)
{
    char *copy = narrow(text), *stop = copy;
    double value = copy ? strtod(copy, &stop) : 0;
    finish(text, end, copy, stop);
    return value;
}
