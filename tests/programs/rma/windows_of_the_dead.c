/* Rank 1 fails (--kill) while others have to do with it in windows: it holds a lock, is waited for by post, start,
 * complete, wait and fence, is the target of accesses. All calls end, with MPIX_ERR_PROC_FAILED where they needed it,
 * and windows are freed without it. */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

static void expect(const char *what, int result, int wanted)
{
    int class;
    MPI_Error_class(result, &class);
    if (class != wanted)
        printf("rank %d: %s: class %d instead of %d\n", rank, what, class, wanted);
}

static MPI_Win make(int **memory)
{
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    for (int i = 0; i < 16; i++)
        (*memory)[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    return win;
}

int main(int argc, char **argv)
{
    enum { HELD, SHARED, POSTED, FENCED, TARGET, ALL, WINDOWS };
    int *memory[WINDOWS], one = 1, got = 0, flag, others[2] = {1, 2};
    MPI_Win win[WINDOWS];
    MPI_Group world, pair, dead;
    MPI_Request request, prepared;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, others, &dead);
    MPI_Group_incl(world, 2, others, &pair);
    for (int i = 0; i < WINDOWS; i++)
        win[i] = make(&memory[i]);
    MPI_Win_fence(0, win[FENCED]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &prepared);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win[HELD]);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[SHARED]);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win[ALL]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&flag, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* nothing comes */

    /* Who waits while it happens. */
    if (rank == 0) {
        MPI_Win_post(pair, 0, win[POSTED]);
        expect("wait", MPI_Win_wait(win[POSTED]), MPIX_ERR_PROC_FAILED);
    } else if (rank == 2) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win[TARGET]);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win[TARGET]);
        MPI_Rget(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win[TARGET], &request);
        expect("held", MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win[HELD]), MPIX_ERR_PROC_FAILED);
        expect("request", MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS); /* it came in time */
        expect("target", MPI_Win_unlock(1, win[TARGET]), MPIX_ERR_PROC_FAILED);
    } else if (rank == 3) {
        expect("start", MPI_Win_start(dead, 0, win[POSTED]), MPIX_ERR_PROC_FAILED);
        expect("complete", MPI_Win_complete(win[POSTED]), MPIX_ERR_PROC_FAILED);
        expect("lock that is shared", MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[SHARED]), MPI_SUCCESS);
        expect("unlock", MPI_Win_unlock(0, win[SHARED]), MPI_SUCCESS);
    } else if (rank == 4) {
        MPI_Win_lock_all(0, win[ALL]);
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win[ALL]);
        MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, win[ALL]);
        expect("flush of others", MPI_Win_flush(2, win[ALL]), MPI_SUCCESS);
        expect("flush", MPI_Win_flush(0, win[ALL]), MPIX_ERR_PROC_FAILED);
        expect("unlock all", MPI_Win_unlock_all(win[ALL]), MPI_SUCCESS);
    } else {
        if (rank == 6) /* waits for its access, not for the others */
            MPI_Get(memory[FENCED], 16, MPI_INT, 1, 0, 16, MPI_INT, win[FENCED]);
        expect("fence", MPI_Win_fence(0, win[FENCED]), MPIX_ERR_PROC_FAILED);
    }
    /* Who comes later. */
    MPIX_Comm_failure_ack(MPI_COMM_WORLD);
    flag = 1;
    MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
    expect("start of a barrier", MPI_Start(&prepared), MPI_SUCCESS);
    expect("barrier", MPI_Wait(&prepared, MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
    MPI_Request_free(&prepared);
    expect("later fence", MPI_Win_fence(0, win[FENCED]), MPIX_ERR_PROC_FAILED);
    expect("later lock", MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[HELD]), MPIX_ERR_PROC_FAILED);
    expect("later exclusive", MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win[SHARED]), MPIX_ERR_PROC_FAILED);
    expect("later shared", MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[SHARED]), MPI_SUCCESS);
    expect("get", MPI_Get(&got, 1, MPI_INT, 0, 3, 1, MPI_INT, win[SHARED]), MPI_SUCCESS);
    expect("later unlock", MPI_Win_unlock(0, win[SHARED]), MPI_SUCCESS);
    expect("lock of the dead", MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win[TARGET]), MPIX_ERR_PROC_FAILED);
    expect("all", MPI_Win_lock_all(0, win[TARGET]), MPI_SUCCESS);
    expect("put", MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win[TARGET]), MPI_SUCCESS);
    expect("flush of the dead", MPI_Win_flush(1, win[TARGET]), MPIX_ERR_PROC_FAILED);
    expect("rget", MPI_Rget(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win[TARGET], &request), MPI_SUCCESS);
    expect("its request", MPI_Wait(&request, MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
    expect("fetch", MPI_Fetch_and_op(&one, &got, MPI_INT, 0, 5, MPI_SUM, win[TARGET]), MPI_SUCCESS);
    expect("all over", MPI_Win_unlock_all(win[TARGET]), MPIX_ERR_PROC_FAILED);
    MPIX_Comm_agree(MPI_COMM_WORLD, &flag); /* nobody frees what others still access */
    for (int i = 0; i < WINDOWS; i++)
        expect("free", MPI_Win_free(&win[i]), MPI_SUCCESS);
    MPI_Group_free(&world);
    MPI_Group_free(&pair);
    MPI_Group_free(&dead);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
