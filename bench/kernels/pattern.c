/* pattern.c - a matcher of patterns with ., *, ^ and $ by functions that call each other: characters behind pointers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int here(const char *re, const char *t);

static int star(int c, const char *re, const char *t)
{
    do {
        if (here(re, t))
            return 1;
    } while (*t != 0 && (*t++ == c || c == '.'));
    return 0;
}

static int here(const char *re, const char *t)
{
    if (re[0] == 0)
        return 1;
    if (re[1] == '*')
        return star(re[0], re + 2, t);
    if (re[0] == '$' && re[1] == 0)
        return *t == 0;
    if (*t != 0 && (re[0] == '.' || re[0] == *t))
        return here(re + 1, t + 1);
    return 0;
}

static int match(const char *re, const char *t)
{
    if (re[0] == '^')
        return here(re + 1, t);
    do {
        if (here(re, t))
            return 1;
    } while (*t++ != 0);
    return 0;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 80;
    static char lines[200][80];
    unsigned x = 3;
    for (int i = 0; i < 200; i++)
        for (int j = 0; j < 70; j++) {
            x = x * 1103515245 + 12345;
            lines[i][j] = (char)("abcde fgh"[(x >> 16) % 9]);
        }
    const char *re[] = {"a.*b.*c.*d.*d$", "^ab*c", "ef*gh*a", "c.c.c", "dd*ee*", "gh$"};
    long n = 0;
    for (int k = 0; k < turns; k++)
        for (int r = 0; r < 6; r++)
            for (int i = 0; i < 200; i++)
                n += match(re[r], lines[(i + k) % 200]) * (r + 1);
    printf("%ld\n", n);
    return 0;
}
