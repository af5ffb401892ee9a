/* Arrays that end exactly where the rank's memory ends: every byte may be used, in every width (the end is moved). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long fill_and_sum(char *end)
{
    long sum = 0;
    for (long *p = (long *)end - 500; p < (long *)end; p++)
        *p = p - (long *)end;
    for (int *p = (int *)end - 999; p != (int *)end; p++)
        sum = sum * 3 + *p;
    for (short *p = (short *)end - 1; p >= (short *)end - 777; p--)
        sum = sum * 3 + *p;
    for (int i = -1500; i < 0; i++)
        sum += end[i] ^ i;
    double values = 0;
    for (long i = 0; i < 500; i++)
        values += (double)((long *)end)[i - 500];
    return sum + (long)values;
}

static long odd_places(char *end)
{
    long sum = 0, word;
    for (int i = 0; i < 300; i++) {
        memcpy(&word, end - 8 - i, 8); /* the first of them ends at the end */
        sum = sum * 5 + word;
        memcpy(end - 8 - i, &sum, 7);
    }
    return sum;
}

struct Block {
    int values[31];
};

static long copies(char *end)
{
    struct Block *last = (struct Block *)end - 1;
    long sum = 0;
    for (int i = 0; i < 200; i++) {
        last[-i % 5] = last[-(i + 1) % 5];
        last[-i % 3].values[i % 31] += i;
        last[-(i % 4)] = i % 50 ? *last : (struct Block){{i}};
        sum = sum * 7 + last->values[(i * 3) % 31];
    }
    return sum;
}

/* A block whose size fills pages, less its header and the mark behind it: the memory of the rank ends there. */
static char *end_of(char *block, long pages)
{
    return block + pages * 4096 - 16;
}

int main(void)
{
    char mark[16];
    long sum = 0;
    char *block = malloc(20 * 4096 - 32), *end = end_of(block, 20);
    memcpy(mark, end - 16, 16);
    printf("%ld\n", fill_and_sum(end));
    printf("%ld\n", odd_places(end));
    printf("%ld\n", copies(end));
    memcpy(end - 16, mark, 16);
    for (int i = 20; i < 60; i++) { /* the end moves while a loop writes up to it */
        block = realloc(block, (size_t)i * 4096 - 32);
        end = end_of(block, i);
        for (char *p = end - 400; p < end - 16; p++)
            *p = (char)(p[-4096] + i);
        for (char *p = end - 20; p < end; p++)
            sum = sum * 3 + *p;
    }
    printf("%ld\n", sum);
}
