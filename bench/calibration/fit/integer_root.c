/* Square roots of integers, bit by bit and by division. */
enum { N = 900 };

static unsigned by_bits(unsigned n)
{
    unsigned root = 0;
    for (unsigned bit = 1u << 14; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= n)
            root |= bit;
    return root;
}

static unsigned by_division(unsigned n)
{
    unsigned x = n, y = (n + 1) / 2;
    while (y < x) {
        x = y;
        y = (x + n / x) / 2;
    }
    return x;
}

double kernel(void)
{
    unsigned sum = 0;
    for (unsigned i = 1; i <= N; i++) {
        sum += by_bits(i * 90001u);
        sum += by_division(i * 977u);
    }
    return sum;
}
