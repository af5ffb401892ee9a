/* A user's error handler gets communicator and code, for local and communicating calls; communicators inherit handlers;
 * a freed handler works on (MPI-3.1 section 8.3). */
#include "in_order.h"

static int rank, seen;
static MPI_Comm expected;

static void handler(MPI_Comm *comm, int *code, ...)
{
    int error_class, size;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Error_class(*code, &error_class);
    MPI_Comm_size(*comm, &size); /* calls MPI from inside */
    MPI_Error_string(*code, text, &size);
    say("rank %d: class %s on %s communicator, %s\n", rank,
        error_class == MPI_ERR_RANK   ? "MPI_ERR_RANK"
        : error_class == MPI_ERR_TAG  ? "MPI_ERR_TAG"
        : error_class == MPI_ERR_TYPE ? "MPI_ERR_TYPE"
                                      : "of another kind",
        *comm == expected ? "the expected" : "another", size > 0 ? "with a text" : "without text");
    seen++;
}

static void other(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    say("rank %d: the other handler\n", rank);
}

int main(int argc, char **argv)
{
    int value = 1, size;
    MPI_Errhandler mine, got, second;
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
    say("rank %d: at first errors are %s\n", rank, got == MPI_ERRORS_ARE_FATAL ? "fatal" : "not fatal");
    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Errhandler_create(other, &second);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_get_errhandler(copy, &got);
    say("rank %d: the handler is inherited: %s\n", rank, got == mine ? "yes" : "no");
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&mine);

    expected = MPI_COMM_WORLD;
    MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 0, -5, MPI_COMM_WORLD);
    MPI_Type_size(MPI_DATATYPE_NULL, &size); /* local, and no communicator: that of MPI_COMM_WORLD */
    expected = copy;
    MPI_Send(&value, 1, MPI_INT, -9, 0, copy);
    MPI_Comm_call_errhandler(copy, MPI_ERR_RANK);
    MPI_Errhandler_set(copy, second);
    MPI_Send(&value, 1, MPI_INT, -9, 0, copy);
    MPI_Errhandler_free(&second);
    say("rank %d: %d errors handled\n", rank, seen);
    MPI_Comm_free(&copy);
    say_all();
    MPI_Finalize();
    return 0;
}
