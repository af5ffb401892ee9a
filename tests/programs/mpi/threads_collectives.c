/* Threads make communicators and call collectives at once, each on a communicator of its own: blocking ones, ones in the
 * background, and reductions with functions of the program. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 6 };

static int rank, size;
static MPI_Comm own[THREADS];
static MPI_Op op;

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted)
        printf("rank %d: %s is %d, not %d\n", rank, what, got, wanted);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void collectives(MPI_Comm comm, int me)
{
    int mine = rank + me, sum, all[64], blocks[64], got[64], first = me;
    MPI_Request requests[3];
    MPI_Barrier(comm);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, op, comm);
    expect("sum", sum, size * (size - 1) / 2 + size * me);
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++) {
        expect("gathered", all[i], i + me);
        blocks[i] = 100 * rank + i + me;
    }
    MPI_Alltoall(blocks, 1, MPI_INT, got, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        expect("exchanged", got[i], 100 * i + rank + me);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, op, comm, &requests[0]);
    MPI_Ibcast(&first, 1, MPI_INT, me % size, comm, &requests[1]);
    MPI_Ibarrier(comm, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    expect("sum in the background", sum, size * (size - 1) / 2 + size * me);
    expect("from the root", first, me);
}

static void *work(void *argument)
{
    int me = (int)(long)argument;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm copy, half, some, later;
        MPI_Group group;
        MPI_Request request;
        int result, half_size;
        MPI_Comm_dup(own[me], &copy);
        collectives(copy, me);
        MPI_Comm_split(own[me], rank % 2, -rank, &half);
        MPI_Comm_size(half, &half_size);
        expect("half", half_size, (size + 1 - rank % 2) / 2);
        MPI_Comm_group(own[me], &group);
        MPI_Comm_create_group(own[me], group, me, &some);
        MPI_Group_free(&group);
        MPI_Comm_idup(own[me], &later, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_compare(some, later, &result);
        expect("comparison", result, MPI_CONGRUENT);
        collectives(later, me + i);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&half);
        MPI_Comm_free(&some);
        MPI_Comm_free(&later);
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
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&own[i]);
    MPI_Op_free(&op);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
