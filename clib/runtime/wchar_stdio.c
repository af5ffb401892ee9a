/* wchar_stdio.c - wide streams (C11 7.29.2, 7.29.3), built on the host's functions for one character and for formats
 * (fgetwc, ungetwc, fputwc, fwide; vfwprintf, vswprintf, vfwscanf, vswscanf). */
#include "variadic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int vwprintf(const wchar_t *format, va_list arguments)
{
    return vfwprintf(stdout, format, arguments);
}

int vwscanf(const wchar_t *format, va_list arguments)
{
    return vfwscanf(stdin, format, arguments);
}

VARIADIC(wprintf, (const wchar_t *format, ...), format, vfwprintf(stdout, format, arguments))
VARIADIC(fwprintf, (FILE * stream, const wchar_t *format, ...), format, vfwprintf(stream, format, arguments))
VARIADIC(swprintf, (wchar_t * text, size_t size, const wchar_t *format, ...), format,
         vswprintf(text, size, format, arguments))
VARIADIC(wscanf, (const wchar_t *format, ...), format, vfwscanf(stdin, format, arguments))
VARIADIC(fwscanf, (FILE * stream, const wchar_t *format, ...), format, vfwscanf(stream, format, arguments))
VARIADIC(swscanf, (const wchar_t *text, const wchar_t *format, ...), format, vswscanf(text, format, arguments))

wint_t getwc(FILE *stream)
{
    return fgetwc(stream);
}

wint_t getwchar(void)
{
    return fgetwc(stdin);
}

wchar_t *fgetws(wchar_t *text, int size, FILE *stream)
{
    int count = 0, before = errno, failed = 0;
    errno = 0;
    while (count < size - 1) {
        wint_t wide = fgetwc(stream);
        if (wide == WEOF) {
            failed = errno; /* what was read before the failure is lost */
            break;
        }
        text[count++] = (wchar_t)wide;
        if (wide == L'\n')
            break;
    }
    if (!errno)
        errno = before;
    if (count == 0 || failed)
        return 0;
    text[count] = 0;
    return text;
}

wint_t putwc(wchar_t wide, FILE *stream)
{
    return fputwc(wide, stream);
}

wint_t putwchar(wchar_t wide)
{
    return fputwc(wide, stdout);
}

int fputws(const wchar_t *text, FILE *stream)
{
    if (fwide(stream, 1) < 0)
        return -1;
    for (; *text; text++)
        if (fputwc(*text, stream) == WEOF)
            return -1;
    return 1;
}
