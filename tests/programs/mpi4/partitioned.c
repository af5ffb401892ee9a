/* Partitioned communication: partitions ready in any order, the receiver dividing the data in its own way, initializing
 * later, polling for parts, starting again (MPI-4.0 chapter 4). */
#include "../mpi/in_order.h"

enum { PARTS = 6, ITEMS = 4, ALL = PARTS * ITEMS };

static volatile double sink;

int main(int argc, char **argv)
{
    int rank, size, out[ALL], in[ALL], flag = 1, list[] = {5, 1, 3}, wrong, early = 0;
    MPI_Request send, receive, nobody;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    /* 6 partitions of 4 go out, 3 of 8 come in. */
    if (rank % 2 == 0)
        MPI_Psend_init(out, PARTS, ITEMS, MPI_INT, next, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Precv_init(in, 3, 8, MPI_INT, before, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    if (rank % 2)
        MPI_Psend_init(out, PARTS, ITEMS, MPI_INT, next, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Parrived(receive, 1, &flag);
    say("rank %d: inactive: %d\n", rank, flag);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < ALL; i++)
            in[i] = -1;
        MPI_Start(&receive);
        MPI_Start(&send);
        for (int i = 0; i < ALL; i++)
            out[i] = 1000 * rank + 100 * round + i;
        if (round % 2) {
            MPI_Pready_range(2, 4, send);
            MPI_Pready(5, send);
            MPI_Pready_range(0, 1, send);
        } else {
            MPI_Pready_list(3, list, send);
            for (int i = 0; i < 1000 * rank; i++)
                sink += i;
            for (int i = 4; i >= 0; i -= 2)
                MPI_Pready(i, send);
        }
        if (round < 3) { /* the last third first; it may be worked on at once */
            for (flag = 0; !flag;)
                MPI_Parrived(receive, 2, &flag);
            for (int i = 16; i < ALL; i++)
                in[i] += 5;
        }
        MPI_Wait(&receive, &status);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        wrong = 0;
        for (int i = 0; i < ALL; i++)
            wrong += in[i] != 1000 * before + 100 * round + i + (i >= 16 && round < 3 ? 5 : 0);
        int count;
        MPI_Get_count(&status, MPI_INT, &count);
        say("rank %d, round %d: %d wrong, %d from %d, tag %d\n", rank, round, wrong, count, status.MPI_SOURCE,
            status.MPI_TAG);
    }
    MPI_Request_free(&send);
    MPI_Request_free(&receive);

    /* A part is there before the last one is ready. */
    if (size > 1 && rank < 2) {
        if (rank == 0) {
            MPI_Psend_init(out, 2, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
            MPI_Start(&send);
            MPI_Pready(1, send);
            MPI_Recv(&early, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Pready(0, send);
            MPI_Wait(&send, MPI_STATUS_IGNORE);
            MPI_Request_free(&send);
        } else {
            MPI_Precv_init(in, 2, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
            MPI_Start(&receive);
            for (flag = 0; !flag;)
                MPI_Parrived(receive, 1, &flag);
            MPI_Parrived(receive, 0, &flag);
            say("rank 1: the first is %s\n", flag ? "there already" : "still to come");
            MPI_Send(&flag, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
            MPI_Wait(&receive, MPI_STATUS_IGNORE);
            MPI_Request_free(&receive);
        }
    }

    MPI_Psend_init(out, 2, 1, MPI_INT, MPI_PROC_NULL, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &nobody);
    MPI_Start(&nobody);
    MPI_Pready_range(0, 1, nobody);
    MPI_Wait(&nobody, &status);
    MPI_Request_free(&nobody);
    say_all();
    MPI_Finalize();
    return 0;
}
