/* The last of many strings begins nowhere: the comparison before it is there, and the report is about this one. */
#include <stdio.h>
#include <string.h>

static char buffers[2000][8];
static const char *places[2000];

int main(void)
{
    long sum = 0;
    for (int i = 0; i < 2000; i++) {
        buffers[i][0] = (char)('a' + i % 26);
        places[i] = buffers[i];
    }
    places[1999] = (const char *)16;
    for (int i = 0; i < 2000; i++) {
        if (i == 1999)
            printf("%ld\n", sum), fflush(stdout);
        sum += strcmp(places[i], "m") > 0;
    }
    return 0;
}
