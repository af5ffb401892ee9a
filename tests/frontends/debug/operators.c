/* Operators of the debugger's expressions: their results are those of C, with 64 bits. */
struct empty {
};

static int twice(int x)
{
    return 2 * x;
}

int main(void)
{
    int seven = 7, minus = -7, zero = 0, numbers[5] = {1, 2, 3, 4, 5};
    unsigned three = 3, large = 4000000000u;
    long least = -9223372036854775807L - 1;
    unsigned long most = 18446744073709551615UL;
    double half = 0.5, two = 2.0;
    float quarter = 0.25f;
    int *first = numbers, *third = numbers + 2;
    struct empty nothing[2], *one = &nothing[0], *other = &nothing[1];
    int (*function)(int) = twice;
    return function(seven) - 14 + zero * (minus + (int)three + (int)large + (int)least + (int)most + *first + *third) +
           (one == 0) + (other == 0) + (half + two + quarter < 0);
}
