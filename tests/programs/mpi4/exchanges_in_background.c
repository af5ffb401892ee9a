/* MPI_Isendrecv and MPI_Isendrecv_replace: one request for both messages (MPI-4.0 section 3.7.4). */
#include "../mpi/in_order.h"

int main(int argc, char **argv)
{
    int rank, size, out[3], in[3] = {-1, -1, -1}, own, flag = 0, index, done = 0, count;
    static int large[2][30000];
    MPI_Request requests[3];
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int i = 0; i < 3; i++)
        out[i] = 10 * rank + i;
    MPI_Isendrecv(out, 2, MPI_INT, next, 1, in, 3, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Get_count(&status, MPI_INT, &count);
    say("rank %d: %d %d from %d, %d items, tag %d\n", rank, in[0], in[1], status.MPI_SOURCE, count, status.MPI_TAG);

    own = rank;
    MPI_Isendrecv_replace(&own, 1, MPI_INT, before, 2, next, 2, MPI_COMM_WORLD, &requests[0]);
    for (int i = 0; i < 30000; i++)
        large[0][i] = rank + i;
    MPI_Isendrecv(large[0], 30000, MPI_INT, next, 3, large[1], 30000, MPI_INT, before, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Isendrecv(out, 1, MPI_INT, MPI_PROC_NULL, 4, in, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &requests[2]);
    while (done < 3) {
        MPI_Waitany(3, requests, &index, &status);
        if (index == 2)
            say("rank %d: nobody is %s\n", rank, status.MPI_SOURCE == MPI_PROC_NULL ? "nobody" : "somebody");
        done++;
    }
    int wrong = 0;
    for (int i = 0; i < 30000; i++)
        wrong += large[1][i] != before + i;
    say("rank %d: replaced by %d, %d wrong\n", rank, own, wrong);

    MPI_Isendrecv(out, 1, MPI_INT, next, 5, in, 1, MPI_INT, before, 5, MPI_COMM_WORLD, &requests[0]);
    while (!flag)
        MPI_Test(&requests[0], &flag, &status);
    say("rank %d: %d\n", rank, in[0]);
    say_all();
    MPI_Finalize();
    return 0;
}
