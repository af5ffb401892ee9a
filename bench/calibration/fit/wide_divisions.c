/* Divisions and remainders that do not wait for each other. */
enum { STEPS = 1500 };
static volatile int first = 7;

double kernel(void)
{
    int d = first;
    long sum = 0;
    for (int i = 1; i <= STEPS; i++) {
        sum += i * 1000 / d;
        sum += i * 77 % (d + 5);
    }
    return (double)sum;
}
