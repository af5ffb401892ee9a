/* sieve.c - primes by Eratosthenes: byte stores with a stride, short loops. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2000000 };
static unsigned char composite[N];

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 36, count = 0;
    for (int turn = 0; turn < turns; turn++) {
        memset(composite, 0, sizeof composite);
        count = 0;
        for (int i = 2; i < N; i++) {
            if (composite[i])
                continue;
            count++;
            for (int j = 2 * i; j < N; j += i)
                composite[j] = 1;
        }
    }
    printf("%d\n", count);
    return 0;
}
