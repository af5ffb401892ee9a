/* CRC-32 of bytes by table. */
enum { N = 8192, TURNS = 6 };
static unsigned table[256];
static unsigned char text[N];

double kernel(void)
{
    unsigned crc = ~0u;
    for (unsigned i = 0; i < 256; i++) {
        unsigned value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? 0xedb88320u ^ value >> 1 : value >> 1;
        table[i] = value;
    }
    for (int i = 0; i < N; i++)
        text[i] = (unsigned char)(i * 7);
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < N; i++)
            crc = table[(crc ^ text[i]) & 255] ^ crc >> 8;
    return crc;
}
