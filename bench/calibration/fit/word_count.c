/* Finds the words of a text, and counts them by comparing strings. */
enum { WORDS = 40, LENGTH = 8, TEXT = 4000 };
static char words[WORDS][LENGTH], text[TEXT + 1];
static int counts[WORDS];

static int same(const char *a, const char *b, int length)
{
    for (int i = 0; i < length; i++)
        if (a[i] != b[i])
            return 0;
    return b[length] == 0;
}

double kernel(void)
{
    int n = 0, at = 0;
    for (int i = 0; i < TEXT; i++)
        text[i] = i % 6 == 5 ? ' ' : (char)('a' + (i / 6 * 7 + i % 6 * (i / 6 % 3)) % 9);
    text[TEXT] = 0;
    while (text[at]) {
        int length = 0, w = 0;
        while (text[at + length] && text[at + length] != ' ')
            length++;
        while (w < n && !same(text + at, words[w], length))
            w++;
        if (w == n && n < WORDS) {
            for (int i = 0; i < length; i++)
                words[n][i] = text[at + i];
            words[n][length] = 0;
            n++;
        }
        if (w < WORDS)
            counts[w]++;
        at += length + (text[at + length] == ' ');
    }
    return n + counts[0];
}
