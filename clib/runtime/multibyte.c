/* multibyte.c - multibyte and wide characters (C11 7.22.7, 7.28, 7.29.6), converted as in glibc.
 *
 * In the locale C only ASCII has both forms. In C.UTF-8 characters are in UTF-8 with its old forms of five and six
 * bytes; overlong forms and surrogates are invalid. A wrong next byte is found at once, any other error of a sequence
 * at its end. A state counts the bytes that a sequence lacks (and, in its second byte, has) and collects its value.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

int __orrery_utf8(void);

size_t __ctype_get_mb_cur_max(void)
{
    return __orrery_utf8() ? 6 : 1;
}

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
    return !state || state->orrery_count == 0;
}

static size_t wrong(void)
{
    errno = EILSEQ;
    return (size_t)-1;
}

static int is_surrogate(unsigned value)
{
    return value >> 11 == 0xd800 >> 11;
}

/* Length of the sequence that begins with `lead`, which is not ASCII; 0: no sequence does. */
static int length_of(unsigned char lead)
{
    static const unsigned char limits[] = {0xe0, 0xf0, 0xf8, 0xfc, 0xfe};
    int length = 2;
    if (lead < 0xc2 || lead >= 0xfe || !__orrery_utf8())
        return 0;
    while (lead >= limits[length - 2])
        length++;
    return length;
}

static size_t decode(wchar_t *wide, const char *text, size_t size, mbstate_t *state)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};
    if (!text) {
        text = "";
        size = 1;
        wide = 0;
    }
    if (size == 0)
        return (size_t)-2;
    const unsigned char *at = (const unsigned char *)text, *end = size > (size_t)-1 - (size_t)at ? 0 : at + size;
    int lacks = state->orrery_count & 0xff, length = state->orrery_count >> 8;
    unsigned value = state->orrery_value;
    if (!lacks) {
        value = *at++;
        if (value < 128) {
            if (wide)
                *wide = (wchar_t)value;
            return value != 0;
        }
        length = length_of((unsigned char)value);
        if (!length)
            return wrong();
        value &= 0x7fU >> length;
        lacks = length - 1;
    }
    for (; lacks > 0 && at != end; lacks--, at++) {
        if ((*at & 0xc0) != 0x80)
            return wrong();
        value = value << 6 | (*at & 0x3fU);
    }
    if (lacks) {
        state->orrery_count = lacks | length << 8;
        state->orrery_value = value;
        return (size_t)-2;
    }
    if (value < least[length] || is_surrogate(value))
        return wrong();
    memset(state, 0, sizeof *state);
    if (wide)
        *wide = (wchar_t)value;
    return (size_t)(at - (const unsigned char *)text);
}

size_t mbrtowc(wchar_t *wide, const char *text, size_t size, mbstate_t *state)
{
    static mbstate_t own;
    return decode(wide, text, size, state ? state : &own);
}

size_t mbrlen(const char *text, size_t size, mbstate_t *state)
{
    static mbstate_t own;
    return decode(0, text, size, state ? state : &own);
}

size_t wcrtomb(char *text, wchar_t wide, mbstate_t *state)
{
    unsigned value = (unsigned)wide;
    if (state)
        memset(state, 0, sizeof *state);
    if (!text)
        return 1;
    if (value < 128) {
        *text = (char)value;
        return 1;
    }
    if (value > INT_MAX || is_surrogate(value) || !__orrery_utf8())
        return wrong();
    int length = 2;
    while (length < 6 && value >> (5 * length + 1))
        length++;
    for (int i = length - 1; i > 0; i--, value >>= 6)
        text[i] = (char)(0x80 | (value & 0x3f));
    text[0] = (char)(0xff00 >> length | value);
    return (size_t)length;
}

/* -- strings ----------------------------------------------------------------------------------- */

/* Converts up to `bytes` bytes of *text, NUL included, to at most `size` wide characters. */
size_t mbsnrtowcs(wchar_t *wide, const char **text, size_t bytes, size_t size, mbstate_t *state)
{
    static mbstate_t own;
    mbstate_t copy = state ? *state : own; /* counting does not change the state */
    const char *at = *text;
    size_t count = 0;
    while (bytes > 0 && (!wide || count < size)) {
        wchar_t next;
        const char *start = at;
        size_t used = 0;
        do /* byte by byte, so that nothing behind the NUL is read */
            used = decode(&next, at, 1, &copy), at++, bytes--;
        while (used == (size_t)-2 && bytes > 0);
        if (used == (size_t)-2)
            break;
        if (used == (size_t)-1) {
            if (wide)
                *text = start;
            return used;
        }
        if (wide)
            wide[count] = next;
        if (!next) {
            at = 0;
            break;
        }
        count++;
    }
    if (wide) {
        *text = at;
        *(state ? state : &own) = copy;
    }
    return count;
}

size_t wcsnrtombs(char *text, const wchar_t **wide, size_t characters, size_t size, mbstate_t *state)
{
    const wchar_t *at = *wide;
    size_t count = 0;
    for (; characters > 0 && (!text || count < size); characters--, at++) {
        char bytes[6];
        size_t length = wcrtomb(bytes, *at, state);
        if (length == (size_t)-1) {
            count = length;
            break;
        }
        if (text && length > size - count)
            break;
        if (text)
            memcpy(text + count, bytes, length);
        if (!*at) {
            at = 0;
            break;
        }
        count += length;
    }
    if (text)
        *wide = at;
    return count;
}

size_t mbsrtowcs(wchar_t *wide, const char **text, size_t size, mbstate_t *state)
{
    return mbsnrtowcs(wide, text, (size_t)-1, size, state);
}

size_t wcsrtombs(char *text, const wchar_t **wide, size_t size, mbstate_t *state)
{
    return wcsnrtombs(text, wide, (size_t)-1, size, state);
}

/* -- <stdlib.h>: without a state of the program's ---------------------------------------------- */

int mblen(const char *text, size_t size)
{
    mbstate_t state = {0};
    if (!text)
        return 0;
    int used = size ? (int)decode(0, text, size, &state) : -1;
    return used < 0 ? -1 : used;
}

/* As in glibc, the state is kept between calls: a character may come in parts. */
int mbtowc(wchar_t *wide, const char *text, size_t size)
{
    static mbstate_t state;
    if (!text) {
        memset(&state, 0, sizeof state);
        return 0;
    }
    int used = size ? (int)decode(wide, text, size, &state) : -1;
    return used < 0 ? -1 : used;
}

int wctomb(char *text, wchar_t wide)
{
    return text ? (int)wcrtomb(text, wide, 0) : 0;
}

size_t mbstowcs(wchar_t *wide, const char *text, size_t size)
{
    mbstate_t state = {0};
    return mbsrtowcs(wide, &text, size, &state);
}

size_t wcstombs(char *text, const wchar_t *wide, size_t size)
{
    return wcsrtombs(text, &wide, size, 0);
}

/* -- <uchar.h> --------------------------------------------------------------------------------- */

enum { SECOND_HALF = 1 << 16 }; /* count of a state that holds the second half of a surrogate pair */

size_t mbrtoc16(char16_t *wide, const char *text, size_t size, mbstate_t *state)
{
    static mbstate_t own;
    wchar_t found = 0;
    if (!state)
        state = &own;
    if (state->orrery_count == SECOND_HALF) {
        if (wide)
            *wide = (char16_t)state->orrery_value;
        memset(state, 0, sizeof *state);
        return (size_t)-3;
    }
    size_t used = decode(&found, text, size, state);
    if (!text || used >= (size_t)-2)
        return used;
    if (found > 0xffff) {
        state->orrery_count = SECOND_HALF;
        state->orrery_value = 0xdc00 + ((unsigned)found & 0x3ff);
        found = (wchar_t)(0xd7c0 + ((unsigned)found >> 10));
    }
    if (wide)
        *wide = (char16_t)found;
    return used;
}

size_t mbrtoc32(char32_t *wide, const char *text, size_t size, mbstate_t *state)
{
    static mbstate_t own;
    wchar_t found;
    size_t used = decode(&found, text, size, state ? state : &own);
    if (text && wide && used < (size_t)-2)
        *wide = (char32_t)found;
    return used;
}

/* The first half of a surrogate pair is kept in the state. */
size_t c16rtomb(char *text, char16_t wide, mbstate_t *state)
{
    static mbstate_t own;
    if (!state)
        state = &own;
    if (text && state->orrery_count == 0 && wide >= 0xd800 && wide < 0xdc00) {
        state->orrery_count = 1;
        state->orrery_value = wide;
        return 0;
    }
    unsigned value = wide, first = state->orrery_value;
    if (text && state->orrery_count)
        value = wide >= 0xdc00 && wide < 0xe000 ? 0x10000 + ((first & 0x3ff) << 10) + (wide & 0x3ffU) : 0xd800;
    state->orrery_count = 0;
    return wcrtomb(text, (wchar_t)value, 0);
}

size_t c32rtomb(char *text, char32_t wide, mbstate_t *state)
{
    return wcrtomb(text, (wchar_t)wide, state);
}
