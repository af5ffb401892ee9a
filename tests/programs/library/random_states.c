/* random() with states of several sizes, and the re-entrant generators, number by number as glibc gives them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    static char states[5][256];
    static const size_t sizes[] = {8, 32, 64, 128, 256};
    long first = random();
    for (int i = 0; i < 5; i++) {
        initstate((unsigned)(i + 1), states[i], sizes[i]);
        for (int j = 0; j < 5; j++)
            printf(" %ld", random());
        printf("\n");
    }
    for (int i = 0; i < 5; i++) {
        setstate(states[i]);
        printf(" %ld", random());
    }
    srandom(77);
    printf(" %ld %ld\n", random(), first);
    struct random_data data;
    char state[128];
    memset(&data, 0, sizeof data);
    initstate_r(5, state, sizeof state, &data);
    int number;
    for (int i = 0; i < 5; i++) {
        random_r(&data, &number);
        printf(" %d", number);
    }
    srandom_r(9, &data);
    random_r(&data, &number);
    printf(" %d\n", number);
    struct drand48_data d48;
    srand48_r(12345, &d48);
    double real;
    long integer;
    drand48_r(&d48, &real);
    lrand48_r(&d48, &integer);
    printf("%.17g %ld", real, integer);
    mrand48_r(&d48, &integer);
    unsigned short x[3] = {1, 2, 3};
    erand48_r(x, &d48, &real);
    printf(" %ld %.17g\n", integer, real);
    srand(1);
    unsigned seed = 7;
    for (int i = 0; i < 5; i++)
        printf(" %d %d", rand(), rand_r(&seed));
    srand48(3);
    printf(" %.17g %ld %ld\n", drand48(), lrand48(), mrand48());
    return 0;
}
