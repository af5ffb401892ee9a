/* bitonic_sort.c - parallel bitonic sort: blocks of keys are merged and split between pairs of ranks.
 *
 * The number of ranks must be a power of two. In each step a rank and the partner whose number differs in one bit
 * exchange their blocks; one keeps the lower half, the other the upper half. On a hypercube every exchange is between
 * neighbours.
 *
 * Run:      orrery run -n 8 --machine hypercube-4 --stats samples/bitonic_sort.c 64
 * Look at:  the same program with --machine ring-8: longer ways, shared links, a longer makespan.
 * Change:   the keys: already sorted ones take exactly as long. Why?
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Of two sorted blocks keeps the lower or the upper `count` keys, sorted, in `mine`. */
static void merge_split(int *mine, const int *theirs, int *merged, int count, int keep_low)
{
    if (keep_low) {
        for (int i = 0, a = 0, b = 0; i < count; i++)
            merged[i] = mine[a] <= theirs[b] ? mine[a++] : theirs[b++];
    } else {
        for (int i = count - 1, a = count - 1, b = count - 1; i >= 0; i--)
            merged[i] = mine[a] >= theirs[b] ? mine[a--] : theirs[b--];
    }
    memcpy(mine, merged, count * sizeof *mine);
}

static void bitonic_sort(int *keys, int count, int rank, int size)
{
    int *theirs = malloc(count * sizeof *theirs), *merged = malloc(count * sizeof *merged);

    for (int block = 2; block <= size; block *= 2)
        for (int bit = block / 2; bit > 0; bit /= 2) {
            int partner = rank ^ bit;
            int ascending = (rank & block) == 0;
            MPI_Sendrecv(keys, count, MPI_INT, partner, 0, theirs, count, MPI_INT, partner, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            merge_split(keys, theirs, merged, count, ascending == (rank < partner));
        }
    free(theirs);
    free(merged);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if ((size & (size - 1)) != 0) {
        if (rank == 0)
            fprintf(stderr, "bitonic sort needs a power of two as number of ranks, not %d\n", size);
        MPI_Finalize();
        return 1;
    }

    int n = argc > 1 ? atoi(argv[1]) : 64;
    int count = (n + size - 1) / size;
    int *keys = malloc(count * sizeof *keys), *all = NULL;
    unsigned state = 12345u + 1000u * (unsigned)rank;
    for (int i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        keys[i] = (int)(state >> 16) % 1000;
    }

    qsort(keys, count, sizeof *keys, by_value);
    bitonic_sort(keys, count, rank, size);

    if (rank == 0)
        all = malloc(count * size * sizeof *all);
    MPI_Gather(keys, count, MPI_INT, all, count, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        int sorted = 1;
        for (int i = 1; i < count * size; i++)
            sorted = sorted && all[i - 1] <= all[i];
        for (int i = 0; i < count * size; i++)
            printf("%d%s", all[i], i % 16 == 15 || i == count * size - 1 ? "\n" : " ");
        printf("%d keys on %d ranks, sorted: %s\n", count * size, size, sorted ? "yes" : "no");
    }
    free(keys);
    free(all);
    MPI_Finalize();
    return 0;
}
