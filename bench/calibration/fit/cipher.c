/* A block cipher of adds, rotations and exclusive ors (after Wheeler and Needham's XTEA). */
enum { BLOCKS = 150, ROUNDS = 32 };
static unsigned data[2 * BLOCKS];
static const unsigned key[4] = {0x1234567u, 0x89abcdefu, 0x2468aceu, 0x13579bdfu};

static void encipher(unsigned *block)
{
    unsigned a = block[0], b = block[1], sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
        sum += 0x9e3779b9u;
        b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
    }
    block[0] = a;
    block[1] = b;
}

double kernel(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 2 * BLOCKS; i++)
        data[i] = (unsigned)i * 77777u;
    for (int i = 0; i < BLOCKS; i++)
        encipher(data + 2 * i);
    for (int i = 0; i < 2 * BLOCKS; i++)
        sum ^= data[i];
    return sum;
}
