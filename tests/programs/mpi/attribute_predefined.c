/* The predefined attributes are pointers to ints (MPI-3.1 section 8.1.2); user code cannot change them. */
#include "in_order.h"

int main(int argc, char **argv)
{
    int rank, flag, *value, *again, error, error_class;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    say("rank %d: tags up to 32767 %s\n", rank, flag && *value >= 32767 ? "are allowed" : "are not allowed");
    MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &again, &flag);
    say("rank %d: the same answer again: %s\n", rank, *value == *again ? "yes" : "no");
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag);
    say("rank %d: every rank can do output: %s\n", rank, flag && *value == MPI_ANY_SOURCE ? "yes" : "no");
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &flag);
    say("rank %d: there is a host process: %s\n", rank, flag && *value != MPI_PROC_NULL ? "yes" : "no");
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
    say("rank %d: MPI_WTIME_IS_GLOBAL is set: %s\n", rank, flag ? "yes" : "no");
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    say("rank %d: the last code is at least the last class: %s\n", rank,
        flag && *value >= MPI_ERR_LASTCODE ? "yes" : "no");

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    error = MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, value);
    MPI_Error_class(error, &error_class);
    say("rank %d: setting it is %s\n", rank, error_class == MPI_ERR_KEYVAL ? "MPI_ERR_KEYVAL" : "possible");
    say_all();
    MPI_Finalize();
    return 0;
}
