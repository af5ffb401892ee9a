/* Messages that wait for room, posts and pieces when a process fails: operations end, those who are left go on without
 * it, and nothing that was stored for the failed or the revoked stays. Rounds of messages among all; at an error the
 * communicator is revoked, and the next round is in a smaller one. The first argument is the number that the sizes are
 * drawn from, the second says who fails, and when: in which round, before or behind its messages. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 40, MOST = 6000, RANKS = 6 };
static char in[RANKS][MOST], out[MOST];

static int size_of(int seed, int round)
{
    return (int)(((unsigned)(seed + 31 * round) * 2654435761u >> 20) % MOST);
}

/* Everybody sends to everybody. Returns whether that was possible. */
static int exchange(MPI_Comm comm, int seed, int round)
{
    MPI_Request requests[2 * RANKS];
    int rank, size, n = 0, bad = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < size; i++) {
        int source = round % 3 ? i : MPI_ANY_SOURCE, bytes = size_of(seed, round);
        if (i != rank && MPI_Irecv(in[i], MOST, MPI_CHAR, source, round % 5, comm, &requests[n]) == MPI_SUCCESS)
            n++;
        if (i != rank && MPI_Isend(out, bytes, MPI_CHAR, i, round % 5, comm, &requests[n]) == MPI_SUCCESS)
            n++;
    }
    for (int i = 0; i < n; i++)
        if (MPI_Wait(&requests[i], MPI_STATUS_IGNORE) != MPI_SUCCESS) {
            bad = 1;
            MPIX_Comm_revoke(comm);
        }
    int one = 1, all;
    if (MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS) {
        bad = 1;
        MPIX_Comm_revoke(comm);
    }
    return !bad;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int seed = argc > 1 ? atoi(argv[1]) : 1, dies = argc > 2 ? atoi(argv[2]) : 7, rank, size;
    MPI_Comm comm;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (dies && round >= dies && round % dies == 0 && rank == round / dies) {
            MPI_Request request;
            for (int i = 0; i < 8; i++) {
                MPI_Isend(out, size_of(seed, i), MPI_CHAR, 0, 99, comm, &request);
                MPI_Request_free(&request);
            }
            exit(0);
        }
        int good = exchange(comm, seed, round);
        MPIX_Comm_agree(comm, &good);
        if (good)
            continue;
        MPI_Comm smaller;
        if (MPIX_Comm_shrink(comm, &smaller) != MPI_SUCCESS)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Comm_free(&comm);
        comm = smaller;
    }
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank == 0)
        printf("%d processes have come to the end\n", size);
    MPI_Finalize();
    return 0;
}
