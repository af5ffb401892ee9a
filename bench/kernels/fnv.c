/* fnv.c - Fowler, Noll and Vo's hash (FNV-1a, 64 bits) of keys of different lengths: one byte, one exclusive or, one
 * multiplication after the other.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 4096 };
static unsigned char text[BYTES];

static uint64_t hash(const unsigned char *bytes, int length)
{
    uint64_t h = 14695981039346656037u;
    for (int i = 0; i < length; i++)
        h = (h ^ bytes[i]) * 1099511628211u;
    return h;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 2500;
    for (int i = 0; i < BYTES; i++)
        text[i] = (unsigned char)(i * 13 + (i >> 5));
    uint64_t all = 0;
    for (int turn = 0; turn < turns; turn++)
        for (int at = 0; at < BYTES - 256; at++)
            all = all * 31 + hash(text + at, (at * 7 + turn) % 64 + 1);
    printf("%016llx\n", (unsigned long long)all);
    return 0;
}
