/* Rank 3 fails while it computes (--kill): what others do with it ends with the classes of ULFM, everything else goes
 * on; acknowledging, agreeing, revoking, shrinking. */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static void expect(const char *what, int result, int wanted)
{
    if (class_of(result) != wanted)
        printf("rank %d: %s: class %d instead of %d\n", rank, what, class_of(result), wanted);
}

static void equal(const char *what, int value, int wanted)
{
    if (value != wanted)
        printf("rank %d: %s: %d instead of %d\n", rank, what, value, wanted);
}

static int members(MPI_Group *group)
{
    int n;
    MPI_Group_size(*group, &n);
    if (*group != MPI_GROUP_EMPTY)
        MPI_Group_free(group);
    return n;
}

int main(int argc, char **argv)
{
    static int large[100000], small = 5, got;
    MPI_Comm comm, other, left;
    MPI_Request requests[3];
    MPI_Status status;
    MPI_Group group;
    int flag, sum, acked;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 3) {
        MPI_Send(&small, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* it arrives, whatever happens then */
        printf("rank 3 computes\n");
        for (volatile int i = 0;; i++)
            ;
    }
    /* What began before the failure is known. */
    if (rank == 0) {
        expect("large send", MPI_Send(large, 100000, MPI_INT, 3, 1, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
        expect("sent before", MPI_Recv(&got, 1, MPI_INT, 3, 1, MPI_COMM_WORLD, &status), MPI_SUCCESS);
        equal("value", got, 5);
    } else if (rank == 1) {
        MPI_Irecv(&got, 1, MPI_INT, 3, 9, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&sum, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, &requests[1]);
        expect("wait", MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
        expect("from a living one", MPI_Wait(&requests[1], MPI_STATUS_IGNORE), MPI_SUCCESS);
        equal("value", sum, 7);
    } else if (rank == 2) {
        small = 7;
        MPI_Send(&small, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
        expect("any source", MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status),
               MPIX_ERR_PROC_FAILED);
    } else { /* others are in a collective, or in one in the background */
        if (rank % 2) {
            expect("barrier", MPI_Barrier(comm), MPIX_ERR_PROC_FAILED);
        } else {
            MPI_Ibarrier(other, &requests[2]);
            expect("background", MPI_Wait(&requests[2], MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
        }
    }
    /* What begins later. */
    expect("send", MPI_Send(&small, 1, MPI_INT, 3, 2, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    expect("receive", MPI_Recv(&got, 1, MPI_INT, 3, 2, MPI_COMM_WORLD, &status), MPIX_ERR_PROC_FAILED);
    expect("collective", MPI_Bcast(&small, 1, MPI_INT, 0, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    expect("new communicator", MPI_Comm_dup(MPI_COMM_WORLD, &left), MPIX_ERR_PROC_FAILED);
    expect("living", MPI_Sendrecv(&rank, 1, MPI_INT, rank, 3, &got, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &status),
           MPI_SUCCESS);
    MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, &group);
    equal("none acknowledged", members(&group), 0);
    MPIX_Comm_get_failed(MPI_COMM_WORLD, &group);
    equal("one failed", members(&group), 1);

    /* Not all have taken note: the flags are agreed, and all hear of it. */
    flag = rank ? 7 : 5;
    if (rank != 1)
        MPIX_Comm_failure_ack(MPI_COMM_WORLD);
    expect("agree", MPIX_Comm_agree(MPI_COMM_WORLD, &flag), MPIX_ERR_PROC_FAILED);
    equal("flags", flag, 5);
    MPIX_Comm_ack_failed(MPI_COMM_WORLD, 1, &acked);
    equal("acknowledged", acked, 1);
    flag = 3;
    expect("agree", MPIX_Comm_agree(MPI_COMM_WORLD, &flag), MPI_SUCCESS);
    equal("flags", flag, 3);
    /* After that a wildcard means the living. */
    if (rank == 0)
        MPI_Send(&small, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    if (rank == 1)
        expect("any source", MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &status), MPI_SUCCESS);

    /* Revoking ends what others wait for. */
    MPIX_Comm_is_revoked(comm, &flag);
    equal("not revoked", flag, 0);
    if (rank == 0)
        MPIX_Comm_revoke(comm);
    else
        expect("revoked", MPI_Recv(&got, 1, MPI_INT, 0, 5, comm, &status), MPIX_ERR_REVOKED);
    MPIX_Comm_is_revoked(comm, &flag);
    equal("revoked", flag, 1);
    expect("send", MPI_Send(&small, 1, MPI_INT, rank, 5, comm), MPIX_ERR_REVOKED);

    expect("shrink", MPIX_Comm_shrink(comm, &left), MPI_SUCCESS);
    MPI_Comm_size(left, &got);
    equal("the living", got, size - 1);
    expect("reduce", MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, left), MPI_SUCCESS);
    equal("sum", sum, size * (size - 1) / 2 - 3);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&other);
    MPI_Comm_rank(left, &got);
    if (got == 0)
        printf("%d ranks are left\n", size - 1);
    MPI_Comm_free(&left);
    MPI_Finalize();
    return 0;
}
