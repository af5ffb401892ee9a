/* <wchar.h>, <wctype.h>, <uchar.h> (C11 7.28 to 7.30) in the C locale. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

int main(void)
{
    static const char *const classes[] = {"alnum", "alpha", "blank", "cntrl", "digit",  "graph",   "lower",
                                          "print", "punct", "space", "upper", "xdigit", "nonsense"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        int count = 0;
        for (wint_t c = 0; c < 300; c++)
            count += iswctype(c, wctype(classes[i])) != 0;
        printf("%s %d %d\n", classes[i], count, wctype(classes[i]) != 0);
    }
    printf("%lc %lc %d\n", towctrans(L'a', wctrans("toupper")), towctrans(L'Q', wctrans("tolower")), wctrans("x") == 0);
    wchar_t a[40] = L"hello", b[40];
    wcscat(wcscpy(b, a), L" world");
    printf("%ls %zu %d %d %ls %ls %td\n", b, wcslen(b), sign(wcscmp(a, b)), sign(wcsncmp(a, b, 5)), wcschr(b, L'w'),
           wcsrchr(b, L'o'), wcsstr(b, L"wor") - b);
    printf("%zu %zu %ls %d %d\n", wcsspn(b, L"hel"), wcscspn(b, L"w"), wcspbrk(b, L"ow"),
           sign(wcscasecmp(L"ABC", L"abd")), wcsncasecmp(L"ABC", L"abd", 2));
    wchar_t *state, *word, line[] = L"a,b;;c";
    for (word = wcstok(line, L",;", &state); word; word = wcstok(NULL, L",;", &state))
        printf("<%ls>", word);
    wchar_t *end;
    wcstol(L"12rest", &end, 10);
    printf("%ld %lu %lld %g %g %ls\n", wcstol(L"-12x", NULL, 10), wcstoul(L"ff", NULL, 16), wcstoll(L"0x10", NULL, 0),
           wcstod(L"2.5e3z", NULL), (double)wcstof(L"1.5", NULL), end);
    printf("%jd %ju %Lg\n", wcstoimax(L"-77", NULL, 10), wcstoumax(L"77", NULL, 8), wcstold(L"1e3", NULL));
    mbstate_t shift;
    memset(&shift, 0, sizeof shift);
    wchar_t wide;
    char bytes[20];
    printf("%zu %zu %zd %d", mbrtowc(&wide, "xyz", 3, &shift), mbrlen("", 1, &shift),
           mbrtowc(&wide, "\xc3\xa9", 2, &shift), errno == EILSEQ);
    memset(&shift, 0, sizeof shift);
    printf(" %zu %zd %d\n", wcrtomb(bytes, L'q', &shift), wcrtomb(bytes, 0xe9, &shift), mbsinit(&shift));
    const char *narrow = "narrow";
    const wchar_t *source = L"source";
    printf("%zu %d ", mbsrtowcs(b, &narrow, 40, &shift), narrow == NULL);
    narrow = "narrow";
    printf("%zu %s ", mbsrtowcs(b, &narrow, 3, &shift), narrow);
    printf("%zu %d %s ", wcsrtombs(bytes, &source, 20, &shift), source == NULL, bytes);
    printf("%zu %zu %d %d\n", mbstowcs(NULL, "count", 0), wcstombs(NULL, L"count", 0), btowc('x') == L'x', wctob(0xe9));
    char16_t c16;
    char32_t c32;
    size_t used16 = mbrtoc16(&c16, "u", 1, &shift), used32 = mbrtoc32(&c32, "v", 1, &shift);
    printf("%zu %x %zu %x %zu %zu\n", used16, (unsigned)c16, used32, (unsigned)c32, c16rtomb(bytes, u'w', &shift),
           c32rtomb(bytes, U'x', &shift));
    wmemset(b, L'z', 5);
    b[5] = 0;
    printf("%ls %d %td\n", b, sign(wmemcmp(a, b, 5)), wmemchr(a, L'l', 5) - a);
    struct tm t = {.tm_year = 100, .tm_mday = 1, .tm_wday = 6};
    printf("%zu %ls\n", wcsftime(b, 40, L"%A %Y-%m-%d", &t), b);
    wchar_t *copy = wcsdup(L"copy");
    printf("%ls %zu %d %d %zu\n", copy, wcsnlen(copy, 2), wcwidth(L'a'), wcswidth(L"abc", 3), wcsxfrm(b, L"xfrm", 40));
    free(copy);
    return 0;
}
