/* md5.c - message digests by MD5, with its four functions as macros and a context that takes pieces. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t state[4];
    uint64_t length;
    uint8_t buffer[64];
} md5;

static uint32_t k[64];
static const uint8_t shift[64] = {7, 12, 17, 22, 7, 12, 17, 22, 7, 12, 17, 22, 7, 12, 17, 22,
                                  5, 9,  14, 20, 5, 9,  14, 20, 5, 9,  14, 20, 5, 9,  14, 20,
                                  4, 11, 16, 23, 4, 11, 16, 23, 4, 11, 16, 23, 4, 11, 16, 23,
                                  6, 10, 15, 21, 6, 10, 15, 21, 6, 10, 15, 21, 6, 10, 15, 21};

#define F(x, y, z)   (((x) & (y)) | (~(x) & (z)))
#define G(x, y, z)   (((x) & (z)) | ((y) & ~(z)))
#define H(x, y, z)   ((x) ^ (y) ^ (z))
#define I(x, y, z)   ((y) ^ ((x) | ~(z)))
#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))

static void transform(md5 *m, const uint8_t *block)
{
    uint32_t w[16], a = m->state[0], b = m->state[1], c = m->state[2], d = m->state[3];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] | (uint32_t)block[4 * i + 1] << 8 | (uint32_t)block[4 * i + 2] << 16 |
               (uint32_t)block[4 * i + 3] << 24;
    for (int i = 0; i < 64; i++) {
        uint32_t f;
        int g;
        if (i < 16)
            f = F(b, c, d), g = i;
        else if (i < 32)
            f = G(b, c, d), g = (5 * i + 1) % 16;
        else if (i < 48)
            f = H(b, c, d), g = (3 * i + 5) % 16;
        else
            f = I(b, c, d), g = 7 * i % 16;
        uint32_t t = d;
        d = c;
        c = b;
        b += ROTATE(a + f + k[i] + w[g], shift[i]);
        a = t;
    }
    m->state[0] += a;
    m->state[1] += b;
    m->state[2] += c;
    m->state[3] += d;
}

static void update(md5 *m, const uint8_t *data, size_t n)
{
    size_t used = m->length % 64;
    m->length += n;
    while (n) {
        size_t part = 64 - used < n ? 64 - used : n;
        memcpy(m->buffer + used, data, part);
        data += part;
        n -= part;
        used += part;
        if (used == 64) {
            transform(m, m->buffer);
            used = 0;
        }
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 1200;
    static uint8_t data[65536];
    md5 m = {{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}, 0, {0}};
    for (int i = 0; i < 64; i++)
        k[i] = (uint32_t)floor(fabs(sin(i + 1)) * 4294967296.0);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 31 + (i >> 8));
    for (int i = 0; i < turns; i++)
        update(&m, data, sizeof data - (size_t)i % 100);
    printf("%08x%08x%08x%08x\n", m.state[0], m.state[1], m.state[2], m.state[3]);
    return 0;
}
