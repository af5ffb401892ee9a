/* Collatz sequences: branches on odd and even. */
enum { N = 500 };

double kernel(void)
{
    long steps = 0, longest = 0;
    for (long start = 1; start < N; start++) {
        long n = start, length = 0;
        while (n != 1) {
            if (n & 1)
                n = 3 * n + 1;
            else
                n /= 2;
            length++;
        }
        steps += length;
        if (length > longest)
            longest = length;
    }
    return (double)(steps + longest);
}
