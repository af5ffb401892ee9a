/* Shuffles cards with a generator of random numbers. */
enum { N = 1024, TURNS = 8 };
static int cards[N];

double kernel(void)
{
    unsigned long state = 88172645463325252ul;
    for (int i = 0; i < N; i++)
        cards[i] = i;
    for (int t = 0; t < TURNS; t++)
        for (int i = N - 1; i > 0; i--) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            int j = (int)((state >> 32) * (unsigned long)(i + 1) >> 32);
            int keep = cards[i];
            cards[i] = cards[j];
            cards[j] = keep;
        }
    return cards[0];
}
