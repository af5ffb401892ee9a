/* string_search.c - occurrences of patterns in a text, by the table of Knuth, Morris and Pratt and by trying each
 * position. */
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 1 << 16, PATTERN = 12 };
static char text[BYTES + 1], pattern[PATTERN + 1];

static int by_table(const char *s, const char *wanted, int length)
{
    int fall[PATTERN + 1], count = 0, state = 0;
    fall[0] = -1;
    for (int i = 0, j = -1; i < length; fall[++i] = ++j)
        while (j >= 0 && wanted[i] != wanted[j])
            j = fall[j];
    for (; *s; s++) {
        while (state >= 0 && *s != wanted[state])
            state = fall[state];
        if (++state == length) {
            count++;
            state = fall[state];
        }
    }
    return count;
}

static int by_trying(const char *s, const char *wanted)
{
    int count = 0;
    for (; *s; s++) {
        int i = 0;
        while (wanted[i] && s[i] == wanted[i])
            i++;
        count += !wanted[i];
    }
    return count;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 350;
    unsigned state = 1, checksum = 0;
    for (int i = 0; i < BYTES; i++) {
        state = state * 1664525 + 1013904223;
        text[i] = (char)('a' + (state >> 24) % 3 % 2);
    }
    for (int turn = 0; turn < turns; turn++) {
        int length = 2 + turn % (PATTERN - 1);
        for (int i = 0; i < length; i++)
            pattern[i] = text[(turn * 89 + i) % BYTES];
        pattern[length] = 0;
        int one = by_table(text, pattern, length), other = by_trying(text, pattern);
        if (one != other)
            return 1;
        checksum = checksum * 31 + (unsigned)one;
    }
    printf("%u\n", checksum);
    return 0;
}
