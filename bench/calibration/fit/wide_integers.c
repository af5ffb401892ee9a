/* Sums of integers that do not wait for each other, without memory. */
enum { STEPS = 6000 };
static volatile unsigned first = 5;

double kernel(void)
{
    unsigned a = first, b = a + 1, c = a + 2, d = a + 3, e = a + 4;
    for (unsigned i = 0; i < STEPS; i++) {
        a += i ^ 0x55;
        b ^= i + 7;
        c += i << 3;
        d -= i & 0xf0f;
        e ^= i >> 2;
        a ^= 3;
        b += 9;
    }
    return a + b + c + d + e;
}
