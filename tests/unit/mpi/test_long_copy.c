/* test_long_copy.c - copies past the caches move what memmove() moves, at any alignment, also where they overlap. */
#include "mpi/p2p/p2p.h"

#include "../random.h"

#include <criterion/criterion.h>
#include <string.h>

enum { SIZE = 3000, RUNS = 20000 };

Test(long_copy, moves_like_memmove)
{
    static uint8_t expected[SIZE], memory[SIZE] __attribute__((aligned(64)));
    uint64_t seed = 4711;
    for (int run = 0; run < RUNS; run++) {
        for (int i = 0; i < SIZE; i++)
            expected[i] = memory[i] = (uint8_t)(i * 31 + run);
        uint32_t bytes = random_below(&seed, random_below(&seed, 2) ? 200 : SIZE / 2);
        uint32_t from = random_below(&seed, SIZE - bytes), to = random_below(&seed, SIZE - bytes);
        memmove(expected + to, expected + from, bytes);
        mpi_long_copy(memory + to, memory + from, bytes);
        cr_assert_arr_eq(memory, expected, SIZE, "%u bytes from %u to %u", bytes, from, to);
    }
}
