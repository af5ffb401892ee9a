/* crc.c - a table-driven checksum: shifts, exclusive or, a constant table. */
#include <stdio.h>
#include <stdlib.h>

#include "../calibration/shared/crc.h"

enum { BYTES = 65536 };
static unsigned char data[BYTES];

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 1800;
    prepare_table();
    for (int i = 0; i < BYTES; i++)
        data[i] = (unsigned char)(i * 7 + (i >> 8));
    unsigned crc = 0xffffffffu;
    for (int turn = 0; turn < turns; turn++)
        crc = checksum(crc, data, BYTES);
    printf("%08x\n", ~crc);
    return 0;
}
