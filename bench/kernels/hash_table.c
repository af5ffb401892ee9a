/* hash_table.c - integers in a table with open addressing: multiplicative hashing, probing, insertions and removals. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOG = 16, SLOTS = 1 << LOG };
static uint32_t keys[SLOTS], counts[SLOTS];

static uint32_t home(uint32_t key)
{
    return key * 2654435769u >> (32 - LOG);
}

static uint32_t find(uint32_t key)
{
    uint32_t at = home(key);
    while (keys[at] && keys[at] != key)
        at = (at + 1) & (SLOTS - 1);
    return at;
}

/* Moves later members of the run up, so that no search meets a hole before the key it looks for. */
static void take_out(uint32_t hole)
{
    for (uint32_t at = (hole + 1) & (SLOTS - 1); keys[at]; at = (at + 1) & (SLOTS - 1))
        if (((at - home(keys[at])) & (SLOTS - 1)) >= ((at - hole) & (SLOTS - 1))) {
            keys[hole] = keys[at];
            counts[hole] = counts[at];
            hole = at;
        }
    keys[hole] = counts[hole] = 0;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 20000000;
    uint32_t state = 1, checksum = 0;
    for (int i = 0; i < turns; i++) {
        state = state * 1664525 + 1013904223;
        uint32_t key = (state >> 8) % 50000 + 1, at = find(key);
        if (keys[at] && counts[at] == 3) {
            checksum = checksum * 31 + key;
            take_out(at);
        } else {
            keys[at] = key;
            counts[at]++;
        }
    }
    printf("%u\n", checksum);
    return 0;
}
