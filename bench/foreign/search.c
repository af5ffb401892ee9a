/* search.c - a pattern in a text by Knuth, Morris and Pratt, by Boyer, Moore and Horspool, by hashes, and by strstr. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int kmp(const char *text, int n, const char *pattern, int m)
{
    int fail[64], found = 0;
    fail[0] = 0;
    for (int i = 1, k = 0; i < m; i++) {
        while (k > 0 && pattern[k] != pattern[i])
            k = fail[k - 1];
        if (pattern[k] == pattern[i])
            k++;
        fail[i] = k;
    }
    for (int i = 0, k = 0; i < n; i++) {
        while (k > 0 && pattern[k] != text[i])
            k = fail[k - 1];
        if (pattern[k] == text[i])
            k++;
        if (k == m) {
            found++;
            k = fail[k - 1];
        }
    }
    return found;
}

static int horspool(const unsigned char *text, int n, const unsigned char *pattern, int m)
{
    int skip[256], found = 0;
    for (int i = 0; i < 256; i++)
        skip[i] = m;
    for (int i = 0; i < m - 1; i++)
        skip[pattern[i]] = m - 1 - i;
    for (int i = 0; i <= n - m;) {
        int j = m - 1;
        while (j >= 0 && pattern[j] == text[i + j])
            j--;
        if (j < 0)
            found++;
        i += skip[text[i + m - 1]];
    }
    return found;
}

static int rabin_karp(const char *text, int n, const char *pattern, int m)
{
    const int base = 256, prime = 101;
    int h = 1, p = 0, t = 0, found = 0;
    for (int i = 0; i < m - 1; i++)
        h = h * base % prime;
    for (int i = 0; i < m; i++) {
        p = (base * p + pattern[i]) % prime;
        t = (base * t + text[i]) % prime;
    }
    for (int i = 0; i <= n - m; i++) {
        if (p == t && memcmp(text + i, pattern, (size_t)m) == 0)
            found++;
        if (i < n - m) {
            t = (base * (t - text[i] * h) + text[i + m]) % prime;
            if (t < 0)
                t += prime;
        }
    }
    return found;
}

static int with_strstr(const char *text, const char *pattern)
{
    int found = 0;
    for (const char *s = text; (s = strstr(s, pattern)); s++)
        found++;
    return found;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 120, n = argc > 2 ? atoi(argv[2]) : 100000;
    char *text = malloc((size_t)n + 1);
    unsigned seed = 3;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = (char)('a' + (seed >> 20) % 5);
    }
    text[n] = 0;
    static const char *const patterns[] = {"abcab", "eedcba", "aaaaaaa", "dcdcdcdcdc"};
    long sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        const char *p = patterns[turn % 4];
        int m = (int)strlen(p);
        text[turn * 131 % n] = 'a';
        sum += kmp(text, n, p, m) * 3 + horspool((unsigned char *)text, n, (const unsigned char *)p, m) * 5;
        sum += rabin_karp(text, n, p, m) * 7 + with_strstr(text, p);
    }
    printf("%ld\n", sum);
    free(text);
    return 0;
}
