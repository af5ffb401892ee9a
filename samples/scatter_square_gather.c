/* scatter_square_gather.c - rank 0 deals out numbers, everybody squares its share, rank 0 collects.
 *
 * Run:      orrery run -n 4 --machine crossbar-16 --stats samples/scatter_square_gather.c
 * Look at:  the shape of the scatter: with the binomial algorithm half of the data goes to the rank half-way up first.
 * Change:   --set collectives.scatter=linear; a larger SHARE.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define SHARE 4

int main(int argc, char **argv)
{
    int rank, size;
    long share[SHARE], *numbers = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        numbers = malloc(SHARE * size * sizeof *numbers);
        for (int i = 0; i < SHARE * size; i++)
            numbers[i] = i + 1;
    }
    MPI_Scatter(numbers, SHARE, MPI_LONG, share, SHARE, MPI_LONG, 0, MPI_COMM_WORLD);
    for (int i = 0; i < SHARE; i++)
        share[i] *= share[i];
    MPI_Gather(share, SHARE, MPI_LONG, numbers, SHARE, MPI_LONG, 0, MPI_COMM_WORLD);

    if (rank == 0) {
        long sum = 0;
        for (int i = 0; i < SHARE * size; i++) {
            printf("%ld%s", numbers[i], i % 8 == 7 || i == SHARE * size - 1 ? "\n" : " ");
            sum += numbers[i];
        }
        printf("The first %d squares add up to %ld\n", SHARE * size, sum);
        free(numbers);
    }
    MPI_Finalize();
    return 0;
}
