/* Text byte by byte: upper case, words, letters counted. */
enum { N = 6000, TURNS = 4 };
static char text[N + 1], upper[N + 1];
static int letters[26];

double kernel(void)
{
    int words = 0;
    for (int i = 0; i < N; i++)
        text[i] = i % 7 == 6 || i % 11 == 10 ? ' ' : (char)('a' + i * 5 % 26);
    text[N] = 0;
    for (int t = 0; t < TURNS; t++) {
        int inside = 0;
        const char *from = text;
        char *to = upper;
        for (; *from; from++, to++) {
            *to = *from >= 'a' && *from <= 'z' ? (char)(*from - 32) : *from;
            if (*from == ' ') {
                inside = 0;
            } else {
                words += !inside;
                inside = 1;
                letters[*to - 'A']++;
            }
        }
    }
    return words + letters[3];
}
