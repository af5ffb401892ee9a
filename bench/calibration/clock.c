/* Measures the clock frequency: a chain of shifts and exclusive ors. Each takes one cycle and waits for the one before.
 */
enum { STEPS = 20000 }; /* each has six instructions of the chain */

static volatile unsigned long start = 88172645463325252ul;

double kernel(void)
{
    unsigned long state = start;
    for (int i = 0; i < STEPS; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    return (double)state;
}
