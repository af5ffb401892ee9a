/* crc.h - CRC-32 by table. */
static unsigned table[256];

static void prepare_table(void)
{
    for (unsigned i = 0; i < 256; i++) {
        unsigned value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? 0xedb88320u ^ value >> 1 : value >> 1;
        table[i] = value;
    }
}

static unsigned checksum(unsigned crc, const unsigned char *text, int length)
{
    for (int i = 0; i < length; i++)
        crc = table[(crc ^ text[i]) & 255] ^ crc >> 8;
    return crc;
}
