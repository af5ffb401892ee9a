/* A queue in a ring buffer: a random number chooses between producer and consumer. */
enum { SIZE = 256, STEPS = 12000 };
static int ring[SIZE];

double kernel(void)
{
    unsigned head = 0, tail = 0, state = 9;
    long sum = 0, refused = 0;
    for (int i = 0; i < STEPS; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        if (state % 5 < 3) {
            if (head - tail < SIZE)
                ring[head++ % SIZE] = (int)(state & 1023);
            else
                refused++;
        } else if (head != tail) {
            sum += ring[tail++ % SIZE];
        }
    }
    return (double)(sum - refused);
}
