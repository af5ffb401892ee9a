/* wchar_stdio.c - wide streams (C11 7.29.2, 7.29.3) in the C locale: a wide character is an ASCII byte on the stream.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

/* The format as bytes, from malloc; conversions mean the same in both forms. 0 with errno. */
static char *narrow_format(const wchar_t *format)
{
    size_t size = wcslen(format) + 1;
    char *bytes = malloc(size);
    if (bytes && wcstombs(bytes, format, size) == (size_t)-1) {
        free(bytes);
        return 0;
    }
    return bytes;
}

int vfwprintf(FILE *stream, const wchar_t *format, va_list arguments)
{
    char *bytes = narrow_format(format);
    int length = bytes ? vfprintf(stream, bytes, arguments) : -1;
    free(bytes);
    return length;
}

int vwprintf(const wchar_t *format, va_list arguments)
{
    return vfwprintf(stdout, format, arguments);
}

/* Unlike snprintf, too little room is a failure (7.29.2.7 p3). */
int vswprintf(wchar_t *text, size_t size, const wchar_t *format, va_list arguments)
{
    char *bytes = narrow_format(format), *output = 0;
    int length = bytes ? vasprintf(&output, bytes, arguments) : -1;
    free(bytes);
    if (length < 0)
        return -1;
    size_t copied = mbstowcs(text, output, size);
    free(output);
    if (copied == (size_t)-1)
        return -1;
    if ((size_t)length < size)
        return length;
    if (size > 0)
        text[size - 1] = 0;
    return -1;
}

int wprintf(const wchar_t *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vwprintf(format, arguments);
    va_end(arguments);
    return length;
}

int fwprintf(FILE *stream, const wchar_t *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vfwprintf(stream, format, arguments);
    va_end(arguments);
    return length;
}

int swprintf(wchar_t *text, size_t size, const wchar_t *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vswprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}

wint_t fgetwc(FILE *stream)
{
    int byte = fgetc(stream);
    if (byte > 127)
        errno = EILSEQ;
    return byte < 0 || byte > 127 ? WEOF : (wint_t)byte;
}

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
    int count = 0;
    while (count < size - 1) {
        wint_t wide = fgetwc(stream);
        if (wide == WEOF)
            break;
        text[count++] = (wchar_t)wide;
        if (wide == L'\n')
            break;
    }
    if (count == 0)
        return 0;
    text[count] = 0;
    return text;
}

wint_t ungetwc(wint_t wide, FILE *stream)
{
    return wide < 128 && ungetc((int)wide, stream) != EOF ? wide : WEOF;
}

wint_t fputwc(wchar_t wide, FILE *stream)
{
    if (wide < 0 || wide > 127) {
        errno = EILSEQ;
        return WEOF;
    }
    return fputc(wide, stream) == EOF ? WEOF : (wint_t)wide;
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
    for (; *text; text++)
        if (fputwc(*text, stream) == WEOF)
            return -1;
    return 1;
}

/* Streams have no orientation here: what was asked for is granted. */
int fwide(FILE *stream, int mode)
{
    (void)stream;
    return mode;
}
