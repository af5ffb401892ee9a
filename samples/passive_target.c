/* Everybody puts a number into the window of rank 0 while rank 0 computes. How long a put takes then depends on who
 * handles it at the target: the network interface, a thread, or rank 0 itself, which is in no MPI call for a long time
 * ([mpi] one-sided). */
#include <mpi.h>
#include <stdio.h>

enum { TURNS = 200000 };

int main(int argc, char **argv)
{
    int rank, size, *numbers;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(rank == 0 ? size * sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &numbers, &window);
    MPI_Barrier(MPI_COMM_WORLD);

    double begin = MPI_Wtime(), sum = 0;
    if (rank == 0) {
        for (int i = 1; i <= TURNS; i++)
            sum += 1.0 / i;
    } else {
        int number = rank * rank;
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Put(&number, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    }
    if (rank > 0)
        printf("rank %d has put a number within %.1f us\n", rank, (MPI_Wtime() - begin) * 1e6);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        int total = 0;
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        for (int i = 1; i < size; i++)
            total += numbers[i];
        MPI_Win_unlock(0, window);
        printf("the numbers add up to %d; %g\n", total, sum);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
