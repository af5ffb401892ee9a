/* The number of ways to pay an amount with coins, and the fewest coins. */
enum { AMOUNT = 2000 };
static long ways[AMOUNT + 1];
static int fewest[AMOUNT + 1];
static const int coins[] = {1, 2, 5, 10, 20, 50, 100, 200};

double kernel(void)
{
    for (int a = 0; a <= AMOUNT; a++) {
        ways[a] = a == 0;
        fewest[a] = a ? 1 << 20 : 0;
    }
    for (unsigned c = 0; c < sizeof coins / sizeof *coins; c++)
        for (int a = coins[c]; a <= AMOUNT; a++) {
            ways[a] += ways[a - coins[c]];
            if (fewest[a - coins[c]] + 1 < fewest[a])
                fewest[a] = fewest[a - coins[c]] + 1;
        }
    return (double)ways[AMOUNT] + fewest[AMOUNT - 1];
}
