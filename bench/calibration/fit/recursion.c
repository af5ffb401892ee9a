/* Calls: Fibonacci numbers and the Tak function, which compilers do not unroll. */
static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int tak(int x, int y, int z)
{
    return y < x ? tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) : z;
}

static volatile int size = 18;

double kernel(void)
{
    return fibonacci(size) + tak(12, 8, 4);
}
