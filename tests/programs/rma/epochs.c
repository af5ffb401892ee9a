/* One access or two in an epoch of each kind. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *mem = malloc(100 * sizeof *mem);
    for (int i = 0; i < 100; i++) mem[i] = rank * 1000 + i;
    MPI_Win win;
    MPI_Win_create(mem, 100 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    int v = 7 + rank, right = (rank + 1) % size;
    MPI_Put(&v, 1, MPI_INT, right, 3, 1, MPI_INT, win);
    int got = -1;
    MPI_Get(&got, 1, MPI_INT, right, 5, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    printf("%d: mem[3]=%d got %d\n", rank, mem[3], got);
    int one = 1;
    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (!rank) printf("sum %d\n", mem[0]);
    for (int i = 0; i < 3; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        int x;
        MPI_Get(&x, 1, MPI_INT, 0, 10, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        x++;
        MPI_Put(&x, 1, MPI_INT, 0, 10, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    if (!rank) printf("counter %d\n", mem[10]);
    MPI_Win_unlock(rank, win);
    MPI_Win_lock_all(0, win);
    int old;
    MPI_Fetch_and_op(&one, &old, MPI_INT, size - 1, 20, MPI_SUM, win);
    MPI_Win_flush_all(win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == size - 1) printf("fetched %d\n", mem[20] - rank * 1000);
    MPI_Group all, g;
    MPI_Win_get_group(win, &all);
    int r = right, l = (rank + size - 1) % size;
    MPI_Group gr, gl;
    MPI_Group_incl(all, 1, &r, &gr);
    MPI_Group_incl(all, 1, &l, &gl);
    MPI_Win_post(gl, 0, win);
    MPI_Win_start(gr, 0, win);
    MPI_Put(&v, 1, MPI_INT, right, 30, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    printf("%d: pscw %d\n", rank, mem[30]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
