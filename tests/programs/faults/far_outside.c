/* An address half the address space away from every object is near to none of them, and the message names none. */
#include <stdio.h>

long table[10];
volatile long index = 1L << 60;

int main(void)
{
    printf("%ld\n", table[2 * index + 1]); /* 2^64 bytes on: that is table[1] */
    fflush(stdout);
    printf("%ld\n", table[index + 1]);
    return 0;
}
