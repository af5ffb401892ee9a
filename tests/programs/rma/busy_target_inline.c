/* A rank computes while others put, get and count. What they get races with what it stores, and decides how long they
 * compute: so all clocks tell whether quanta, tiers and threads show. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static volatile double sink;
static double work(int turns, int *own)
{
    double x = 0;
    for (int i = 0; i < turns; i++) { x += i * 0.5; own[i & 7] += i; }
    return x;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *mem; MPI_Win win;
    MPI_Win_allocate(1024 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    for (int i = 0; i < 1024; i++) mem[i] = i;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    int one = 1, before = 0, got[8];
    for (int turn = 0; turn < 20; turn++) {
        if (rank == 0) {
            sink = work(30000, mem + 512);
        } else {
            MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 100, MPI_SUM, win);
            MPI_Get(got, 8, MPI_INT, 0, 512, 8, MPI_INT, win);   /* races with rank 0, on purpose */
            MPI_Put(&rank, 1, MPI_INT, 0, 200 + rank, 1, MPI_INT, win);
            MPI_Win_flush(0, win);
            sink = work((unsigned)(before + got[0] + got[7]) % 5000, got);
        }
        MPI_Win_sync(win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!rank) printf("%d %d\n", mem[100], mem[200 + size - 1]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
