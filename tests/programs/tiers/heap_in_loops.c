/* Library functions called out of loops change memory that the loop has in hand: malloc, realloc, free, strings,
 * formats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int length;

static char *append(char *text, const char *more)
{
    int added = (int)strlen(more);
    text = realloc(text, (size_t)(length + added + 1));
    memcpy(text + length, more, (size_t)added + 1);
    length += added;
    return text;
}

int main(void)
{
    char *text = calloc(1, 1), word[20], *blocks[50] = {0};
    for (int i = 0; i < 300; i++) {
        snprintf(word, sizeof word, "%d,", i * i);
        text = append(text, word);
    }
    printf("%d %.40s %s\n", length, text, text + length - 20);
    long sum = 0;
    for (char *c = strtok(text, ","); c; c = strtok(NULL, ","))
        sum = sum * 3 + atoi(c);
    printf("%ld\n", sum);
    for (int i = 0; i < 1000; i++) {
        int k = i * 13 % 50;
        size_t size = (size_t)(i * 37 % 3000 + 1);
        free(blocks[k]);
        blocks[k] = malloc(size);
        memset(blocks[k], i, size);
        sum += blocks[k][size - 1] + (blocks[i % 50] ? blocks[i % 50][0] : 7);
    }
    for (int i = 0; i < 50; i++)
        free(blocks[i]);
    printf("%ld\n", sum);
    for (int i = 0; i < 2000; i++) {
        long *one = malloc(sizeof *one);
        *one = i;
        sum ^= *one;
        free(one);
    }
    printf("%ld\n", sum);
    free(text);
}
