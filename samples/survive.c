/* survive.c - an iteration that goes on when a process fails (functions of ULFM).
 *
 * The ranks compute the mean of their values again and again. Run it with --kill 2@300us: rank 2 fails, the others are
 * told by MPI_ERR_PROC_FAILED, revoke the communicator so that nobody waits for somebody who has given up, make a new
 * one of those who are left, agree on the last iteration that all have, and go on from there.
 */
#include <mpi.h>
#include <stdio.h>

enum { TURNS = 40 };

/* Makes a communicator of those who are left. Returns the first turn that not all of them have completed. */
static int mend(MPI_Comm *comm, int turn)
{
    MPI_Comm left;
    int rank, size, first = turn;
    MPIX_Comm_revoke(*comm);
    MPIX_Comm_shrink(*comm, &left);
    if (*comm != MPI_COMM_WORLD)
        MPI_Comm_free(comm);
    *comm = left;
    MPI_Comm_rank(left, &rank);
    MPI_Comm_size(left, &size);
    MPI_Allreduce(&turn, &first, 1, MPI_INT, MPI_MIN, left);
    if (rank == 0)
        printf("%d ranks go on with turn %d\n", size, first);
    return first;
}

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank, size, turn = 0;
    double value, sum = 0, error = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    while (turn < TURNS) {
        value = rank + turn;
        for (int i = 0; i < 5000; i++) /* some work */
            error += value / (i + 1);
        int code = MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, comm), class;
        MPI_Error_class(code, &class);
        if (class == MPI_SUCCESS)
            turn++;
        else if (class == MPIX_ERR_PROC_FAILED || class == MPIX_ERR_REVOKED)
            turn = mend(&comm, turn);
        else
            MPI_Abort(comm, code);
    }
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    if (rank == 0)
        printf("mean of the last turn: %.2f of %d ranks\n", sum / size, size);
    if (comm != MPI_COMM_WORLD)
        MPI_Comm_free(&comm);
    MPI_Finalize();
    return error < 0;
}
