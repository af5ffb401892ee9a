/* Arguments of messages and requests that cannot be (MPI-3.1 chapter 3, MPI-4.0 chapter 4). */
#include "invalid_arguments.h"

#define W MPI_COMM_WORLD
#define I MPI_INT

int main(int argc, char **argv)
{
    int data[8] = {0}, flag, index, size;
    MPI_Request request, requests[2], active;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Datatype loose, freed, handle;
    MPI_Comm gone, world;

    start(&argc, &argv);
    MPI_Comm_size(W, &size);
    MPI_Type_contiguous(2, I, &loose);
    MPI_Type_dup(I, &freed);
    handle = freed;
    MPI_Type_free(&handle);
    MPI_Comm_dup(W, &gone);
    world = gone;
    MPI_Comm_free(&world);

    FAILS(MPI_ERR_COUNT, MPI_Send(data, -1, I, 0, 0, W));
    FAILS(MPI_ERR_TYPE, MPI_Send(data, 1, loose, 0, 0, W));
    FAILS(MPI_ERR_TYPE, MPI_Send(data, 1, freed, 0, 0, W));
    FAILS(MPI_ERR_TYPE, MPI_Send(data, 1, (MPI_Datatype)W, 0, 0, W));
    FAILS(MPI_ERR_TYPE, MPI_Send(data, 1, MPI_DATATYPE_NULL, 0, 0, W));
    FAILS(MPI_ERR_RANK, MPI_Send(data, 1, I, size, 0, W));
    FAILS(MPI_ERR_RANK, MPI_Send(data, 1, I, MPI_ANY_SOURCE, 0, W));
    FAILS(MPI_ERR_RANK, MPI_Send(data, 1, I, MPI_ROOT, 0, W));
    FAILS(MPI_ERR_TAG, MPI_Send(data, 1, I, 0, MPI_ANY_TAG, W));
    FAILS(MPI_ERR_TAG, MPI_Ssend(data, 1, I, MPI_PROC_NULL, -3, W));
    FAILS(MPI_ERR_COMM, MPI_Send(data, 1, I, 0, 0, MPI_COMM_NULL));
    FAILS(MPI_ERR_COMM, MPI_Send(data, 1, I, 0, 0, gone));
    FAILS(MPI_ERR_COMM, MPI_Send(data, 1, I, 0, 0, (MPI_Comm)I));
    FAILS(MPI_ERR_BUFFER, MPI_Send(NULL, 1, I, 0, 0, W));
    FAILS(MPI_ERR_BUFFER, MPI_Send(MPI_IN_PLACE, 1, I, 0, 0, W));
    FAILS(MPI_ERR_BUFFER, MPI_Send("text", 1 << 30, I, 0, 0, W));
    FAILS(MPI_ERR_OTHER, MPI_Rsend(data, 1, I, 0, 77, W));
    FAILS(MPI_ERR_BUFFER, MPI_Bsend(data, 1, I, 0, 0, W));
    FAILS(MPI_ERR_RANK, MPI_Recv(data, 1, I, -7, 0, W, &status));
    FAILS(MPI_ERR_TAG, MPI_Recv(data, 1, I, 0, -7, W, &status));
    FAILS(MPI_ERR_ARG, MPI_Recv(data, 1, I, 0, 0, W, NULL));
    FAILS(MPI_ERR_BUFFER, MPI_Recv("constant", 1, I, 0, 0, W, &status));
    FAILS(MPI_ERR_ARG, MPI_Irecv(data, 1, I, 0, 0, W, NULL));
    FAILS(MPI_ERR_ARG, MPI_Isend(data, 1, I, 0, 0, W, (MPI_Request *)16));
    FAILS(MPI_ERR_COUNT, MPI_Sendrecv(data, 1, I, 0, 0, data + 4, -1, I, 0, 0, W, &status));
    FAILS(MPI_ERR_TAG, MPI_Sendrecv(data, 1, I, 0, MPI_ANY_TAG, data + 4, 1, I, 0, 0, W, &status));
    FAILS(MPI_ERR_BUFFER, MPI_Sendrecv_replace(NULL, 1, I, 0, 0, 0, 0, W, &status));
    FAILS(MPI_ERR_RANK, MPI_Probe(size, 0, W, &status));
    FAILS(MPI_ERR_ARG, MPI_Iprobe(0, 0, W, NULL, &status));
    FAILS(MPI_ERR_REQUEST, MPI_Mrecv(data, 1, I, &message, &status));
    FAILS(MPI_ERR_ARG, MPI_Improbe(0, 0, W, &flag, NULL, &status));

    memset(&request, 0x5a, sizeof request);
    FAILS(MPI_ERR_REQUEST, MPI_Wait(&request, &status));
    FAILS(MPI_ERR_ARG, MPI_Wait(NULL, &status));
    FAILS(MPI_ERR_ARG, MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE));
    FAILS(MPI_ERR_COUNT, MPI_Waitall(-1, requests, MPI_STATUSES_IGNORE));
    FAILS(MPI_ERR_COUNT, MPI_Waitany(-1, requests, &index, &status));
    FAILS(MPI_ERR_ARG, MPI_Testany(0, requests, NULL, &flag, &status));
    FAILS(MPI_ERR_COUNT, MPI_Waitsome(-2, requests, &size, &index, MPI_STATUSES_IGNORE));
    FAILS(MPI_ERR_REQUEST, MPI_Request_free(&(MPI_Request){MPI_REQUEST_NULL}));
    FAILS(MPI_ERR_REQUEST, MPI_Cancel(&(MPI_Request){MPI_REQUEST_NULL}));
    FAILS(MPI_ERR_REQUEST, MPI_Start(&(MPI_Request){MPI_REQUEST_NULL}));
    FAILS(MPI_ERR_COUNT, MPI_Startall(-1, requests));
    WORKS(MPI_Irecv(data, 1, I, 0, 55, MPI_COMM_SELF, &requests[0]));
    requests[1] = requests[0];
    FAILS(MPI_ERR_REQUEST, MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    FAILS(MPI_ERR_REQUEST, MPI_Start(&requests[0]));
    WORKS(MPI_Cancel(&requests[0]));
    WORKS(MPI_Wait(&requests[0], &status));
    FAILS(MPI_ERR_REQUEST, MPI_Wait(&requests[1], &status));
    WORKS(MPI_Recv_init(data, 1, I, MPI_PROC_NULL, 0, W, &active));
    FAILS(MPI_ERR_REQUEST, MPI_Cancel(&active));
    WORKS(MPI_Request_free(&active));
    WORKS(MPI_Recv_init(data, 1, I, 0, 0, MPI_COMM_SELF, &active));
    WORKS(MPI_Start(&active));
    FAILS(MPI_ERR_REQUEST, MPI_Start(&active));
    WORKS(MPI_Cancel(&active));
    WORKS(MPI_Wait(&active, &status));
    WORKS(MPI_Request_free(&active));

    FAILS(MPI_ERR_BUFFER, MPI_Buffer_detach(data, &size));
    FAILS(MPI_ERR_ARG, MPI_Buffer_attach(data, -1));
    FAILS(MPI_ERR_ARG, MPI_Buffer_attach(NULL, 8));
    WORKS(MPI_Buffer_attach(data, sizeof data));
    FAILS(MPI_ERR_BUFFER, MPI_Buffer_attach(data, sizeof data));
    FAILS(MPI_ERR_BUFFER, MPI_Bsend(data, 8, I, 0, 0, W));
    WORKS(MPI_Buffer_detach(&handle, &size));

    FAILS(MPI_ERR_COUNT, MPI_Psend_init(data, -1, 1, I, 0, 0, W, MPI_INFO_NULL, &request));
    FAILS(MPI_ERR_TAG, MPI_Precv_init(data, 1, 1, I, 0, MPI_ANY_TAG, W, MPI_INFO_NULL, &request));
    FAILS(MPI_ERR_RANK, MPI_Precv_init(data, 1, 1, I, MPI_ANY_SOURCE, 0, W, MPI_INFO_NULL, &request));
    FAILS(MPI_ERR_REQUEST, MPI_Pready(0, MPI_REQUEST_NULL));
    WORKS(MPI_Psend_init(data, 2, 1, I, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request));
    FAILS(MPI_ERR_REQUEST, MPI_Pready(0, request));
    FAILS(MPI_ERR_REQUEST, MPI_Parrived(request, 0, &flag));
    WORKS(MPI_Request_free(&request));

    FAILS(MPI_ERR_TYPE, MPI_Get_count(&status, MPI_DATATYPE_NULL, &size));
    FAILS(MPI_ERR_ARG, MPI_Get_count(&status, I, NULL));
    FAILS(MPI_ERR_ARG, MPI_Get_count(NULL, I, &size));
    FAILS(MPI_ERR_ARG, MPI_Test_cancelled(NULL, &flag));
    MPI_Type_free(&loose);
    return finish();
}
