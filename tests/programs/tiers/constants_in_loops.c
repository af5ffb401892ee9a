/* Constants lie in a part of memory that all ranks share: loops read them, and one pointer meets both kinds of memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double weights[] = {0.5, 1.25, -3, 1e10, 7};
static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
static const char *const names[] = {"zero", "one", "two", "three", "four"};
static const struct {
    short a;
    unsigned char b;
    float c;
} table[] = {{-1, 200, 1.5f}, {30000, 7, -0.25f}, {5, 255, 1e6f}};

static long sum(const char *text)
{
    long n = 0;
    for (; *text; text++)
        n = n * 31 + *text;
    return n;
}

int main(void)
{
    char local[32] = "on the stack", *heap = strdup("on the heap");
    static char global[] = "in the data";
    const char *all[] = {"a constant", local, heap, global, "", names[3]};
    long n = 0;
    double d = 0;
    for (int i = 0; i < 400; i++) {
        n = n * 3 + sum(all[i % 6]) + primes[i * 7 % 10] + names[i % 5][i % 3];
        d = d * 0.75 + weights[i % 5] + table[i % 3].c;
        n ^= table[(i + 1) % 3].a * table[i % 3].b;
        local[i % 12] ^= 3;
    }
    printf("%ld %.17g\n", n, d);
    int difference = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        for (unsigned j = 0; j < 6; j++)
            difference = difference * 3 + (strcmp(names[i], all[j]) > 0);
    printf("%d\n", difference);
    free(heap);
}
