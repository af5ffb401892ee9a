/* MPIX_Comm_iagree and MPIX_Comm_ishrink: several at a time, waited for together with other requests, with and without
 * failures (--kill), on a revoked communicator; what a wildcard request does meanwhile. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void expect(const char *what, int result, int wanted)
{
    int class;
    MPI_Error_class(result, &class);
    if (class != wanted)
        printf("rank %d: %s: class %d instead of %d\n", rank, what, class, wanted);
}

static void equal(const char *what, int value, int wanted)
{
    if (value != wanted)
        printf("rank %d: %s: %d instead of %d\n", rank, what, value, wanted);
}

int main(int argc, char **argv)
{
    int first, second, got, sent, flag, done, turns = 0, n, i;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Comm comm, left;
    double begin;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    /* Nobody has failed. */
    first = rank == 1 ? 6 : 7;
    second = 1 << rank;
    sent = rank;
    MPIX_Comm_iagree(comm, &first, &requests[0]);
    MPIX_Comm_iagree(comm, &second, &requests[1]);
    MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, 0, comm, &requests[2]);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, &requests[3]);
    expect("all", MPI_Waitall(4, requests, statuses), MPI_SUCCESS);
    equal("first", first, 6);
    equal("second", second, 0);
    equal("received", got, (rank + size - 1) % size);
    /* Everybody agrees with himself. */
    for (i = 0; i < 3; i++) {
        first = rank + 10 * i;
        expect("alone", MPIX_Comm_agree(MPI_COMM_SELF, &first), MPI_SUCCESS);
        equal("alone", first, rank + 10 * i);
    }
    MPIX_Comm_ishrink(comm, &left, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Comm_size(left, &n);
    equal("all are left", n, size);
    MPI_Comm_free(&left);

    /* Rank 2 is about to fail while the others wait for it. */
    if (rank == 2)
        for (;;)
            turns++;
    first = 3;
    MPIX_Comm_iagree(comm, &first, &requests[0]);
    for (done = 0; !done; turns++)
        if (MPI_Test(&requests[0], &done, statuses) != MPI_SUCCESS)
            break;
    equal("agreed all the same", first, 3);
    expect("status", MPIX_Comm_agree(comm, &first), MPIX_ERR_PROC_FAILED);
    MPIX_Comm_failure_ack(comm);
    first = 2 + rank % 2;
    MPIX_Comm_iagree(comm, &first, &requests[0]);
    expect("acknowledged", MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
    equal("acknowledged", first, 2);

    begin = MPI_Wtime();
    if (rank == 0)
        MPIX_Comm_revoke(comm);
    MPIX_Comm_ishrink(comm, &left, &requests[0]);
    expect("shrunk", MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
    MPI_Comm_size(left, &n);
    equal("left", n, size - 1);
    flag = 1;
    expect("reduce", MPI_Allreduce(&flag, &n, 1, MPI_INT, MPI_SUM, left), MPI_SUCCESS);
    equal("reduce", n, size - 1);
    if (rank == 0)
        printf("%d left, after %s\n", n, MPI_Wtime() > begin ? "some time" : "no time");
    MPI_Comm_free(&comm);
    MPI_Comm_free(&left);
    MPI_Finalize();
    return 0;
}
