/* Ranks of one program take different ways through the same code, one of them into a fault: code is shared, state is
 * not. */
#include <mpi.h>
#include <stdio.h>

static long steps[8];

static long __attribute__((noinline)) way(int rank, long n)
{
    long sum = rank;
    for (long i = 0; i < n; i++) {
        switch ((i * (rank + 1)) % 5) {
        case 0: sum += i; break;
        case 1: sum ^= i << rank; break;
        case 2: sum = sum * 3 % 1000003; break;
        case 3: steps[i % 8]++; break;
        default: sum -= steps[(i + rank) % 8]; break;
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d: %ld\n", rank, way(rank, 500 + 300 * rank));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        printf("%ld\n", 1 / (way(0, 5) * 0));
    printf("%d: %ld\n", rank, way(rank, 1000));
    MPI_Finalize();
}
