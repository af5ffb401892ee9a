/* An elementary cellular automaton (rule 110), one cell in a byte. */
enum { CELLS = 400, TURNS = 60 };
static unsigned char now[CELLS + 2], next[CELLS + 2];
static volatile unsigned rule = 110;

double kernel(void)
{
    unsigned rules = rule;
    int sum = 0;
    for (int i = 0; i < CELLS + 2; i++)
        now[i] = i % 11 == 5;
    for (int t = 0; t < TURNS; t++) {
        for (int i = 1; i <= CELLS; i++)
            next[i] = rules >> (now[i - 1] << 2 | now[i] << 1 | now[i + 1]) & 1;
        for (int i = 1; i <= CELLS; i++)
            now[i] = next[i];
    }
    for (int i = 1; i <= CELLS; i++)
        sum += now[i];
    return sum;
}
