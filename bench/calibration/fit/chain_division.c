/* Integer divisions that wait for each other. */
enum { STEPS = 1500 };

static volatile unsigned long first = 987654321987654321ul;
static volatile unsigned long more = 17;

double kernel(void)
{
    unsigned long x = first, y = more, z = y + 1;
    for (int i = 0; i < STEPS; i++) {
        x = 0x123456789abcdeful / (x | 1) + y;
        x = z % (x | 7) + z / y;
    }
    return (double)x;
}
