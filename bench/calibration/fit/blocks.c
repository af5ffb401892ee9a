/* Blocks of memory copied, cleared and compared by the library. */
#include <string.h>

enum { N = 4096, TURNS = 60 };
static char a[N], b[N];

double kernel(void)
{
    int equal = 0;
    for (int t = 0; t < TURNS; t++) {
        memset(a, t, N);
        memcpy(b, a, N);
        memmove(a + 16, a, N / 2);
        equal += memcmp(a, b, N) == 0;
    }
    return equal + a[100];
}
