/* What performance variables count of windows, each kind of access and of synchronisation by itself; --stats and --json
 * show the same counters. Accesses of nothing, or to MPI_PROC_NULL, are none. */
#include <mpi.h>
#include <stdio.h>

enum { COUNTERS = 6 };
static const char *const names[COUNTERS + 1] = {"puts", "bytes_put", "gets", "bytes_got", "accumulates",
                                                "bytes_accumulated", "time_windows"};
static MPI_T_pvar_session session;
static MPI_T_pvar_handle handles[COUNTERS + 1];
static int rank;

static void show(const char *what)
{
    unsigned long long counts[COUNTERS];
    double waited;
    for (int i = 0; i < COUNTERS; i++) {
        MPI_T_pvar_read(session, handles[i], &counts[i]);
        MPI_T_pvar_reset(session, handles[i]);
    }
    MPI_T_pvar_read(session, handles[COUNTERS], &waited);
    MPI_T_pvar_reset(session, handles[COUNTERS]);
    for (int turn = 0; turn < 2; turn++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (turn == rank)
            printf("%d %s: %llu puts %llu bytes, %llu gets %llu bytes, %llu accumulates %llu bytes, %s\n", rank, what,
                   counts[0], counts[1], counts[2], counts[3], counts[4], counts[5],
                   waited > 10e-6 ? "waited long" : waited > 0 ? "waited" : "did not wait");
        fflush(stdout);
    }
}

static void open_all(void)
{
    int count, class, provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    for (int i = 0; i <= COUNTERS; i++) {
        int index;
        class = i == COUNTERS ? MPI_T_PVAR_CLASS_TIMER : i % 2 ? MPI_T_PVAR_CLASS_AGGREGATE : MPI_T_PVAR_CLASS_COUNTER;
        if (MPI_T_pvar_get_index(names[i], class, &index) != MPI_SUCCESS)
            printf("no %s\n", names[i]);
        MPI_T_pvar_handle_alloc(session, index, NULL, &handles[i], &count);
        MPI_T_pvar_start(session, handles[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Win win;
    MPI_Datatype pairs;
    MPI_Request request;
    MPI_Group world, other;
    double *memory, numbers[8] = {1, 2, 3}, old[8];
    long one = 1, before, zero = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int peer = 1 - rank;
    open_all();
    MPI_Win_allocate(64 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    show("made");
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &pairs);
    MPI_Type_commit(&pairs);
    MPI_Win_fence(0, win);
    if (rank == 0)
        for (volatile int i = 0; i < 10000; i++)
            ;
    MPI_Put(numbers, 3, MPI_DOUBLE, peer, 0, 3, MPI_DOUBLE, win);
    MPI_Put(numbers, 2, MPI_DOUBLE, rank, 8, 1, pairs, win);
    MPI_Put(numbers, 0, MPI_DOUBLE, peer, 0, 0, MPI_DOUBLE, win);
    MPI_Put(numbers, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    show("puts between fences");
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
    MPI_Get(old, 5, MPI_DOUBLE, peer, 0, 5, MPI_DOUBLE, win);
    MPI_Rget(old, 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(peer, win);
    MPI_Win_unlock(peer, win);
    show("gets under a lock");
    MPI_Win_lock_all(0, win);
    MPI_Accumulate(numbers, 4, MPI_DOUBLE, peer, 16, 4, MPI_DOUBLE, MPI_SUM, win);
    MPI_Get_accumulate(numbers, 2, MPI_DOUBLE, old, 2, MPI_DOUBLE, peer, 16, 2, MPI_DOUBLE, MPI_SUM, win);
    MPI_Fetch_and_op(&one, &before, MPI_LONG, peer, 30, MPI_SUM, win);
    MPI_Compare_and_swap(&one, &zero, &before, MPI_LONG, peer, 31, win);
    MPI_Win_flush_local_all(win);
    MPI_Win_unlock_all(win);
    show("accumulates under all locks");
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    if (rank == 0) {
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
    } else {
        for (volatile int i = 0; i < 10000; i++)
            ;
        MPI_Win_start(other, 0, win);
        MPI_Put(numbers, 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, win);
        MPI_Win_complete(win);
    }
    show("post and start");
    MPI_Group_free(&world);
    MPI_Group_free(&other);
    MPI_Type_free(&pairs);
    MPI_Win_free(&win);
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
