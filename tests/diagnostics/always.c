/* What is said without any option. */
/* options:  */
#include <stdio.h>
#include <stdlib.h>
#pragma weak
#define SHIFT 40
int f(int *p, const char *c, long l, short s)
{
    char *q = c;
    int *r = l, *t = (int *)s;
    double *d = p;
    int a = (int)p, m = 'ab', o = 1 + 0x7fffffff;
    undeclared();
    if (p == d) return 1 / 0;
    return 1 << SHIFT | 1 << -1 | a | m | o | *q | *r | *t;
}
void v(void) { return 1; }
int w(void) { return; }
__int128 wide(char *p) { p = (__int128)1; return p; }
