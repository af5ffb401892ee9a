/* String functions of the library: lengths, comparisons, searches for letters. */
#include <string.h>

enum { N = 200, LENGTH = 40, TURNS = 5 };
static char names[N][LENGTH];

double kernel(void)
{
    long sum = 0;
    for (int i = 0; i < N; i++) {
        int length = 8 + i % 30;
        memset(names[i], 'a' + i % 3, (unsigned)length);
        names[i][length] = 0;
        names[i][length / 2] = 'x';
    }
    for (int t = 0; t < TURNS; t++)
        for (int i = 1; i < N; i++) {
            sum += (long)strlen(names[i]);
            sum += strcmp(names[i], names[i - 1]) < 0;
            const char *x = strchr(names[i], 'x');
            sum += x ? x - names[i] : 0;
        }
    return (double)sum;
}
