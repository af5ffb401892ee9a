/* && || ! ?: and comma, as values and as conditions, with their side effects (C11 6.5.13 to 6.5.17). */
#include <stdio.h>

static int calls;
static int yes(int v) { calls++; printf("[%d]", v); return v; }
static double real(double v) { calls++; return v; }
static char *pointer(char *p) { calls++; return p; }

int main(void)
{
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            for (int c = 0; c < 2; c++) {
                int v = yes(a) && yes(b) || yes(c);
                int w = yes(a) || yes(b) && !yes(c);
                int x = !(yes(a) && (yes(b) || yes(c)));
                if ((yes(a) || yes(b)) && (yes(b) || yes(c)) && !(a && b && c))
                    printf("T");
                else
                    printf("F");
                printf(" %d%d%d %d\n", v, w, x, calls);
            }
    int n = 5;
    printf("%d %d\n", n > 3 ? n < 10 ? 1 : 2 : 3, n < 3 ? 1 : n == 5 ? 2 : 3);
    printf("%d %d %d\n", n ?: 7, 0 ?: 8, yes(0) ?: yes(9));
    double d = n > 4 ? 1 : 2.5;
    long l = n > 4 ? -1 : 2u;
    printf("%g %ld %d\n", d, l, (n ? (unsigned char)255 : -1));
    printf("%d %d %d\n", 0.0 || -0.0, 1e-300 && 1, !0.5f);
    printf("%d %d\n", real(0.0) || real(3.0), pointer(0) && pointer("x"));
    char *p = pointer(NULL) ? "set" : "null";
    printf("%s %d\n", p, (calls = 1, calls += 2, calls * 2));
    const char *q = n == 5 && p ? p : NULL;
    printf("%s\n", q ? q : "none");
    while (n-- && n != 2)
        ;
    printf("%d\n", n);
    do
        n += 3;
    while (n < 10 && !(n & 1) == 0 || n == 5);
    printf("%d\n", n);
    int i, j;
    for (i = 0, j = 10; i < j && (i + j) > 5; i++, j--)
        if (i == 3)
            continue;
        else if (j == 6)
            break;
    printf("%d %d\n", i, j);
    void *v = n ? (void *)0 : &n;
    printf("%d %d\n", v == 0, !v);
    _Bool b = n && v;
    b |= n > 1;
    printf("%d\n", b);
    n > 1 ? (n = 100) : (n = 200);
    n == 100 && (n = 300);
    n == 100 || (n += 1);
    printf("%d\n", n);
    float nan = 0.0f / 0.0f;
    double dnan = nan;
    printf("%d%d%d%d%d%d %d%d%d%d%d%d %d%d\n", nan < 1, nan <= 1, nan > 1, nan >= 1, nan == nan, nan != nan, dnan < 1,
           dnan <= 1, dnan > 1, dnan >= 1, dnan == dnan, dnan != dnan, !(dnan < 1), !(nan >= 1));
    if (dnan < 1 || dnan > 1 || dnan == 1 || dnan <= 1 || dnan >= 1)
        printf("ordered\n");
    if (!(dnan < 1) && !(dnan >= 1) && dnan != 1 && dnan)
        printf("unordered\n");
    return 0;
}
