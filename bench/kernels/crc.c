/* crc.c - a table-driven checksum: shifts, exclusive or, a constant table. */
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 65536 };
static unsigned table[256];
static unsigned char data[BYTES];

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 1800;
    for (unsigned i = 0; i < 256; i++) {
        unsigned c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
    for (int i = 0; i < BYTES; i++)
        data[i] = (unsigned char)(i * 7 + (i >> 8));
    unsigned crc = 0xffffffffu;
    for (int turn = 0; turn < turns; turn++)
        for (int i = 0; i < BYTES; i++)
            crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
    printf("%08x\n", ~crc);
    return 0;
}
