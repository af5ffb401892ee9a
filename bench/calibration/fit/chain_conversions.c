/* Conversions from floating point to integers and back that wait for each other. */
enum { STEPS = 4000 };
static volatile double first = 1000.5;

double kernel(void)
{
    double x = first;
    for (int i = 0; i < STEPS; i++) {
        int whole = (int)x;
        x = (whole & 1023) * 1.5 + 3.25;
    }
    return x;
}
