/* Wide and multibyte characters in the locale C.UTF-8: conversions, classes, formats, streams. Natively the same. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static void show_bytes(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf(" %02x", bytes[i] & 255);
    printf("\n");
}

static void decode(const char *bytes, size_t size)
{
    mbstate_t state = {0};
    wchar_t wide = 0x5555;
    errno = 0;
    size_t used = mbrtowc(&wide, bytes, size, &state);
    printf("decode %zd %x %s initial %d:", (ssize_t)used, wide, errno == EILSEQ ? "EILSEQ" : "", mbsinit(&state));
    show_bytes(bytes, size);
}

static void encode(wchar_t wide)
{
    char bytes[16];
    errno = 0;
    int used = (int)wcrtomb(bytes, wide, 0);
    printf("encode %x: %d %s", wide, used, errno == EILSEQ ? "EILSEQ" : "");
    show_bytes(bytes, used > 0 ? (size_t)used : 0);
}

static void conversions(void)
{
    static const char *const texts[] = {
        "\xc3\xa9",     "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80",
        "\xc0\x80",     "\xc1\xbf",     "\xe0\x9f\xbf",     "\xed\xa0\x80",     "\xed\x9f\xbf",     "\xee\x80\x80",
        "\xf0\x8f\xbf\xbf", "\x80",     "\xfe",             "\xff",             "\xe2(\xa1",        "\xc3z"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t size = 1; size <= strlen(texts[i]); size++)
            decode(texts[i], size);
    static const wchar_t wides[] = {0x41, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xffff, 0x10000,
                                    0x10ffff, 0x110000, 0x7fffffff, -1};
    for (size_t i = 0; i < sizeof wides / sizeof *wides; i++)
        encode(wides[i]);

    mbstate_t state = {0};
    wchar_t wide = 0, text[20];
    for (int i = 0; i < 4; i++)
        printf("%zd ", (ssize_t)mbrtowc(&wide, "\xf0\x9f\x98\x80" + i, 1, &state));
    printf("%x\n", wide);
    mbtowc(0, 0, 0);
    int first = mbtowc(&wide, "\xc3", 1), second = mbtowc(&wide, "\xa9", 1);
    printf("mbtowc %d %d %x; mblen %d %d %d; %zu\n", first, second, wide, mblen("\xc3\xa9", 2), mblen("\xc3", 1),
           mblen("", 1), MB_CUR_MAX);
    printf("%x %x %d %d\n", btowc(0x80), btowc('a'), wctob(0xe9), wctob('a'));

    const char *from = "a\xc3\xa9\xe2\x82\xac!";
    printf("%zd", (ssize_t)mbstowcs(text, from, 20));
    printf(" %zd %ls\n", (ssize_t)mbstowcs(0, from, 0), text);
    printf("%zd", (ssize_t)mbsrtowcs(text, &from, 2, &state));
    printf(" left %s\n", from);
    from = "a\xc3\xa9";
    printf("%zd", (ssize_t)mbsnrtowcs(text, &from, 2, 20, &state));
    printf(" initial %d", mbsinit(&state));
    printf(" %zd %x %d\n", (ssize_t)mbsnrtowcs(text, &from, 2, 20, &state), text[0], from == 0);
    from = "ab\xe2\x82z";
    errno = 0;
    printf("%zd %d at %td\n", (ssize_t)mbsrtowcs(text, &from, 20, &state), errno == EILSEQ, strchr(from, 'z') - from);

    const wchar_t *wides2 = L"a\u00e9\u20ac";
    char bytes[20];
    printf("%zd", (ssize_t)wcsrtombs(bytes, &wides2, 5, 0));
    printf(" %x", *wides2);
    printf(" %zd %zd\n", (ssize_t)wcstombs(bytes, L"a\u00e9\u20ac", 20), (ssize_t)wcstombs(0, L"a\u00e9\u20ac", 0));
    show_bytes(bytes, 7);

    char16_t half = 0;
    memset(&state, 0, sizeof state);
    printf("%zd", (ssize_t)mbrtoc16(&half, "\xf0\x9f\x98\x80", 4, &state));
    printf(" %x", half);
    printf(" %zd", (ssize_t)mbrtoc16(&half, "", 1, &state));
    printf(" %x", half);
    printf(" %zd", (ssize_t)c16rtomb(bytes, 0xd83d, &state));
    printf(" %zd", (ssize_t)c16rtomb(bytes, 0xde00, &state));
    show_bytes(bytes, 4);
}

static void classes(void)
{
    static const wchar_t some[] = {0xa0,   0xaa,   0xb5,   0xc9,   0xdf,   0xe9,   0x130,  0x131,  0x1c5,  0x2bc,
                                   0x37e,  0x3a9,  0x3c9,  0x416,  0x660,  0x5d0,  0x200b, 0x2003, 0x2028, 0x20ac,
                                   0x3042, 0x4e2d, 0xd800, 0xfb01, 0xffff, 0x10400, 0x1f600, 0xe0001, 0x10ffff, 0x110000};
    static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                        "lower", "print", "punct", "space", "upper", "xdigit"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        wint_t c = (wint_t)some[i];
        printf("%x width %d lower %x upper %x", c, wcwidth(some[i]), towlower(c), towupper(c));
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (iswctype(c, wctype(names[k])))
                printf(" %s", names[k]);
        printf(" %d%d\n", !!iswalpha(c), !!iswspace(c));
    }
    unsigned long sum = 0;
    for (wint_t c = 0x80; c < 0x3000; c++)
        sum = sum * 31 + (iswalpha(c) ? 1 : 0) + (iswprint(c) ? 2 : 0) + (iswpunct(c) ? 4 : 0) + towlower(c) + towupper(c);
    printf("sum %lx; columns %d; case %d\n", sum, wcswidth(L"a\u4e2d\u0301", 9), wcscasecmp(L"\u00c9\u0416", L"\u00e9\u0436"));
    printf("bytes: %d %d %c\n", !!isalpha(0xe9), !!ispunct(0xe9), toupper('e'));
}

#define PRINT(...)                                                                                                     \
    do {                                                                                                               \
        char text[100];                                                                                                \
        errno = 0;                                                                                                     \
        int count = snprintf(text, sizeof text, __VA_ARGS__);                                                          \
        printf("%d %s", count, errno == EILSEQ ? "EILSEQ" : "");                                                       \
        show_bytes(text, count > 0 ? (size_t)count : 0);                                                               \
    } while (0)

#define WPRINT(...)                                                                                                    \
    do {                                                                                                               \
        wchar_t text[100];                                                                                             \
        int count = swprintf(text, 100, __VA_ARGS__);                                                                  \
        printf("%d:", count);                                                                                          \
        for (int i = 0; i < count; i++)                                                                                \
            printf(" %x", text[i]);                                                                                    \
        printf("\n");                                                                                                  \
    } while (0)

static void formats(void)
{
    PRINT("[%5.2ls]", L"\u00e9\u00e9");
    PRINT("[%5.3ls|%.1ls]", L"\u00e9\u00e9", L"\u00e9");
    PRINT("[%-6.4ls|%6ls]", L"\u00e9\u00e9\u00e9", L"\u20ac");
    PRINT("[%3lc|%-4lc|%C|%S]", 0xe9, 0xe9, 0x1134, L"\u20ac\U0001f600");
    PRINT("[%lc|%-3lc]", 0, 0);
    PRINT("%ls", L"a\xd800");
    PRINT("%.1ls", L"a\xd800");
    PRINT("%lc", 0xd800);
    PRINT("[%ls|%.3ls]", (wchar_t *)0, (wchar_t *)0);
    PRINT("\xc3\xa9%d\xff%.1s", 1, "\xc3\xa9");
    WPRINT(L"[%5s|%.1s|%-4s]", "\xc3\xa9", "\xc3\xa9\xff", "\xe2\x82\xac");
    WPRINT(L"[%s]", "a\xff");
    WPRINT(L"[%s]", "a\xc3");
    WPRINT(L"%c", 0xe9);
    WPRINT(L"\u00e9%lc%5lc%-3ls|%5.1ls|", 0, 0xe9, L"\u00e9", L"\u00e9a");
}

static void scans(void)
{
    wchar_t wide[20] = {0}, other[20] = {0};
    char bytes[20] = {0};
    int n = 0, count = sscanf("\xc3\xa9zb \xe2\x82\xac\xc3\xa9q", "%2lc%ls %2ls%n", wide, other, other + 5, &n);
    printf("%d %d %x %x %x %x %x\n", count, n, wide[0], wide[1], other[0], other[5], other[6]);
    count = sscanf("\xc3\xa9\xc3\xa8x", "%1l[\xc3\xa9\xc3\xa8]%n", wide, &n);
    printf("%d %d %x\n", count, n, wide[0]);
    errno = 0;
    count = sscanf("\xff", "%lc", wide);
    printf("%d %d\n", count, errno == EILSEQ);
    count = swscanf(L"\u00e9ab \u2003c\u00e8z", L"%2s%ls %lc%l[\u00e0-\u00ef]%n", bytes, wide, other, other + 1, &n);
    printf("%d %d %x %x %x", count, n, wide[0], other[0], other[1]);
    show_bytes(bytes, strlen(bytes));
    count = swscanf(L"\u00e912\u00e9", L"\u00e9%d%c%n", &n, bytes, wide);
    printf("%d %d %d", count, n, wide[0]);
    show_bytes(bytes, 2);
}

static void show_file(const char *name)
{
    char bytes[100];
    FILE *file = fopen(name, "r");
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    show_bytes(bytes, count);
}

static void streams(void)
{
    const char *name = "wide_utf8.tmp";
    FILE *file = fopen(name, "w+");
    printf("%d", fwide(file, 0));
    printf(" %x %d", fputwc(0xe9, file), fwide(file, -1) > 0);
    printf(" %d %d %zu", fprintf(file, "no"), fputs("no", file), fwrite("no", 1, 2, file));
    printf(" %d", fwprintf(file, L"%ls%5s|%lc\n", L"\u20ac", "\xc3\xa9", 0x1f600));
    printf(" %d %x\n", fputws(L"\u4e2d\xd800.", file) >= 0, fputwc(0x10ffff, file));
    rewind(file);
    wchar_t line[20];
    printf("%d %x %x\n", fgetws(line, 20, file) != 0, line[0], line[1]);
    wint_t c = fgetwc(file);
    ungetwc(c, file);
    ungetwc(0x1f601, file);
    printf("%x %x %x\n", fgetwc(file), fgetwc(file), c);
    while ((c = fgetwc(file)) != WEOF)
        printf(" %x", c);
    printf(" end %d %d\n", feof(file) != 0, ferror(file));
    fclose(file);
    show_file(name);

    file = fopen(name, "w");
    fprintf(file, "ab\xc3\xa9 17 x\xff");
    printf("%d %x %d\n", fwide(file, 1), fputwc('x', file), fwprintf(file, L"x"));
    fclose(file);
    file = fopen(name, "r");
    int number = 0;
    printf("%d", fwscanf(file, L"%ls %d", line, &number));
    printf(" %x %d", line[2], number);
    printf(" %x", fgetwc(file));
    printf(" %x", fgetwc(file));
    errno = 0;
    printf(" %x", fgetwc(file));
    printf(" %d %d\n", errno == EILSEQ, ferror(file) != 0);
    fclose(file);
    remove(name);
}

int main(void)
{
    printf("%s %s\n", setlocale(LC_ALL, 0), nl_langinfo(CODESET));
    printf("%s %s\n", setlocale(LC_ALL, "C.UTF-8"), nl_langinfo(CODESET));
    conversions();
    classes();
    formats();
    scans();
    streams();
    printf("[%C] %ls\n", (wint_t)0x1134, L"\u00e9\u4e2d\U0001f600");
    return 0;
}
