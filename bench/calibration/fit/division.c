/* Integer division and remainder: trial division and greatest common divisors. */
static long gcd(long a, long b)
{
    while (b) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

double kernel(void)
{
    long sum = 0;
    int primes = 0;
    for (int n = 3; n < 1200; n += 2) {
        int d = 3;
        while (d * d <= n && n % d)
            d += 2;
        primes += d * d > n;
    }
    for (long a = 1000; a < 1300; a++)
        for (long b = 600; b < 606; b++)
            sum += gcd(a, b);
    return (double)(sum + primes);
}
