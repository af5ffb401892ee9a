/* modular_power.c - probable primes by Fermat's test: chains of 64-bit multiplications and divisions. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

int main(int argc, char **argv)
{
    unsigned most = argc > 1 ? (unsigned)atoi(argv[1]) : 6000000;
    unsigned primes = 0;
    for (unsigned n = 3; n < most; n += 2)
        if (power(2, n - 1, n) == 1)
            primes++;
    printf("%u\n", primes);
    return 0;
}
