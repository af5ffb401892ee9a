/* Solves a sudoku by trial and error. */
static int board[9][9];
static const char puzzle[] = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

static int possible(int row, int column, int digit)
{
    for (int k = 0; k < 9; k++)
        if (board[row][k] == digit || board[k][column] == digit)
            return 0;
    int top = row / 3 * 3, left = column / 3 * 3;
    for (int i = top; i < top + 3; i++)
        for (int j = left; j < left + 3; j++)
            if (board[i][j] == digit)
                return 0;
    return 1;
}

static int solve(int from)
{
    while (from < 81 && board[from / 9][from % 9])
        from++;
    if (from == 81)
        return 1;
    for (int digit = 1; digit <= 9; digit++)
        if (possible(from / 9, from % 9, digit)) {
            board[from / 9][from % 9] = digit;
            if (solve(from + 1))
                return 1;
            board[from / 9][from % 9] = 0;
        }
    return 0;
}

double kernel(void)
{
    for (int i = 0; i < 81; i++)
        board[i / 9][i % 9] = puzzle[i] == '.' ? 0 : puzzle[i] - '0';
    int solved = solve(0);
    return solved * 1000 + board[0][2] * 10 + board[8][0];
}
