/* test_checksum.c - checksums: the same for the same bytes, another one for any change of a word. */
#include "base/checksum.h"

#include <criterion/criterion.h>
#include <string.h>

Test(checksum, tells_every_changed_bit)
{
    uint8_t bytes[64];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 37);
    uint64_t sum = base_checksum(bytes, sizeof bytes);
    cr_assert_eq(base_checksum(bytes, sizeof bytes), sum);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cr_expect_neq(base_checksum(bytes, sizeof bytes), sum, "bit %zu", bit);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

/* Traces and programs that were written once are read for ever. */
Test(checksum, stays_what_it_is)
{
    static const uint8_t zeros[16];
    cr_expect_eq(base_checksum(zeros, 0), UINT64_C(0xcbf29ce484222325));
    cr_expect_neq(base_checksum(zeros, 8), base_checksum(zeros, 16));
    uint64_t sum = UINT64_C(0xcbf29ce484222325) * UINT64_C(0x9e3779b97f4a7c15);
    cr_expect_eq(base_checksum(zeros, 8), sum ^ sum >> 29);
}
