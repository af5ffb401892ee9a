/* Searches for a word in a text, letter by letter. */
enum { TEXT = 6000, WORD = 5 };
static char text[TEXT + 1];

static int occurrences(const char *in, int n, const char *word, int length)
{
    int found = 0;
    for (int i = 0; i + length <= n; i++) {
        int j = 0;
        while (j < length && in[i + j] == word[j])
            j++;
        found += j == length;
    }
    return found;
}

double kernel(void)
{
    unsigned state = 3;
    for (int i = 0; i < TEXT; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = (char)('a' + (state >> 20) % 3);
    }
    return occurrences(text, TEXT, "abcab", WORD) + occurrences(text, TEXT, "ccaba", WORD);
}
