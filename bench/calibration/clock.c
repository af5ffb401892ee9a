/* The clock frequency: a chain of shifts and exclusive ors, each of which takes one cycle and waits for the one before.
 */
enum { STEPS = 20000 }; /* of six instructions in the chain */

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
