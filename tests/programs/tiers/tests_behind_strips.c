/* tests_behind_strips.c - what a loop has tested counts behind it only if its last turn was no turn of a strip:
 * pointers that step in the loop, and one that stays, go on being used where memory may have ended, and where it is
 * constant.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char table[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *take(const unsigned char *s, size_t n, char *out)
{
    char *p = out;
    for (; n >= 3; n -= 3, s += 3) {
        *p++ = table[s[0] >> 2];
        *p++ = table[(s[0] & 3) << 4 | s[1] >> 4];
        *p++ = table[(s[1] & 15) << 2 | s[2] >> 6];
        *p++ = table[s[2] & 63];
    }
    if (n) {
        *p++ = table[s[0] >> 2];
        *p++ = table[(s[0] & 3) << 4 | (n > 1 ? s[1] >> 4 : 0)];
    }
    *p = 0;
    return out;
}

static int sum_of(const int *counts, const int *steps, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += steps[i] * counts[0] + counts[1];
    return sum + counts[0] + counts[2];
}

static int pairs(const short *p, const short *end)
{
    int sum = 0;
    while (p < end) {
        int first = *p++, second = *p++;
        sum = sum * 3 + first - second;
    }
    return sum + p[-1];
}

int main(void)
{
    static const int few[] = {3, 5, 7};
    static int more[] = {2, 4, 6};
    static const short numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    unsigned char bytes[64];
    char text[100];
    int steps[64];
    short copy[10];
    for (int i = 0; i < 64; i++) {
        bytes[i] = (unsigned char)(i * i * 7);
        steps[i] = i ^ 5;
    }
    memcpy(copy, numbers, sizeof copy);
    unsigned hash = 0;
    for (int turn = 0; turn < 3000; turn++) {
        for (const char *s = take(bytes, (size_t)(turn % 64), text); *s; s++)
            hash = hash * 31 + (unsigned)*s;
        hash += (unsigned)sum_of(turn % 2 ? few : more, steps, turn % 60);
        hash += (unsigned)(pairs(numbers, numbers + 2 + turn % 5 * 2) + pairs(copy + 2, copy + 10));
    }
    printf("%u\n", hash);
    int *last = malloc(4);
    unsigned found = 0;
    for (int i = 0; i < 2000000; i++) /* beyond the end of memory */
        found += (unsigned)last[i] + (unsigned)last[i + 1];
    printf("%u\n", found);
    return 0;
}
