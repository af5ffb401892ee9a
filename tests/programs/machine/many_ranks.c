/* What a rank can do with its memory does not depend on how many ranks there are: with many, each begins with little
 * room and gets more when it needs it, by a deep stack, a large frame, a block of the heap, or a long computation. What
 * it held before (static data, its frames, small blocks, texts) is still there then, also where the library allocates
 * while it reads. */
#define _GNU_SOURCE
#include <alloca.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static char text[32];

static long deep(int levels, int *shallow)
{
    int here[16];
    here[levels % 16] = levels;
    *shallow += here[levels % 16];
    return levels ? levels + deep(levels - 1, shallow) : 0;
}

static long large_frame(int rank)
{
    char frame[5000];
    memset(frame, rank & 63, sizeof frame);
    return frame[0] + frame[4999];
}

static long from_alloca(int rank)
{
    int *numbers = alloca(3000 * sizeof *numbers);
    numbers[0] = rank;
    numbers[2999] = 2 * rank;
    return numbers[0] + numbers[2999];
}

static long growing_block(int rank)
{
    char *block = malloc(24);
    memset(block, rank & 63, 24);
    block = realloc(block, 9000);
    memset(block + 24, 1, 8976);
    long sum = block[23] + block[24] + block[8999];
    free(block);
    return sum;
}

static long long_texts(int rank)
{
    char *first = strdup(text), *made = NULL;
    int length = asprintf(&made, "%s %0700d %s", text, rank, first);
    char *again = strdup(made);
    long sum = length + atoi(again + strlen(text) + 1) + (strcmp(again, made) == 0);
    free(first);
    free(made);
    free(again);
    return sum;
}

static long aligned_block(int rank)
{
    void *block = NULL;
    if (posix_memalign(&block, 4096, 100) || (unsigned long)block % 4096)
        return -1;
    *(int *)block = rank;
    return *(int *)block;
}

static long many_small_blocks(int rank)
{
    long sum = 0;
    int **blocks = malloc(40 * sizeof *blocks);
    for (int i = 0; i < 40; i++) {
        blocks[i] = calloc(3, sizeof(int));
        blocks[i][1] = rank + i;
    }
    for (int i = 0; i < 40; i++) {
        sum += blocks[i][0] + blocks[i][1];
        free(blocks[i]);
    }
    free(blocks);
    return sum;
}

static long computing(int rank)
{
    unsigned state = (unsigned)rank + 1;
    for (int i = 0; i < 3000; i++) {
        state = state * 1664525u + 1013904223u;
        table[i % 8] ^= (int)(state >> 28);
    }
    return (long)(state >> 8) + table[3];
}

static long one_way(int rank, int *shallow)
{
    switch (rank % 8) {
    case 0: return deep(40, shallow);
    case 1: return large_frame(rank);
    case 2: return from_alloca(rank);
    case 3: return growing_block(rank);
    case 4: return long_texts(rank);
    case 5: return aligned_block(rank);
    case 6: return many_small_blocks(rank);
    default: return computing(rank);
    }
}

int main(int argc, char **argv)
{
    int rank, size, shallow = 7, out, in;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(text, sizeof text, "rank %d", rank);
    int *small = malloc(sizeof *small);
    *small = rank;
    MPI_Request request; /* its buffer is where it was, for the program */
    MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    long sum = one_way(rank, &shallow);
    out = (int)(sum % 100000);
    MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    long got = in, all = 0;
    MPI_Reduce(&got, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    char expected[32];
    sprintf(expected, "rank %d", rank);
    int bad = *small != rank || strcmp(text, expected) || argc != 1 || !strchr(argv[0], 'm') ||
              (rank % 8 != 7 && table[5] != 6) || shallow != (rank % 8 ? 7 : 827),
        wrong = 0;
    MPI_Reduce(&bad, &wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld, wrong: %d\n", all, wrong);
    if (rank < 8 || rank >= size - 2)
        printf("%s: %ld\n", text, sum);
    MPI_Finalize();
    return 0;
}
