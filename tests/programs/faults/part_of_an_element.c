/* A message that ends inside an element of a datatype with gaps cannot be what the receiver has asked for (MPI-4.1 section
 * 3.3.1): MPI_ERR_TYPE, and the receiver goes on. Whole elements are welcome, however few. */
#include <mpi.h>
#include <stdio.h>

static void expect(const char *what, int code, int class)
{
    int got;
    MPI_Error_class(code, &got);
    printf("%s: %s\n", what, got == class ? "as it should be" : "wrong");
}

int main(int argc, char **argv)
{
    int numbers[8] = {0}, count;
    char bytes[16] = "0123456789";
    MPI_Datatype strided;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Type_vector(3, 1, 2, MPI_INT, &strided);
    MPI_Type_commit(&strided);

    MPI_Irecv(numbers, 1, strided, 0, 1, MPI_COMM_SELF, &request);
    MPI_Send(bytes, 7, MPI_CHAR, 0, 1, MPI_COMM_SELF);
    expect("seven bytes for integers", MPI_Wait(&request, &status), MPI_ERR_TYPE);
    MPI_Irecv(numbers, 1, strided, 0, 1, MPI_COMM_SELF, &request);
    MPI_Send(bytes, 2, MPI_INT, 0, 1, MPI_COMM_SELF);
    expect("two of three", MPI_Wait(&request, &status), MPI_SUCCESS);
    MPI_Get_elements(&status, strided, &count);
    printf("%d elements, in their places: %d\n", count, numbers[0] == 0x33323130 && numbers[2] == 0x37363534);
    MPI_Type_free(&strided);
    MPI_Finalize();
    return 0;
}
