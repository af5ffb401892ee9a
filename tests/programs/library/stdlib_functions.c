/* Numbers, memory, environment, sorting aids of <stdlib.h> (C11 7.22). */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void at_exit_one(void)
{
    printf("first registered, last run\n");
}

static void at_exit_two(void)
{
    printf("last registered, first run\n");
}

static int compare_int(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    char *end;
    printf("%d %ld %lld %g\n", atoi(" -42x"), atol("123456789012"), atoll("-1"), atof("2.5e3"));
    printf("%ld ", strtol("0x1fz", &end, 0));
    printf("%s %lu %ld\n", end, strtoul("777", NULL, 8), strtol("zz", NULL, 36));
    errno = 0;
    long big = strtol("99999999999999999999", NULL, 10);
    printf("%d %d\n", big == LONG_MAX, errno == ERANGE);
    double parsed = strtod("  1.25e2rest", &end);
    printf("%g %s %g\n", parsed, end, strtof("0.1", NULL));
    printf("%jd %ju\n", strtoimax("-5", NULL, 10), strtoumax("5", NULL, 10));
    div_t d = div(-7, 2);
    ldiv_t l = ldiv(7, -2);
    lldiv_t ll = lldiv(-7, -2);
    imaxdiv_t im = imaxdiv(9, 4);
    printf("%d %d %ld %ld %lld %lld %jd %jd\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, (intmax_t)im.quot,
           (intmax_t)im.rem);
    printf("%d %ld %lld %jd\n", abs(-5), labs(-6L), llabs(-7LL), imaxabs(-8));
    int *grown = NULL;
    for (int n = 1; n <= 1000; n++) {
        grown = realloc(grown, n * sizeof *grown);
        grown[n - 1] = n;
    }
    long sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += grown[i];
    free(grown);
    int *zero = calloc(100, sizeof *zero);
    for (int i = 0; i < 100; i++)
        sum += zero[i];
    free(zero);
    printf("%ld %d\n", sum, malloc(SIZE_MAX) == NULL);
    void *aligned = aligned_alloc(64, 128), *other;
    int failed = posix_memalign(&other, 256, 10);
    printf("%d %d %d\n", (int)((uintptr_t)aligned % 64), failed, (int)((uintptr_t)other % 256));
    free(aligned);
    free(other);
    int sorted[] = {1, 3, 5, 7, 9, 11}, key = 7, missing = 4;
    int *found = bsearch(&key, sorted, 6, sizeof *sorted, compare_int);
    printf("%d %d\n", (int)(found - sorted), bsearch(&missing, sorted, 6, sizeof *sorted, compare_int) == NULL);
    setenv("ORRERY_TEST", "value", 1);
    printf("%s ", getenv("ORRERY_TEST"));
    setenv("ORRERY_TEST", "other", 0);
    putenv("ORRERY_TEST2=two");
    printf("%s %s ", getenv("ORRERY_TEST"), getenv("ORRERY_TEST2"));
    unsetenv("ORRERY_TEST");
    printf("%d\n", getenv("ORRERY_TEST") == NULL);
    wchar_t wide[8];
    printf("%zu %d\n", mbstowcs(wide, "abc", 8), wide[1]);
    atexit(at_exit_one);
    atexit(at_exit_two);
    exit(0);
}
