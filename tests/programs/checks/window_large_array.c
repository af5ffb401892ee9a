/* A large window that loops go through, by words, bytes and backwards: what was touched is kept in short, and still told to
 * the byte and with its line. */
#include <mpi.h>

enum { NUMBERS = 1 << 20 };

int main(int argc, char **argv)
{
    int rank, *memory, numbers[6] = {0};
    char *bytes;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(NUMBERS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    bytes = (char *)memory;
    for (int i = 0; i < NUMBERS; i++)
        memory[i] = i;
    for (int i = 4 * NUMBERS - 1; i >= 2 * NUMBERS; i--)
        bytes[i] = 1;
    MPI_Win_fence(0, win);
    MPI_Put(numbers, 6, MPI_INT, 1 - rank, 700000, 6, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 600000; i++)
        memory[i]++;
    if (rank == 1)
        memory[600001] = 3;
    if (rank == 0)
        MPI_Put(numbers, 6, MPI_INT, 1, 599998, 6, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
