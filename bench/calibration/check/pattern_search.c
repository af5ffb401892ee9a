/* Counts occurrences of a pattern in a text by the algorithm of Knuth, Morris and Pratt. */
enum { TEXT = 12000, PATTERN = 9 };
static char text[TEXT], pattern[PATTERN];
static int border[PATTERN + 1];

double kernel(void)
{
    unsigned state = 15;
    int found = 0;
    for (int i = 0; i < TEXT; i++) {
        state = state * 1103515245u + 12345u;
        text[i] = "ab"[state >> 18 & 1];
    }
    for (int i = 0; i < PATTERN; i++)
        pattern[i] = "aabaabaab"[i];
    border[0] = -1;
    for (int i = 0, k = -1; i < PATTERN;) {
        while (k >= 0 && pattern[i] != pattern[k])
            k = border[k];
        border[++i] = ++k;
    }
    for (int i = 0, k = 0; i < TEXT; i++) {
        while (k >= 0 && (k == PATTERN || text[i] != pattern[k]))
            k = border[k];
        if (++k == PATTERN)
            found++;
    }
    return found;
}
