/* radix_sort.c - sorts 64-bit keys byte by byte: counting, running sums, scattered stores. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };
static uint64_t keys[MOST], spare[MOST];

static void pass(const uint64_t *from, uint64_t *to, int n, int shift)
{
    int places[256] = {0}, sum = 0;
    for (int i = 0; i < n; i++)
        places[from[i] >> shift & 255]++;
    for (int d = 0; d < 256; d++) {
        int count = places[d];
        places[d] = sum;
        sum += count;
    }
    for (int i = 0; i < n; i++)
        to[places[from[i] >> shift & 255]++] = from[i];
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 320, n = argc > 2 ? atoi(argv[2]) : 60000;
    uint64_t state = 88172645463325252u, checksum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            keys[i] = state;
        }
        for (int shift = 0; shift < 64; shift += 16) {
            pass(keys, spare, n, shift);
            pass(spare, keys, n, shift + 8);
        }
        checksum += keys[n / 2] ^ keys[n / 3];
    }
    printf("%016llx\n", (unsigned long long)checksum);
    return 0;
}
