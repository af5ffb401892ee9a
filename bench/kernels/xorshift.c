/* xorshift.c - random numbers by shifts and exclusive or (Marsaglia 2003), counted by residue and by number of set
 * bits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next(uint64_t *state)
{
    uint64_t s = *state;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return *state = s;
}

static int bits_set(uint64_t v)
{
    v -= v >> 1 & 0x5555555555555555u;
    v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(v * 0x0101010101010101u >> 56);
}

int main(int argc, char **argv)
{
    int draws = argc > 1 ? atoi(argv[1]) : 60000000;
    uint64_t state = 88172645463325252u;
    unsigned residues[64] = {0}, bits = 0;
    for (int i = 0; i < draws; i++) {
        uint64_t v = next(&state);
        residues[v % 61]++;
        bits += (unsigned)bits_set(v);
    }
    unsigned checksum = bits;
    for (int i = 0; i < 61; i++)
        checksum = checksum * 33 + residues[i];
    printf("%u\n", checksum);
    return 0;
}
