/* What compilers and tools for C read: functions, structures, macros. The file is read many times over. */
#include "program.h"
struct point { double x, y; int kind; struct point *next; };
static int table[64];
#define SQUARE(x) ((x) * (x))
#ifdef WIDE
typedef long number;
#else
typedef int number;
#endif
static number weigh(struct point *p, int n)
{
    number sum = 0;
    for (int i = 0; i < n; i++) {
        if (p[i].kind == 3 || (p[i].x > 1.5 && p[i].y < -2.25))
            sum += SQUARE(i) - (table[i & 63] << 2);
        else
            switch (p[i].kind) {
            case 1: sum ^= 0x55; break;
            case 2: sum = sum * 31 + 7; break;
            default: table[i & 63] = (int)(p[i].x * 100);
            }
        while (sum > 100000)
            sum /= 3;
    }
    return sum;
}
