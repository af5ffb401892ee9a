/* Factors of numbers by trial division with a wheel of 30. */
enum { FIRST = 100001, NUMBERS = 120 };

static int factors(unsigned n)
{
    static const unsigned char steps[8] = {4, 2, 4, 2, 4, 6, 2, 6};
    int count = 0;
    unsigned d = 7, k = 0;
    static const unsigned small[3] = {2, 3, 5};
    for (int i = 0; i < 3; i++)
        while (n % small[i] == 0) {
            n /= small[i];
            count++;
        }
    while (d * d <= n) {
        while (n % d == 0) {
            n /= d;
            count++;
        }
        d += steps[k];
        k = (k + 1) & 7;
    }
    return count + (n > 1);
}

double kernel(void)
{
    int sum = 0;
    for (unsigned i = 0; i < NUMBERS; i++)
        sum += factors(FIRST + 2 * i);
    return sum;
}
