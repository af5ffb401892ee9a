/* Buffers of communicators and of the process, automatic buffers, flushes (MPI-4.1 section 3.6); what hardware there is,
 * and communicators of it (sections 9.1.3 and 7.4.2). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, ROOM = N * sizeof(int) + MPI_BSEND_OVERHEAD };
static int rank, other, data[3 * N], in[N];

static void expect(const char *what, long result, long wanted)
{
    if (result != wanted)
        printf("rank %d: %s: %ld instead of %ld\n", rank, what, result, wanted);
}

static void exchange(MPI_Comm comm, int times)
{
    for (int i = 0; i < times; i++)
        expect("bsend", MPI_Bsend(data, N, MPI_INT, other, 1, comm), MPI_SUCCESS);
}

static void receive(MPI_Comm comm, int times)
{
    for (int i = 0; i < times; i++)
        MPI_Recv(in, N, MPI_INT, other, 1, comm, MPI_STATUS_IGNORE);
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

int main(int argc, char **argv)
{
    static char own[ROOM], process[2 * ROOM];
    void *address;
    int size, flag = 0;
    MPI_Count large;
    MPI_Comm comm, nodes;
    MPI_Request requests[3];
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

    expect("nothing to flush", MPI_Buffer_flush(), MPI_SUCCESS);
    expect("no buffer", class_of(MPI_Comm_detach_buffer(comm, &address, &size)), MPI_ERR_BUFFER);
    expect("no buffer", class_of(MPI_Bsend(data, N, MPI_INT, other, 1, comm)), MPI_ERR_BUFFER);
    MPI_Buffer_attach(process, sizeof process);
    MPI_Comm_attach_buffer(comm, own, sizeof own);
    expect("attached twice", class_of(MPI_Comm_attach_buffer(comm, own, sizeof own)), MPI_ERR_BUFFER);
    exchange(comm, 1);
    expect("full", class_of(MPI_Bsend(data, N + 1, MPI_INT, other, 1, comm)), MPI_ERR_BUFFER);
    exchange(MPI_COMM_WORLD, 2);
    expect("full", class_of(MPI_Bsend(data, 3 * N, MPI_INT, other, 1, MPI_COMM_WORLD)), MPI_ERR_BUFFER);
    MPI_Comm_iflush_buffer(comm, &requests[0]);
    MPI_Buffer_iflush(&requests[1]);
    MPI_Comm_iflush_buffer(comm, &requests[2]);
    receive(comm, 1);
    receive(MPI_COMM_WORLD, 2);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    exchange(comm, 1); /* there is room again */
    exchange(MPI_COMM_WORLD, 2);
    receive(comm, 1);
    receive(MPI_COMM_WORLD, 2);
    expect("flush", MPI_Comm_flush_buffer(comm), MPI_SUCCESS);
    exchange(comm, 1);
    receive(comm, 1);
    MPI_Comm_detach_buffer(comm, &address, &size);
    expect("address", address == own, 1);
    expect("size", size, sizeof own);
    exchange(comm, 1); /* through the buffer of the process */
    receive(comm, 1);
    MPI_Buffer_flush();
    MPI_Buffer_detach(&address, &size);
    expect("address", address == process, 1);

    MPI_Comm_attach_buffer_c(comm, MPI_BUFFER_AUTOMATIC, 0);
    exchange(comm, 100);
    MPI_Comm_iflush_buffer(comm, &requests[0]);
    receive(comm, 100);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Comm_detach_buffer_c(comm, &address, &large);
    expect("automatic", address == MPI_BUFFER_AUTOMATIC, 1);
    MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
    exchange(comm, 10);
    receive(comm, 10);
    MPI_Buffer_detach(&address, &size);

    MPI_Get_hw_resource_info(&info);
    MPI_Info_get_nkeys(info, &size);
    for (int i = 0; i < size && !rank; i++) {
        char key[MPI_MAX_INFO_KEY + 1], value[8];
        int length = sizeof value;
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get_string(info, key, &length, value, &flag);
        printf("%s: %s\n", key, value);
    }
    MPI_Info_free(&info);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", "orrery://machine");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &nodes);
    MPI_Comm_size(nodes, &size);
    expect("machine", size, 2);
    MPI_Comm_free(&nodes);
    MPI_Info_set(info, "mpi_hw_resource_type", "none");
    MPI_Info_set(info, "mpi_pset_name", "mpi://SELF");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &nodes);
    MPI_Comm_size(nodes, &size);
    expect("self", size, 1);
    MPI_Comm_free(&nodes);
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
    if (!rank)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
