/* Decisions by random bits, with work that cannot be moved out of the branches. */
enum { STEPS = 4000 };
static long a[8], b[8];

double kernel(void)
{
    unsigned long state = 88172645463325252ul;
    for (int i = 0; i < 8; i++)
        a[i] = b[i] = i;
    for (int i = 0; i < STEPS; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if (state & 256)
            a[i & 7] += b[(i + 1) & 7];
        else
            b[i & 7] ^= a[(i + 3) & 7];
    }
    return (double)(a[1] + b[2]);
}
