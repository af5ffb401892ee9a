/* C23: a variable-length array may have an empty list. gcc knows it since version 13. */
#include <stdio.h>
#include <string.h>

struct P {
    int x;
    double y[2];
};

static void dirty(int n)
{
    volatile char b[n];
    memset((void *)b, 0x5a, sizeof b);
}
static int count(int n, int m)
{
    int bad = 0;
    for (int turn = 0; turn < 3; turn++) {
        int a[n] = {};
        struct P p[m][n] = {};
        const unsigned char *bytes = (const unsigned char *)p;
        for (int i = 0; i < n; i++)
            bad += a[i] != 0;
        for (size_t i = 0; i < sizeof p; i++)
            bad += bytes[i] != 0;
        memset(a, 1, sizeof a);
        memset(p, 1, sizeof p);
    }
    return bad;
}
int main(void)
{
    for (int n = 1; n < 20; n += 3) {
        dirty(4096);
        printf("%d\n", count(n, 20 - n));
    }
    return 0;
}
