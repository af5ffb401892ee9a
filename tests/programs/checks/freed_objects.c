/* What is freed, predefined, or referred to by other objects only, is no leak. */
#include <mpi.h>
#include <stdlib.h>

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

int main(int argc, char **argv)
{
    MPI_Comm copy, self, merged, between;
    MPI_Group group, empty, first;
    MPI_Datatype row, matrix, kind;
    MPI_Info info;
    MPI_Errhandler handler, current;
    MPI_Request request;
    void *attached;
    int rank, key, size, zero = 0, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_group(copy, &group);
    MPI_Group_incl(group, 1, &zero, &first);
    MPI_Group_incl(group, 0, NULL, &empty);
    MPI_Comm_split(copy, rank, 0, &self);
    MPI_Intercomm_create(self, 0, copy, 1 - rank, 3, &between);
    MPI_Intercomm_merge(between, rank, &merged);
    MPI_Type_vector(2, 1, 2, MPI_INT, &row);
    MPI_Type_contiguous(2, row, &matrix);
    MPI_Type_free(&row); /* matrix keeps what it needs */
    MPI_Type_commit(&matrix);
    MPI_Type_create_f90_integer(5, &kind);
    MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 4, &kind);
    MPI_Info_create(&info);
    MPI_Comm_set_info(copy, info);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(copy, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &current);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_free_keyval(&key); /* the attribute keeps it */
    MPI_Buffer_attach(malloc(1000), 1000);
    MPI_Buffer_detach(&attached, &size);
    free(attached);
    MPI_Isend(&value, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(&zero, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Info_free(&info);
    MPI_Type_free(&matrix);
    MPI_Group_free(&group);
    MPI_Group_free(&first);
    MPI_Comm_free(&between);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&self);
    MPI_Comm_free(&copy);
    MPI_Finalize();
}
