/* Sieve of Eratosthenes. */
enum { N = 30000 };
static unsigned char composite[N];

double kernel(void)
{
    int primes = 0;
    for (int i = 0; i < N; i++)
        composite[i] = 0;
    for (int i = 2; i < N; i++) {
        if (composite[i])
            continue;
        primes++;
        for (long j = (long)i * i; j < N; j += i)
            composite[j] = 1;
    }
    return primes;
}
