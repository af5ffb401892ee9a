/* The printf family (C11 7.21.6, 7.29.2, POSIX) conversion by conversion: flags, widths, precisions, lengths,
 * positions. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static const char *const reals[] = {"%f",    "%.0f",  "%#.0f", "%e",     "%.3E",     "%g",       "%#g",
                                    "%G",    "%a",    "%A",    "%.2a",   "%20.10f|", "%-20.3e|", "%+020.4f|",
                                    "% g",   "%.17g", "%.40f", "%010g|", "%'f",      "%Lf",      "%.0e",
                                    "%#.0e", "%.1g",  "%.30g", "%lf",    "%5.1lf|"};
static const char *const integers[] = {
    "%d", "%5d|", "%-5d|", "%05d|", "%+d",  "% d",    "%.5d",    "%8.3d|",  "%x",   "%#x",   "%#X", "%o", "%#o",
    "%u", "%hd",  "%hhd",  "%hu",   "%hhu", "%#10x|", "%-#10x|", "%#010x|", "%.0d", "%+.3d", "%'d", "%i", "%hhx"};

static void all_reals(double x)
{
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        if (strstr(reals[i], "L"))
            printf(reals[i], (long double)x);
        else
            printf(reals[i], x);
        printf(i % 8 == 7 ? "\n" : " ");
    }
    printf("\n");
}

static int by_list(char *text, size_t size, const char *format, ...)
{
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    int length = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    vsnprintf(text, size, format, list);
    va_end(list);
    return length;
}

static void wide(const wchar_t *format, ...)
{
    wchar_t text[100];
    va_list list;
    va_start(list, format);
    int length = vswprintf(text, 100, format, list);
    va_end(list);
    printf("%d:", length);
    for (int i = 0; i < length; i++)
        printf(" %x", (unsigned)text[i]);
    printf("\n");
}

int main(void)
{
    static const double values[] = {0,     -0.0, 1,   -1.5,   3.14159265358979,       1e100, 1e-5,     123456789, 0.1,
                                    9.995, 2.5,  0.5, 5e-324, 1.7976931348623157e308, 1e15,  999999.5, 99999.95};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        all_reals(values[i]);
    all_reals(INFINITY);
    all_reals(-INFINITY);
    all_reals(NAN);
    static const int numbers[] = {0, 1, -1, 42, -12345, INT_MAX, INT_MIN, 255, 65536};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
            printf(integers[i], numbers[n]);
            printf(" ");
        }
        printf("\n");
    }
    printf("%ld %lld %jd %zd %td %lu %llx %zu %jx\n", LONG_MIN, LLONG_MAX, INTMAX_MIN, (ssize_t)-5, (ptrdiff_t)-6,
           ULONG_MAX, ULLONG_MAX, SIZE_MAX, UINTMAX_MAX);
    printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRId64 " %" PRIuMAX " %" PRIxPTR "\n", (int8_t)-3, (uint16_t)7,
           0xabcdU, INT64_MIN, UINTMAX_MAX, (uintptr_t)0x1234);
    printf("%c|%5c|%-5c|%s|%10s|%-10s|%.2s|%10.2s|%.*s|%*s|%-*s|\n", 'a', 'b', 'c', "str", "str", "str", "str", "str",
           1, "xyz", 6, "w", 6, "v");
    printf("%*d|%*d|%.*f|%.*f|%0*d|%-*d|\n", 6, 42, -6, 42, 2, 3.14159, -2, 3.14159, 6, 42, 6, 42);
    printf("%2$s %1$d %3$*4$d|%2$.*5$s|\n", 7, "two", 42, 6, 1);
    printf("%1$d %1$x %1$o\n", 100);
    int a, b;
    signed char tiny;
    long large;
    printf("12345%n678%hhn9%ln\n", &a, &tiny, &large);
    printf("%d %d %ld\n", a, tiny, large);
    b = printf("%%|%5%|%-5%|\n");
    printf("%d %p %p %s %.3s|%.6s|\n", b, NULL, (void *)0x1234, (char *)NULL, (char *)NULL, (char *)NULL);
    errno = ENOENT;
    printf("%m|%30m|%.4m|%-12m|\n");
    printf("%ls|%5.2ls|%lc|%C|%S|%10ls|\n", L"wide", L"wide", (wint_t)L'x', (wint_t)L'y', L"Sw", L"right");
    char text[64];
    printf("%d %s\n", by_list(text, sizeof text, "%d-%s-%5.1f", 1, "x", 2.25), text);
    printf("%d %s|\n", snprintf(text, 5, "123456789"), text);
    printf("%d ", snprintf(NULL, 0, "%s", "count me"));
    printf("%d\n", sprintf(text, "%05.1f|%+d", -2.5, 3));
    char *made;
    printf("%d ", asprintf(&made, "%s-%d", "made", 9));
    printf("%s\n", made);
    free(made);
    fflush(stdout);
    dprintf(1, "to a descriptor %d\n", 5);
    errno = 0;
    printf("%d ", snprintf(text, sizeof text, "%lc", (wint_t)0x20ac));
    printf("%d\n", errno == EILSEQ);
    wide(L"%d %s %ls %c %lc", 5, "narrow", L"w\x00e9\x20ac", 'c', (wint_t)0x3b1);
    wide(L"%8ls|%-8ls|%.2ls|%5s|", L"\x00e9\x00e8", L"ab", L"\x00e9\x00e8z", "xy");
    wide(L"\x20ac%n%5.2f", &a, 2.345);
    printf("%d\n", a);
    wchar_t small[4];
    printf("%d %d\n", swprintf(small, 4, L"%s", "abcd"), swprintf(small, 4, L"abc"));
    printf("%.3d|%.0x|%#.3o|%+.0d|%#x|%#o\n", 7, 0, 8, 0, 0, 0);
    printf("%hhd %hd %ld\n", 300, 70000, -1L);
    printf("%5$s %4$s %3$s %2$s %1$s\n", "a", "b", "c", "d", "e");
    printf("%-+8d|%+-8d|% -8d|%0-8d|%-08.3f|\n", 5, 5, 5, 5, 2.5);
    printf("%.10s|%.0s|%5s|\n", "short", "none", "");
    printf("%#.3g|%#.10g|%g|%g|%g\n", 1.0, 1.5, 100000.0, 1000000.0, 1e-5);
    printf("%Lg %LE\n", 2.5L, 1e10L);
    return 0;
}
