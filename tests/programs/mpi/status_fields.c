/* Fields of a status by function (MPI-4.1 section 3.2.5), pair types by their parts (section 6.9.4), and the error handler
 * MPI_ERRORS_ABORT (MPI-4.0 section 9.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int number = 1, received, source, tag, error;
    MPI_Status status;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Sendrecv(&number, 1, MPI_INT, 0, 5, &received, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &status);
    MPI_Status_set_error(&status, MPI_ERR_ARG);
    MPI_Status_get_source(&status, &source);
    MPI_Status_get_tag(&status, &tag);
    MPI_Status_get_error(&status, &error);
    printf("%d %d %d\n", source, tag, error == MPI_ERR_ARG);
    MPI_Status_set_source(&status, 8);
    MPI_Status_set_tag(&status, 9);
    MPI_Get_count(&status, MPI_INT, &number);
    printf("%d %d, count %d\n", status.MPI_SOURCE, status.MPI_TAG, number);
    MPI_Datatype pair, none;
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
    MPI_Type_get_value_index(MPI_CHAR, MPI_INT, &none);
    printf("%d %d\n", pair == MPI_DOUBLE_INT, none == MPI_DATATYPE_NULL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
    printf("%d\n", handler == MPI_ERRORS_ABORT);
    fflush(stdout);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_ARG);
    printf("not here\n");
    MPI_Finalize();
    return 0;
}
