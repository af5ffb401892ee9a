/* Calls of small functions that do not wait for each other. */
enum { STEPS = 4000 };
static int twice(int x)
{
    return x + x;
}

static int third(int x, int y)
{
    return x - y;
}

static int (*volatile one)(int) = twice;
static int (*volatile two)(int, int) = third;

double kernel(void)
{
    int (*f)(int) = one;
    int (*g)(int, int) = two;
    int sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += f(i) + g(i, 3);
    return sum;
}
