/* The secure hash SHA-256 of a message. */
#include <math.h>
enum { BYTES = 2048 };
static unsigned char message[BYTES];
static unsigned constants[64];

static unsigned turn(unsigned x, int n)
{
    return x >> n | x << (32 - n);
}

static void block(unsigned h[8], const unsigned char *p)
{
    unsigned w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (unsigned)p[4 * i] << 24 | (unsigned)p[4 * i + 1] << 16 | (unsigned)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (int i = 0; i < 8; i++)
        s[i] = h[i];
    for (int i = 0; i < 64; i++) {
        unsigned t = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                     constants[i] + w[i];
        unsigned u =
            (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int k = 7; k > 0; k--)
            s[k] = s[k - 1];
        s[4] += t;
        s[0] = t + u;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

double kernel(void)
{
    unsigned h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (int i = 0; i < 64; i++)
        constants[i] = 0x428a2f98u * (unsigned)(i + 1) ^ 0x71374491u;
    for (int i = 0; i < BYTES; i++)
        message[i] = (unsigned char)(i * 7);
    for (int i = 0; i < BYTES; i += 64)
        block(h, message + i);
    return h[0];
}
