/* Every mode of persistent and non-blocking sends, with small and large counts: what arrives, that they can be started
 * again, that synchronous ones complete with their receive and buffered ones before, that ready ones find theirs; what
 * each refuses (MPI-3.1 sections 3.6, 3.9; MPI-4.0 section 3.2.2). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 3000, ROUNDS = 3 };

typedef int Start(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
typedef int LargeStart(const void *buf, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                       MPI_Request *request);

static const struct Mode {
    const char *name;
    Start *start;
    LargeStart *large;
    int persistent, ready, synchronous, buffered;
} modes[] = {
    {"MPI_Isend", MPI_Isend, MPI_Isend_c, 0, 0, 0, 0},
    {"MPI_Issend", MPI_Issend, MPI_Issend_c, 0, 0, 1, 0},
    {"MPI_Ibsend", MPI_Ibsend, MPI_Ibsend_c, 0, 0, 0, 1},
    {"MPI_Irsend", MPI_Irsend, MPI_Irsend_c, 0, 1, 0, 0},
    {"MPI_Send_init", MPI_Send_init, MPI_Send_init_c, 1, 0, 0, 0},
    {"MPI_Ssend_init", MPI_Ssend_init, MPI_Ssend_init_c, 1, 0, 1, 0},
    {"MPI_Bsend_init", MPI_Bsend_init, MPI_Bsend_init_c, 1, 0, 0, 1},
    {"MPI_Rsend_init", MPI_Rsend_init, MPI_Rsend_init_c, 1, 1, 0, 0},
};

static int rank, data[COUNT], wrong;

static int begin(const struct Mode *mode, int large, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                 MPI_Request *request)
{
    return large ? mode->large(data, count, type, to, tag, comm, request)
                 : mode->start(data, count, type, to, tag, comm, request);
}

static void send(const struct Mode *mode, int large)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (mode->persistent)
        begin(mode, large, COUNT, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    for (int round = 0; round < ROUNDS; round++) {
        int flag = 0;
        for (int i = 0; i < COUNT; i++)
            data[i] = i * (round + 1);
        if (mode->ready)
            MPI_Recv(NULL, 0, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* it has posted */
        if (mode->persistent)
            MPI_Start(&request);
        else
            begin(mode, large, COUNT, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
        if (mode->synchronous) { /* the other has not begun to receive */
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            wrong += flag;
            MPI_Send(NULL, 0, MPI_INT, 1, 6, MPI_COMM_WORLD);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (mode->buffered) /* it completes by itself */
            MPI_Send(NULL, 0, MPI_INT, 1, 6, MPI_COMM_WORLD);
        wrong += (request == MPI_REQUEST_NULL) == mode->persistent;
    }
    if (mode->persistent)
        MPI_Request_free(&request);
}

static void receive(const struct Mode *mode)
{
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request request;
        if (mode->synchronous || mode->buffered)
            MPI_Recv(NULL, 0, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(data, COUNT, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        if (mode->ready)
            MPI_Send(NULL, 0, MPI_INT, 0, 6, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < COUNT; i++)
            wrong += data[i] != i * (round + 1);
    }
}

static void refuse(const struct Mode *mode, int large)
{
    MPI_Request request;
    MPI_Datatype loose;
    int class[6], expected[] = {MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TYPE, MPI_ERR_RANK, MPI_ERR_TAG, MPI_ERR_COMM};
    MPI_Type_contiguous(1, MPI_INT, &loose);
    class[0] = begin(mode, large, -1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    class[1] = begin(mode, large, 1, MPI_DATATYPE_NULL, 1, 5, MPI_COMM_WORLD, &request);
    class[2] = begin(mode, large, 1, loose, 1, 5, MPI_COMM_WORLD, &request);
    class[3] = begin(mode, large, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &request);
    class[4] = begin(mode, large, 1, MPI_INT, 1, -7, MPI_COMM_WORLD, &request);
    class[5] = begin(mode, large, 1, MPI_INT, 1, 5, MPI_COMM_NULL, &request);
    MPI_Type_free(&loose);
    for (int i = 0; i < 6; i++) {
        MPI_Error_class(class[i], &class[i]);
        if (class[i] != expected[i] && ++wrong)
            printf("%s: refusal %d\n", mode->name, i);
    }
}

int main(int argc, char **argv)
{
    char *buffer;
    int bytes = 8 * ROUNDS * (COUNT * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    buffer = malloc(bytes);
    MPI_Buffer_attach(buffer, bytes);
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
        for (int large = 0; large < 2; large++) {
            int all;
            if (rank == 0)
                send(&modes[i], large);
            else
                receive(&modes[i]);
            refuse(&modes[i], large);
            MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
            if (rank == 0)
                printf("%s%s: %d wrong\n", modes[i].name, large ? "_c" : "", all);
        }
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    MPI_Finalize();
    return 0;
}
