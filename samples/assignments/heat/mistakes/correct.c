/* All points. */
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
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int step = 0; step < facts[1]; step++) {
        MPI_Sendrecv(&t[1], 1, MPI_DOUBLE, left, 0, &t[mine + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&t[mine], 1, MPI_DOUBLE, right, 0, &t[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= mine; i++)
            next[i] = t[i] + 0.25 * (t[i - 1] - 2 * t[i] + t[i + 1]);
        memcpy(t + 1, next + 1, (size_t)mine * sizeof *t);
    }
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
