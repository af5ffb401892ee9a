/* checksum.c - a multiplicative hash over words of 8 bytes.
 *
 * Each step is a bijection of the sum for a given word, and a bijection of the word for a given sum. */
#include "base/checksum.h"

#include <string.h>

uint64_t base_checksum(const uint8_t *bytes, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return sum;
}
