/* Communication inside loops and in functions that loops call: blocking, not blocking, polling, collective. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double __attribute__((noinline)) exchange(double value, int left, int right)
{
    double got;
    MPI_Sendrecv(&value, 1, MPI_DOUBLE, right, 1, &got, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return got;
}

static long __attribute__((noinline)) poll(MPI_Request *request)
{
    long rounds = 0;
    for (int done = 0; !done; rounds++)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    return rounds;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    double field[50], sum = 0;
    for (int i = 0; i < 50; i++)
        field[i] = rank + i / 50.0;
    for (int round = 0; round < 30; round++) {
        double before = exchange(field[49], left, right), all;
        for (int i = 0; i < 50; i++) {
            double here = field[i];
            field[i] = (before + here) / 2;
            before = here;
        }
        if (round % 5 == rank % 5) {
            for (int i = 0; i < 1000 * rank; i++)
                sum += field[i % 50] / (i + 1);
        }
        MPI_Allreduce(&field[round], &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
    }
    int token = rank, got = -1;
    long rounds = 0;
    for (int i = 0; i < 10; i++) {
        MPI_Request request;
        MPI_Irecv(&got, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &request);
        for (int k = 0; k < rank * 200; k++)
            token = token * 5 + k;
        MPI_Send(&token, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
        rounds += poll(&request);
        token += got;
    }
    printf("%d: %.15g %d %d\n", rank, sum, token, rounds >= 10);
    MPI_Finalize();
}
