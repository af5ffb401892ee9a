/* base64.c - encodes bytes to text by a table of constants, decodes them by one in memory, and compares.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char t[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode(const unsigned char *s, size_t n)
{
    char *out = malloc(4 * (n / 3 + 1) + 1), *p = out;
    for (; n >= 3; n -= 3, s += 3) {
        *p++ = t[s[0] >> 2];
        *p++ = t[(s[0] & 3) << 4 | s[1] >> 4];
        *p++ = t[(s[1] & 15) << 2 | s[2] >> 6];
        *p++ = t[s[2] & 63];
    }
    if (n) {
        *p++ = t[s[0] >> 2];
        if (n == 1) {
            *p++ = t[(s[0] & 3) << 4];
            *p++ = '=';
        } else {
            *p++ = t[(s[0] & 3) << 4 | s[1] >> 4];
            *p++ = t[(s[1] & 15) << 2];
        }
        *p++ = '=';
    }
    *p = 0;
    return out;
}

static size_t decode(const char *s, unsigned char *o)
{
    static signed char back[256];
    static int ready;
    if (!ready) {
        memset(back, -1, sizeof back);
        for (int i = 0; i < 64; i++)
            back[(unsigned char)t[i]] = (signed char)i;
        ready = 1;
    }
    unsigned v = 0;
    int bits = 0;
    unsigned char *p = o;
    for (; *s; s++) {
        int d = back[(unsigned char)*s];
        if (d < 0)
            continue;
        v = v << 6 | (unsigned)d;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            *p++ = (unsigned char)(v >> bits);
        }
    }
    return (size_t)(p - o);
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 400;
    size_t n = 300001;
    unsigned char *b = malloc(n), *d = malloc(n + 8);
    for (size_t i = 0; i < n; i++)
        b[i] = (unsigned char)(i * i >> 7);
    unsigned long sum = 0;
    for (int k = 0; k < turns; k++) {
        b[k % 300001] ^= (unsigned char)k;
        char *e = encode(b, n);
        sum += strlen(e) + (unsigned char)e[k * 3 % 300001];
        if (decode(e, d) != n || memcmp(b, d, n))
            return 1;
        free(e);
    }
    printf("%lu\n", sum);
    return 0;
}
