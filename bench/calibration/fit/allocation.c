/* Blocks of the heap: a list that grows and shrinks. */
#include <stdlib.h>

enum { N = 300, TURNS = 4 };
typedef struct Block {
    struct Block *next;
    long data[3];
} Block;

double kernel(void)
{
    long sum = 0;
    for (int t = 0; t < TURNS; t++) {
        Block *list = 0;
        for (int i = 0; i < N; i++) {
            Block *block = malloc(sizeof *block);
            if (!block)
                return 0.0;
            block->next = list;
            block->data[0] = i;
            list = block;
        }
        while (list) {
            Block *next = list->next;
            sum += list->data[0];
            free(list);
            list = next;
        }
    }
    return (double)sum;
}
