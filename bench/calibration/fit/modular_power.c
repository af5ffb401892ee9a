/* Powers modulo a number: the test of Miller and Rabin on small numbers. */
static unsigned long power(unsigned long base, unsigned long exponent, unsigned long modulus)
{
    unsigned long result = 1;
    for (base %= modulus; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

double kernel(void)
{
    int primes = 0;
    for (unsigned long n = 1000003; n < 1000003 + 400; n += 2)
        primes += power(2, n - 1, n) == 1 && power(3, n - 1, n) == 1;
    return primes;
}
