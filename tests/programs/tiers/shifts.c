/* Shifts by amounts that C leaves undefined (6.5.7p3) are defined in vCode: every tier gives the same. */
#include <stdio.h>

int main(void)
{
    unsigned long hash = 0;
    volatile int first = -70, last = 140;
    for (int n = first; n < last; n++) {
        volatile int amount = n;
        int word = -123456789;
        unsigned unsigned_word = 0x87654321u;
        long wide = -0x123456789abcdef;
        unsigned long unsigned_wide = 0xfedcba9876543210ul;
        for (int k = 0; k < 10; k++) {
            hash = hash * 31 + (unsigned long)(word << amount) + (unsigned long)(word >> amount);
            hash = hash * 31 + (unsigned_word << amount) + (unsigned_word >> amount);
            hash = hash * 31 + (unsigned long)(wide << amount) + (unsigned long)(wide >> amount);
            hash = hash * 31 + (unsigned_wide << amount) + (unsigned_wide >> amount);
            word += k;
            wide -= k;
            amount = n;
        }
    }
    printf("%lx\n", hash);
}
