/* strcmp and strlen of constants, of what is in memory and of both, in all tiers: the same results and costs
 * (C11 7.24.4.2, 7.24.6.3). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"", "a", "ab", "abc", "abd", "\377", "rendezvous", "rendezvouz"};
enum { WORDS = sizeof words / sizeof *words };

static int sign_of(const char *a, const char *b)
{
    int order = strcmp(a, b);
    return order < 0 ? -1 : order > 0;
}

int main(void)
{
    char *copies[WORDS];
    long sum = 0, exact = 0;
    for (int i = 0; i < WORDS; i++) {
        copies[i] = malloc(strlen(words[i]) + 1);
        strcpy(copies[i], words[i]);
    }
    for (int turn = 0; turn < 200; turn++)
        for (int i = 0; i < WORDS; i++) {
            const char *a = turn % 2 ? words[i] : copies[i], *b = turn % 3 ? words[turn % WORDS] : copies[turn % WORDS];
            sum = sum * 3 + sign_of(a, b) + (long)strlen(a);
            exact += strcmp(a, b);
        }
    printf("%ld %ld\n", sum, exact);
    return 0;
}
