/* A matched probe takes the message out of the queue: other receives get the later ones, and the handle is good for one
 * receive (MPI-3.1 section 3.8.2 and 3.8.3). Eager and rendezvous messages, wildcards, MPI_PROC_NULL, truncation. */
#include "in_order.h"

enum { LARGE = 100000 };

static int large[LARGE];

static void show(const char *what, const MPI_Status *status)
{
    int n;
    MPI_Get_count(status, MPI_INT, &n);
    say("%s: from %d, tag %d, count %d\n", what, status->MPI_SOURCE, status->MPI_TAG, n);
}

static void receive(int size)
{
    MPI_Message first, second, message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Request request;
    int number, flag, error, error_class;

    MPI_Mprobe(0, 5, MPI_COMM_WORLD, &first, &status); /* three messages with tag 5: 10, 11, 12 */
    show("first probe", &status);
    MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &second, &status);
    show("second probe", &status);
    MPI_Recv(&number, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("a plain receive gets %d\n", number);
    MPI_Mrecv(&number, 1, MPI_INT, &second, &status);
    say("the second is %d, handle %s\n", number, second == MPI_MESSAGE_NULL ? "MPI_MESSAGE_NULL" : "?");
    MPI_Imrecv(&number, 1, MPI_INT, &first, &request);
    MPI_Wait(&request, &status);
    say("the first is %d\n", number);
    show("first receive", &status);

    MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &message, &status); /* by rendezvous */
    show("large probe", &status);
    MPI_Mrecv(large, LARGE, MPI_INT, &message, &status);
    say("large: %d %d\n", large[0], large[LARGE - 1]);
    show("large receive", &status);
    MPI_Mprobe(0, 6, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(large, LARGE, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("again: %d %d\n", large[0], large[LARGE - 1]);

    MPI_Improbe(0, 99, MPI_COMM_WORLD, &flag, &message, &status);
    say("nothing: flag %d\n", flag);
    do
        MPI_Improbe(0, 7, MPI_COMM_WORLD, &flag, &message, &status);
    while (!flag);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    error = MPI_Mrecv(&number, 1, MPI_INT, &message, &status);
    MPI_Error_class(error, &error_class);
    say("truncated: %s\n", error_class == MPI_ERR_TRUNCATE ? "MPI_ERR_TRUNCATE" : "?");

    MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
    say("no process: %s, %d\n", message == MPI_MESSAGE_NO_PROC ? "MPI_MESSAGE_NO_PROC" : "?",
        status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Mrecv(&number, 1, MPI_INT, &message, &status);
    say("received: %s, %d\n", message == MPI_MESSAGE_NULL ? "MPI_MESSAGE_NULL" : "?", status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Improbe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &message, &status);
    MPI_Imrecv(&number, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    say("and without blocking: %d %d\n", flag, status.MPI_SOURCE == MPI_PROC_NULL);
    (void)size;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 10; i < 13; i++)
            MPI_Send(&i, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        large[0] = 1, large[LARGE - 1] = 2;
        MPI_Send(large, LARGE, MPI_INT, 1, 6, MPI_COMM_WORLD);
        large[0] = 3;
        MPI_Ssend(large, LARGE, MPI_INT, 1, 6, MPI_COMM_WORLD);
        MPI_Send(large, 3, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else if (rank == 1) {
        receive(size);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    say_all();
    MPI_Finalize();
    return 0;
}
