/* The queens problem by recursion over bit masks. */
static int place(unsigned all, unsigned columns, unsigned left, unsigned right)
{
    if (columns == all)
        return 1;
    int count = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned here = free & -free;
        count += place(all, columns | here, (left | here) << 1, (right | here) >> 1);
    }
    return count;
}

static volatile int size = 8;

double kernel(void)
{
    return place((1u << size) - 1, 0, 0, 0) + place((1u << (size - 1)) - 1, 0, 0, 0);
}
