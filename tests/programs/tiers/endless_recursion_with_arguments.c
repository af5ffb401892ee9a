/* However registers have grown on the way, calls end where those that a rank may have end: at the same call in every tier. */
static int deeper(int a, int b, int c, int d, int e)
{
    return deeper(b, c, d, e, a + 1) + a * b + c * d + e;
}

int main(void)
{
    return deeper(1, 2, 3, 4, 5);
}
