/* Buffers for buffered sends that are attached to a session serve the communicators that come from it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

static void expect(const char *what, long got, long wanted)
{
    if (got != wanted) {
        printf("%s: %ld, not %ld\n", what, got, wanted);
        failures++;
    }
}

static MPI_Comm make(MPI_Session session, const char *tag)
{
    MPI_Group group, some;
    MPI_Comm comm;
    int first[1][3] = {{0, 1, 1}};
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Group_range_incl(group, 1, first, &some);
    MPI_Comm_create_from_group(some, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&some);
    MPI_Group_free(&group);
    return comm;
}

int main(void)
{
    MPI_Session session, other;
    MPI_Comm comm, dup, foreign;
    int rank, data[4] = {1, 2, 3, 4}, size;
    MPI_Count large;
    void *address, *buffer = malloc(1000);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other);
    comm = make(session, "own");
    foreign = make(other, "other");
    MPI_Comm_dup(comm, &dup);
    MPI_Comm_rank(comm, &rank);
    int to = 1 - rank;
    expect("no buffer yet", MPI_Bsend(data, 1, MPI_INT, to, 0, comm), MPI_ERR_BUFFER);
    expect("detach nothing", MPI_Session_detach_buffer(session, &address, &size), MPI_ERR_BUFFER);
    MPI_Session_attach_buffer(session, buffer, 1000);
    expect("attach twice", MPI_Session_attach_buffer(session, buffer, 1000), MPI_ERR_BUFFER);
    MPI_Bsend(data, 1, MPI_INT, to, 0, comm);
    MPI_Bsend(data, 2, MPI_INT, to, 1, dup);
    expect("another session's", MPI_Bsend(data, 1, MPI_INT, to, 0, foreign), MPI_ERR_BUFFER);
    MPI_Request request;
    MPI_Session_iflush_buffer(session, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Session_flush_buffer(session);
    MPI_Recv(data, 4, MPI_INT, to, 0, comm, MPI_STATUS_IGNORE);
    MPI_Recv(data, 4, MPI_INT, to, 1, dup, MPI_STATUS_IGNORE);
    MPI_Session_detach_buffer(session, &address, &size);
    expect("address", address == buffer, 1);
    expect("size", size, 1000);
    MPI_Session_attach_buffer_c(session, buffer, 500);
    MPI_Session_detach_buffer_c(session, &address, &large);
    expect("large size", large, 500);
    MPI_Session_attach_buffer(other, MPI_BUFFER_AUTOMATIC, 0);
    for (int i = 0; i < 100; i++)
        MPI_Bsend(data, 4, MPI_INT, to, i, foreign);
    for (int i = 99; i >= 0; i--)
        MPI_Recv(data, 4, MPI_INT, to, i, foreign, MPI_STATUS_IGNORE);
    MPI_Session_detach_buffer(other, &address, &size);
    expect("automatic", address == MPI_BUFFER_AUTOMATIC, 1);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&dup);
    MPI_Comm_free(&foreign);
    MPI_Session_finalize(&session);
    MPI_Session_finalize(&other);
    free(buffer);
    if (!failures)
        printf("good\n");
    return failures != 0;
}
