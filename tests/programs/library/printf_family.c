/* The printf family on whole programs: conversions, flags, lengths, stars, n$, counts (C11 7.21.6). */
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int trace(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vprintf(format, list);
    char text[64];
    int copied = vsnprintf(text, sizeof text, format, again);
    va_end(again);
    va_end(list);
    return length == copied ? (int)strlen(text) : -1;
}

int main(void)
{
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%i]\n", 42, 42, 42, 42, 42, 42, 42, 42, -42);
    printf("[%u] [%o] [%#o] [%x] [%X] [%#x] [%#X] [%#010x]\n", 3000000000u, 8, 8, 255, 255, 255, 255, 255);
    printf("[%hhd] [%hd] [%ld] [%lld] [%zu] [%jd] [%td]\n", (signed char)-1, (short)-2, -3L, -4LL, sizeof(int),
           (intmax_t)5, (ptrdiff_t)6);
    printf("[%hhu] [%hu] [%lu] [%llu]\n", (unsigned char)255, (unsigned short)65535, ULONG_MAX, ULLONG_MAX);
    printf("[%d] [%d] [%ld]\n", INT_MIN, INT_MAX, LONG_MIN);
    printf("[%f] [%.0f] [%#.0f] [%10.2f] [%-10.2f] [%+.3f] [%010.3f]\n", 3.14159, 2.5, 2.5, 3.14159, 3.14159, 3.14159,
           -3.14159);
    printf("[%e] [%.2E] [%g] [%g] [%g] [%G] [%#g]\n", 12345.678, 12345.678, 100000.0, 1000000.0, 0.0001, 1e-10, 1.0);
    printf("[%a] [%.2a] [%A]\n", 1.0, 3.14159, 0.5);
    printf("[%f] [%F] [%e] [%g] [%5.1f]\n", 1e308 * 10, -1e308 * 10, 0.0, -0.0, 1e300);
    printf("[%.15g] [%.17g] [%.20f]\n", 0.1, 0.1, 0.1);
    printf("[%s] [%10s] [%-10s] [%.2s] [%c] [%3c] [%-3c] [%%]\n", "text", "text", "text", "text", 'x', 'y', 'z');
    printf("[%*d] [%-*d] [%.*f] [%*.*f]\n", 6, 1, 6, 2, 2, 3.14159, 8, 3, 2.71828);
    printf("[%2$s %1$s]\n", "world", "hello");
    printf("[%2$*1$d]\n", 6, 42);
    printf("[%" PRId64 "] [%" PRIu32 "] [%" PRIx64 "] [%" PRIdMAX "]\n", INT64_C(-1), UINT32_MAX, UINT64_MAX,
           INTMAX_MAX);
    printf("%p %s\n", (void *)0, (char *)NULL == NULL ? "null" : "not null");
    int count = 0, written = printf("12345%n6789\n", &count);
    printf("%d %d\n", count, written);
    char small[8];
    written = snprintf(small, sizeof small, "%s-%d", "overflow", 12345);
    printf("%s %d %d\n", small, written, snprintf(NULL, 0, "%d", 123456));
    written = sprintf(small, "%03d", 7);
    printf("%s %d\n", small, written);
    char *text = NULL;
    written = asprintf(&text, "%d+%d=%d", 1, 2, 3);
    printf("%s %d\n", text, written);
    free(text);
    printf("%d\n", trace("%s %d %.2f %ld|", "mixed", 1, 2.5, 3L));
    float single = 1.1f;
    printf("%f %.10f\n", single, single);
    puts("puts");
    fputs("fputs\n", stdout);
    putchar('c');
    putc('\n', stdout);
    fprintf(stdout, "%s\n", "fprintf");
    fwrite("fwrite\n", 1, 7, stdout);
    return 0;
}
