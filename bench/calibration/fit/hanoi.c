/* The towers of Hanoi: recursion with several arguments and small arrays. */
enum { DISCS = 11 };
static int pegs[3][DISCS + 1], heights[3];

static int move(int discs, int from, int to, int by)
{
    if (discs == 0)
        return 0;
    int moves = move(discs - 1, from, by, to);
    pegs[to][heights[to]++] = pegs[from][--heights[from]];
    return moves + 1 + move(discs - 1, by, to, from);
}

double kernel(void)
{
    heights[0] = DISCS;
    heights[1] = heights[2] = 0;
    for (int d = 0; d < DISCS; d++)
        pegs[0][d] = DISCS - d;
    return move(DISCS, 0, 2, 1) + pegs[2][0];
}
