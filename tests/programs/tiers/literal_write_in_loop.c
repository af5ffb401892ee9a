/* A loop that reads constants and writes through the same pointer once it points at one. */
#include <stdio.h>

static char buffer[64];

static long capitals(char *const *texts, int n)
{
    long count = 0;
    for (int i = 0; i < n; i++)
        for (char *c = texts[i]; *c; c++)
            if (*c >= 'A' && *c <= 'Z') {
                *c += 32;
                count++;
            }
    return count;
}

int main(void)
{
    char *texts[] = {"lower", buffer, "case", "only", buffer + 3, "but One"};
    snprintf(buffer, sizeof buffer, "Some Capitals Here");
    printf("%ld %s\n", capitals(texts, 5), buffer);
    fflush(stdout);
    printf("%ld\n", capitals(texts, 6));
}
