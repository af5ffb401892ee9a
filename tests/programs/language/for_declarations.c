/* What the first clause of a for statement declares, several declarators too, lives until the loop ends (6.8.5.3p1). */
#include <stdio.h>

static void set(long *place, long value)
{
    *place = value;
}

int main(void)
{
    for (long i = 0, step = 2, *at = &step; i < 6; i += *at) {
        long inner;
        set(&inner, 100 + i);
        printf("%ld %ld %ld\n", i, step, inner);
    }
    for (int n = 3, cells[n + 1], i = 0; i <= n; i++) {
        int again[n];
        cells[i] = i * i;
        for (int k = 0; k < n; k++)
            again[k] = -1;
        if (i == n)
            printf("%d %d %d %d %d\n", cells[0], cells[1], cells[2], cells[3], again[2]);
    }
    for (struct { int a, b; } p = {1, 2}, *q = &p; q->a < 4; q->a++) {
        struct {
            int a, b;
        } other = {70, 80};
        set(&(long){0}, (long)other.b);
        printf("%d %d %d\n", p.a, q->b, other.a);
    }
}
