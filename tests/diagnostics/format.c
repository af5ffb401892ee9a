/* Formats of printf, scanf and strftime against their arguments. */
/* options: -Wall -Wformat=2 */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
void mylog(int l, const char *f, ...) __attribute__((format(printf, 2, 3)));
void bad(double d, long l, size_t z, char *s, int i, long long ll, float f)
{
    printf("%d\n", d);
    printf("%d %s\n", l, i);
    printf("x\t%d\n", z);
    printf("%5.2lf %i\n", i, ll);
    printf("%d\n");
    printf("%d\n", i, l);
    printf("%y\n", i);
    printf("%", i);
    printf(s);
    printf(s, i);
    printf("");
    printf("%*d\n", l, i);
    scanf("%d", i);
    scanf("%f", &d);
    scanf("%s", &i);
    mylog(1, "%s", i);
    printf("%ls %hf %+s\n", s, d, s);
    printf("%p %s\n", i, &s);
    char b[20]; strftime(b, 20, "%Q", NULL);
    printf("%c %d %u %f\n", s, s, f, i);
    printf("a" "%d\n", d);
}
void good(double d, long l, size_t z, char *s, int i, long long ll, float f, unsigned u, const char *c, int64_t q, uint32_t w, short h, char ch, void *p, wchar_t *ws, unsigned char *us)
{
    printf("%d %ld %zu %s %lld %f %g %u %s %5.3e\n", i, l, z, s, ll, d, f, u, c, f);
    printf("%" PRId64 " %" PRIu32 " %hd %hhd %c %p %p %x %X\n", q, w, h, ch, ch, p, (void *)s, i, u);
    printf("%2$d %1$s\n", s, i);
    printf("%*.*f %-10s|%05d|%+d|% d|%#x %%\n", i, i, d, s, i, i, i, u);
    printf("%ls %s %n %Lf %a %m\n", ws, us, &i, (long double)d, d);
    scanf("%d %ld %lf %f %s %c %[^a] %*d %5s %hd %zu %p %n %u", &i, &l, &d, &f, s, &ch, s, s, &h, &z, &p, &i, &u);
    mylog(1, "%d%s", i, s);
    printf(i ? "%d\n" : "%x\n", i);
    printf("%lu %ld\n", sizeof(int), s - c);
    char b[20]; strftime(b, 20, "%Y-%m-%d %H:%M:%S%%%Ez", NULL);
    printf("%s\n", NULL ? s : "a");
}
