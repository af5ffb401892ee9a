/* Bits counted, reversed and interleaved by shifts and masks. */
enum { N = 2500 };

static unsigned long reverse(unsigned long x)
{
    x = (x >> 1 & 0x5555555555555555ul) | (x & 0x5555555555555555ul) << 1;
    x = (x >> 2 & 0x3333333333333333ul) | (x & 0x3333333333333333ul) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0ful) | (x & 0x0f0f0f0f0f0f0f0ful) << 4;
    return x;
}

static int count(unsigned long x)
{
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

double kernel(void)
{
    unsigned long x = 0x123456789abcdeful, sum = 0;
    for (int i = 0; i < N; i++) {
        x = x * 6364136223846793005ul + 1442695040888963407ul;
        sum += reverse(x) >> 40;
        sum += (unsigned long)count(x & 0xffff);
    }
    return (double)sum;
}
