/* windows.c - accesses to the window of the right neighbour, 64 between two flushes.
 *
 *     windows TURNS put|get
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 64 };

int main(int argc, char **argv)
{
    int rank, size, turns = argc > 1 ? atoi(argv[1]) : 1000, puts = argc < 3 || !strcmp(argv[2], "put");
    int *window_memory, number[NUMBERS];
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size;
    MPI_Win_allocate(sizeof number, sizeof number[0], MPI_INFO_NULL, MPI_COMM_WORLD, &window_memory, &window);
    for (int i = 0; i < NUMBERS; i++)
        window_memory[i] = number[i] = rank;
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < NUMBERS; i++) {
            if (puts)
                MPI_Put(&number[i], 1, MPI_INT, right, i, 1, MPI_INT, window);
            else
                MPI_Get(&number[i], 1, MPI_INT, right, i, 1, MPI_INT, window);
        }
        MPI_Win_flush(right, window);
    }
    MPI_Win_unlock_all(window);
    double seconds = MPI_Wtime();
    if (rank == 0)
        printf("%d %.9f\n", number[0], seconds);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
