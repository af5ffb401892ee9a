/* The heap (C11 7.22.3): blocks keep their content, freed neighbours merge, alignment, long runs do not grow. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 500, ROUNDS = 20000 };

static unsigned char *blocks[SLOTS];
static size_t sizes[SLOTS];

static size_t some_size(void)
{
    int kind = rand() % 10;
    return (size_t)(kind < 6 ? rand() % 64 : kind < 9 ? rand() % 2000 : rand() % 50000);
}

static int holds(int i)
{
    for (size_t k = 0; k < sizes[i]; k += 1 + sizes[i] / 16)
        if (blocks[i][k] != (unsigned char)(i + k))
            return 0;
    return 1;
}

static void fill(int i)
{
    for (size_t k = 0; k < sizes[i]; k++)
        blocks[i][k] = (unsigned char)(i + k);
}

int main(void)
{
    int wrong = 0, misaligned = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int i = rand() % SLOTS;
        if (!blocks[i]) {
            sizes[i] = some_size();
            size_t alignment = (size_t)16 << rand() % 8;
            blocks[i] = rand() % 4 ? malloc(sizes[i]) : aligned_alloc(alignment, sizes[i]);
            fill(i);
        } else if (rand() % 3 == 0) {
            wrong += !holds(i);
            size_t old = sizes[i];
            sizes[i] = some_size() + 1;
            blocks[i] = realloc(blocks[i], sizes[i]);
            for (size_t k = 0; k < old && k < sizes[i]; k++)
                wrong += blocks[i][k] != (unsigned char)(i + k);
            fill(i);
        } else {
            wrong += !holds(i);
            free(blocks[i]);
            blocks[i] = NULL;
        }
        misaligned += (uintptr_t)blocks[i] % 16 != 0;
    }
    for (int i = 0; i < SLOTS; i++) {
        wrong += blocks[i] && !holds(i);
        free(blocks[i]);
    }
    printf("%d %d\n", wrong, misaligned);
    /* many small blocks make room for a large one when they are gone */
    static char *small[20000];
    for (int i = 0; i < 20000; i++)
        small[i] = malloc(100);
    char *last = malloc(1);
    for (int i = 0; i < 20000; i++)
        free(small[i]);
    char *large = malloc(20000 * 100);
    printf("%d %d\n", large != NULL, (uintptr_t)large < (uintptr_t)last);
    free(large);
    free(last);
    void *aligned;
    printf("%d %d ", posix_memalign(&aligned, 4096, 100), posix_memalign(&aligned, 24, 8) == EINVAL);
    printf("%d\n", (uintptr_t)memalign(64, 10) % 64 == 0 && (uintptr_t)valloc(10) % 4096 == 0);
    int *zeros = calloc(1000, sizeof *zeros);
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += zeros[i];
    printf("%d %d %d\n", sum, calloc(SIZE_MAX, 2) == NULL, reallocarray(NULL, SIZE_MAX, 2) == NULL);
    printf("%d\n", malloc_usable_size(zeros) >= 4000);
    return 0;
}
