/* heat.c - a rod cools down; each rank has some of its cells, t[1] to t[mine]. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, facts[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && scanf("%d %d", &facts[0], &facts[1]) != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(facts, 2, MPI_INT, 0, MPI_COMM_WORLD);
    int n = facts[0], mine = n / size;
    double *t = calloc((size_t)mine + 2, sizeof *t), *next = calloc((size_t)mine + 2, sizeof *next);
    for (int i = 0; i < mine; i++) {
        int cell = rank * mine + i;
        t[i + 1] = cell >= n / 3 && cell < 2 * n / 3 ? 100 : 0;
    }
    /* Your part: the steps. t[0] and t[mine + 1] are for the neighbours' cells. */
    memcpy(next, t, ((size_t)mine + 2) * sizeof *t);
    double facts_here[2] = {0, 0}, sum, highest;
    for (int i = 1; i <= mine; i++) {
        facts_here[0] += t[i];
        facts_here[1] = t[i] > facts_here[1] ? t[i] : facts_here[1];
    }
    MPI_Reduce(&facts_here[0], &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&facts_here[1], &highest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.3f, highest %.4f\n", sum, highest);
    free(t);
    free(next);
    MPI_Finalize();
    return 0;
}
