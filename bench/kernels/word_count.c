/* word_count.c - lines, words, longest word and letters of a text, and lengths of its strings, by loops of its own. */
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 1 << 16 };
static char text[BYTES + 1];
static int letters[26];

static int is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

static int length(const char *s)
{
    const char *end = s;
    while (*end)
        end++;
    return (int)(end - s);
}

static const char *find(const char *s, char wanted)
{
    for (; *s; s++)
        if (*s == wanted)
            return s;
    return NULL;
}

static int count_words(const char *s, int *longest)
{
    int words = 0;
    while (*s) {
        while (is_space(*s))
            s++;
        const char *start = s;
        for (; *s && !is_space(*s); s++)
            if (*s >= 'a' && *s <= 'z')
                letters[*s - 'a']++;
        if (s > start)
            words++;
        if (s - start > *longest)
            *longest = (int)(s - start);
    }
    return words;
}

static int count_lines(const char *s)
{
    int lines = 0;
    while ((s = find(s, '\n'))) {
        lines++;
        s++;
    }
    return lines;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 1500;
    unsigned state = 1, checksum = 0;
    for (int i = 0; i < BYTES; i++) {
        state = state * 1664525 + 1013904223;
        unsigned r = state >> 20;
        text[i] = r % 7 == 0 ? ' ' : r % 61 == 0 ? '\n' : (char)('a' + r % 26);
    }
    for (int turn = 0; turn < turns; turn++) {
        int longest = 0;
        text[turn * 97 % BYTES] = 'z';
        checksum = checksum * 31 + (unsigned)count_words(text, &longest);
        checksum = checksum * 31 + (unsigned)(longest + count_lines(text) + length(text + turn));
    }
    printf("%u %d %d\n", checksum, letters[0], letters[25]);
    return 0;
}
