/* lz.c - compressing by references to what came before (hash chains), Adler's checksum, and back again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH = 4096, WINDOW = 8192, LONGEST = 66 };

static uint32_t adler(const uint8_t *p, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + p[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static size_t pack(const uint8_t *in, size_t n, uint8_t *out)
{
    static int head[HASH], chain[WINDOW];
    uint8_t *o = out;
    memset(head, -1, sizeof head);
    for (size_t i = 0; i < n;) {
        int best = 0, where = 0;
        if (i + 3 < n) {
            unsigned h = (in[i] * 33u * 33u + in[i + 1] * 33u + in[i + 2]) % HASH;
            int tries = 16;
            for (int at = head[h]; at >= 0 && (int)i - at < WINDOW && tries--; at = chain[at % WINDOW]) {
                int len = 0;
                while (len < LONGEST && i + (size_t)len < n && in[at + len] == in[i + (size_t)len])
                    len++;
                if (len > best) {
                    best = len;
                    where = at;
                }
            }
            chain[i % WINDOW] = head[h];
            head[h] = (int)i;
        }
        if (best >= 4) {
            int back = (int)i - where;
            *o++ = 255;
            *o++ = (uint8_t)best;
            *o++ = (uint8_t)(back >> 8);
            *o++ = (uint8_t)back;
            i += (size_t)best;
        } else {
            if (in[i] == 255)
                *o++ = 255, *o++ = 0;
            else
                *o++ = in[i];
            i++;
        }
    }
    return (size_t)(o - out);
}

static size_t unpack(const uint8_t *in, size_t n, uint8_t *out)
{
    uint8_t *o = out;
    for (const uint8_t *end = in + n; in < end;) {
        if (*in != 255) {
            *o++ = *in++;
        } else if (in[1] == 0) {
            *o++ = 255;
            in += 2;
        } else {
            const uint8_t *from = o - (in[2] << 8 | in[3]);
            for (int i = in[1]; i > 0; i--)
                *o++ = *from++;
            in += 4;
        }
    }
    return (size_t)(o - out);
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 70;
    size_t n = argc > 2 ? (size_t)atol(argv[2]) : 100000;
    uint8_t *a = malloc(n), *b = malloc(n * 2), *c = malloc(n + LONGEST);
    unsigned seed = 13;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        a[i] = i > 300 && seed >> 29 ? a[i - 100 - (seed >> 24) % 3] : (uint8_t)(seed >> 24);
    }
    uint32_t check = 0;
    for (int i = 0; i < turns; i++) {
        a[(size_t)i * 7919 % n]++;
        size_t packed = pack(a, n, b), size = unpack(b, packed, c);
        check = check * 31 + adler(c, size) + (uint32_t)packed + (memcmp(a, c, n) != 0);
    }
    printf("%u\n", check);
    return 0;
}
