/* Frames and objects beyond the 16-bit displacements of loads and stores, large copies, many arguments, deep nesting. */
#include <stdio.h>
#include <string.h>

struct Huge { char bytes[100000]; int tail; };
static struct Huge stored;

static int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, double k, long l, char m, short n)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + (int)k + (int)l + m + n;
}

static struct Huge change(struct Huge h, int by)
{
    h.tail += by;
    h.bytes[99999] = (char)by;
    return h;
}

static int local(int n)
{
    int before = n;
    char room[70000];
    int after = n + 1;
    double d = n / 4.0;
    struct Huge h;
    memset(room, n, sizeof room);
    memset(&h, 0, sizeof h);
    h.tail = after;
    h.bytes[50000] = 'x';
    int *p = &h.tail;
    ++*p;
    h.tail <<= 1;
    return before + after + room[69999] + h.tail + (int)d + h.bytes[50000];
}

static int nest(int n) { return n; }

#define TEN(x) x x x x x x x x x x
#define STEP sum += v[i++ & 7] * (sum & 3) - i;

int main(void)
{
    printf("%d\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.5, 12, 13, 14));
    printf("%d\n", many(nest(1), nest(nest(2)), many(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, nest(1)), 4, nest(5), 6, 7,
                        nest(nest(nest(8))), 9, 10, nest(11), 12, nest(13), 14));
    stored.tail = 40;
    struct Huge h = change(stored, 2);
    stored = change(change(h, 1), 3);
    printf("%d %d %d %d\n", h.tail, h.bytes[99999], stored.tail, stored.bytes[99999]);
    printf("%d\n", local(5));
    int v[8] = {1, 2, 3, 4, 5, 6, 7, 8}, i = 0;
    unsigned sum = 1;
    TEN(TEN(TEN(STEP)))
    printf("%u %d\n", sum, i);
    printf("%d\n", ((((((((((((((((((((((((((((((((((((1 + nest(2)) * 2) + 1) * 2) + nest(3)) * 2) + 1) * 2) + 1) - 2) + 1) * 2) +
                       1) * 2) + 1) - 2) + 1) * 2) + 1) * 2) + 1) - 2) + 1) * 2) + 1) * 2) + 1) - 2) + nest(1)) * 2) + 1) * 2) +
                       1) - 2) + 1) * 2) + 1);
    long big = 0x7fffffffffffL, a = 32767, b = 32768, c = -32768, d = -32769;
    printf("%ld %ld %ld %ld %ld\n", big + 32768, a + 32768, b - 32769, c & 0xffff0000, d ^ 0x12345678);
    printf("%d%d%d%d%d%d\n", a < 32768, b < 32769, c > -32769, d >= -32769, a == 32767, b != 32768);
    if (a < 40000 && b > 32767 && d <= -32769 && big != 0x7ffffffffffeL)
        printf("compared\n");
    printf("%ld %ld %ld\n", a * 100000, b * 3, (long)(unsigned)(a * 65536 * 4) / 100001);
    return 0;
}
