/* The scanf family (C11 7.21.6.2, 7.29.2.2, POSIX) conversion by conversion, with what is left behind. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void real(const char *text, const char *format)
{
    double x = -1;
    int n = -1;
    char all[40];
    snprintf(all, sizeof all, "%s%%n", format);
    int count = sscanf(text, all, &x, &n);
    printf("\"%s\" %s: %d %g %d\n", text, format, count, x, n);
}

static void integer(const char *text, const char *format)
{
    int x = -1, n = -1;
    char all[40];
    snprintf(all, sizeof all, "%s%%n", format);
    int count = sscanf(text, all, &x, &n);
    printf("\"%s\" %s: %d %d %d\n", text, format, count, x, n);
}

static void string(const char *text, const char *format)
{
    char x[40] = "untouched";
    int n = -1;
    char all[40];
    snprintf(all, sizeof all, "%s%%n", format);
    int count = sscanf(text, all, x, &n);
    printf("\"%s\" %s: %d \"%s\" %d\n", text, format, count, x, n);
}

int main(void)
{
    static const char *const numbers[] = {"1.5",   "-2e3x",   "+.5",    "5.",  ".",     "-",      "1e",       "1e+",
                                          "1e+x",  "0x1p4",   "0x1.8",  "0x",  "0xg",   "inf",    "INFINITY", "infin",
                                          "nan",   "NaN(12)", "nan(",   "  7", "1e400", "1e-400", "abc",      "",
                                          "1.2.3", "1e5e5",   "0x.8p1", "- 5", "1_0"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        real(numbers[i], "%lf");
        real(numbers[i], "%3lf");
        integer(numbers[i], "%d");
        integer(numbers[i], "%i");
    }
    static const char *const words[] = {"0x1f",        "077", "08", "12abc", "-0x10", "+7",
                                        "99999999999", "0b1", "-",  "+",     "  42",  "0"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        integer(words[i], "%d");
        integer(words[i], "%i");
        integer(words[i], "%x");
        integer(words[i], "%o");
        integer(words[i], "%u");
        integer(words[i], "%2d");
    }
    static const char *const formats[] = {"%s",     "%5s",   "%[a-z]",  "%[^,]",        "%[]x]", "%[^]x]",
                                          "%[a-]",  "%[-a]", "%3[a-c]", "x%s",          " %s",   "%*s%s",
                                          "%*2s%s", "%c",    "%%%s",    "%[A-Za-z0-9_]"};
    static const char *const texts[] = {"hello world", "abc,def", "]x]y", "x-ray", "  lead", "",
                                        "%pct",        "a-b-c",   "\t\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t j = 0; j < sizeof formats / sizeof *formats; j++)
            string(texts[i], formats[j]);
    signed char hh;
    short h;
    long l;
    long long ll;
    intmax_t j;
    size_t z;
    ptrdiff_t t;
    printf("%d ", sscanf("300 70000 -5 6 7 8 9", "%hhd %hd %ld %lld %jd %zu %td", &hh, &h, &l, &ll, &j, &z, &t));
    printf("%d %d %ld %lld %jd %zu %td\n", hh, h, l, ll, j, z, t);
    char *made = NULL, *set = NULL, c[4] = "";
    printf("%d ", sscanf("allocate,me xyz", "%m[^,],%ms %3c", &made, &set, c));
    printf("%s %s %.3s\n", made, set, c);
    free(made);
    free(set);
    int a, b;
    printf("%d ", sscanf("1 2", "%2$d %1$d", &a, &b));
    printf("%d %d\n", a, b);
    void *p;
    printf("%d ", sscanf("0x1234 (nil)", "%p", &p));
    printf("%p\n", p);
    float f;
    long double d;
    printf("%d ", sscanf("1.1 2.5", "%f %Lf", &f, &d));
    printf("%.9g %Lg\n", f, d);
    wchar_t wide[20] = L"";
    printf("%d ", sscanf("widen this", "%ls %lc", wide, &wide[10]));
    printf("%ls %lc\n", wide, (wint_t)wide[10]);
    printf("%d ", swscanf(L"12 nar wide \x20ac", L"%d %s %ls %lc", &a, c, wide, &wide[15]));
    printf("%d %.2s %x %x\n", a, c, (unsigned)wide[0], (unsigned)wide[15]);
    printf("%d ", swscanf(L"\x00e9\x00e8z!", L"%2ls%n", wide, &a));
    printf("%x %x %x %d\n", (unsigned)wide[0], (unsigned)wide[1], (unsigned)wide[2], a);
    printf("%d\n", sscanf("5 apples", "%d pears%n", &a, &b));
    FILE *file = tmpfile();
    fputs("10 20 thirty\nforty 50\n\n  end", file);
    rewind(file);
    char rest[40];
    printf("%d ", fscanf(file, "%d%d%d", &a, &b, &a));
    printf("%d %d ", a, b);
    printf("%s", fgets(rest, sizeof rest, file));
    printf("%d ", fscanf(file, "%*s %d", &a));
    printf("%d %d ", a, fscanf(file, "%s", rest));
    printf("%s %d %d\n", rest, fscanf(file, "%d", &a), feof(file) != 0);
    fclose(file);
    return 0;
}
