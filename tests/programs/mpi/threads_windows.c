/* Threads of a rank use one window at once: each waits for its own accesses, whoever else waits on the window. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 10, CELLS = 64 };

static int rank, size;
static MPI_Win win, fenced[THREADS];
static long *memory, *own[THREADS];

static void expect(const char *what, long got, long wanted)
{
    if (got != wanted)
        printf("rank %d: %s is %ld, not %ld\n", rank, what, got, wanted);
}

static void *work(void *argument)
{
    int me = (int)(long)argument, right = (rank + 1) % size;
    for (int i = 0; i < ROUNDS; i++) {
        int target = (rank + me + i) % size;
        long one = 1, old, value = 1000 * rank + 10 * me + i, seen = -1, block[CELLS];
        MPI_Request request;
        MPI_Fetch_and_op(&one, &old, MPI_LONG, target, 0, MPI_SUM, win);
        MPI_Win_flush(target, win);
        MPI_Accumulate(&one, 1, MPI_LONG, right, 1, 1, MPI_LONG, MPI_SUM, win);
        MPI_Win_flush_local(right, win);
        MPI_Put(&value, 1, MPI_LONG, right, 2 + me, 1, MPI_LONG, win);
        MPI_Win_flush(right, win);
        MPI_Rget(&seen, 1, MPI_LONG, right, 2 + me, 1, MPI_LONG, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect("what the thread has put", seen, value);
        MPI_Get(block, CELLS, MPI_LONG, target, CELLS, CELLS, MPI_LONG, win);
        MPI_Win_flush_all(win);
        expect("a constant", block[CELLS - 1], target);
        MPI_Win_fence(0, fenced[me]);
        MPI_Put(&value, 1, MPI_LONG, right, 0, 1, MPI_LONG, fenced[me]);
        MPI_Win_fence(0, fenced[me]);
        expect("what the neighbour has put", own[me][0], 1000 * ((rank + size - 1) % size) + 10 * me + i);
    }
    return argument;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(2 * CELLS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < THREADS; i++)
        MPI_Win_allocate(sizeof *own[i], sizeof *own[i], MPI_INFO_NULL, MPI_COMM_WORLD, &own[i], &fenced[i]);
    for (int i = 0; i < CELLS; i++) {
        memory[i] = 0;
        memory[CELLS + i] = rank;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    long counted = memory[0], all;
    MPI_Allreduce(&counted, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    expect("counted", all, (long)size * THREADS * ROUNDS);
    expect("added", memory[1], THREADS * ROUNDS);
    for (int i = 0; i < THREADS; i++)
        MPI_Win_free(&fenced[i]);
    MPI_Win_free(&win);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
