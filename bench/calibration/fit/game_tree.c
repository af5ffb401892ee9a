/* The best move in a game of taking away, by alpha-beta search. */
static int best(unsigned rows, int turn, int alpha, int beta)
{
    if (!rows)
        return turn ? 1 : -1;
    for (int row = 0; row < 3; row++) {
        int left = rows >> (4 * row) & 15;
        for (int take = 1; take <= left; take++) {
            int value = best(rows - ((unsigned)take << (4 * row)), !turn, alpha, beta);
            if (turn) {
                if (value > alpha)
                    alpha = value;
            } else if (value < beta) {
                beta = value;
            }
            if (alpha >= beta)
                return turn ? alpha : beta;
        }
    }
    return turn ? alpha : beta;
}

double kernel(void)
{
    return best(0x343, 1, -2, 2) + best(0x352, 1, -2, 2) + best(0x244, 0, -2, 2);
}
