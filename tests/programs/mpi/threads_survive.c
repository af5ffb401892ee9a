/* A process fails for which several threads of another one wait, in a receive, a probe and a barrier: each is told. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static MPI_Comm other;

static void *receives(void *error)
{
    int value;
    *(int *)error = MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void *probes(void *error)
{
    *(int *)error = MPI_Probe(1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void *waits(void *error)
{
    *(int *)error = MPI_Barrier(other);
    return NULL;
}

/* This one goes on: rank 2 sends what it waits for, later. */
static void *stays(void *error)
{
    int value;
    *(int *)error = MPI_Recv(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    static void *(*const functions[])(void *) = {receives, probes, waits, stays};
    pthread_t threads[4];
    int provided, rank, errors[4], class;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 1)
        for (volatile long i = 0;; i++)
            ;
    if (rank == 2) {
        for (volatile long i = 0; i < 3000000; i++)
            ;
        MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    for (int i = 0; rank == 0 && i < 4; i++)
        pthread_create(&threads[i], NULL, functions[i], &errors[i]);
    for (int i = 0; rank == 0 && i < 4; i++) {
        pthread_join(threads[i], NULL);
        MPI_Error_class(errors[i], &class);
        printf("%d: %s\n", i, class == MPI_SUCCESS ? "success" : class == MPIX_ERR_PROC_FAILED ? "failed" : "?");
    }
    MPIX_Comm_revoke(other);
    MPI_Finalize();
    return 0;
}
