/* Programs add error classes, codes and strings of their own (MPI-3.1 section 8.5), which MPI_Error_class,
 * MPI_Error_string, error handlers and MPI_LASTUSEDCODE know. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void expect(const char *what, int error, int expected)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    printf("%s: %s\n", what, error_class == expected ? "as expected" : "another class");
}

static int last_used(void)
{
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    return flag ? *value : -1;
}

static int seen;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    seen = *code;
}

int main(int argc, char **argv)
{
    int first, second, code, of_mpi, error_class, length, before;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Errhandler own;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    before = last_used();
    printf("last used is %s\n", before >= MPI_ERR_LASTCODE ? "not less than MPI_ERR_LASTCODE" : "too small");
    MPI_Add_error_class(&first);
    printf("class %s\n", first > MPI_ERR_LASTCODE ? "beyond MPI_ERR_LASTCODE" : "?");
    printf("last used %s\n", last_used() >= first ? "has grown" : "?");
    MPI_Add_error_class(&second);
    MPI_Add_error_code(second, &code);
    MPI_Add_error_code(MPI_ERR_ARG, &of_mpi);
    printf("all different: %d\n", first != second && second != code && code != of_mpi && first != code);
    MPI_Error_class(code, &error_class);
    printf("class of the code: %s\n", error_class == second ? "the second" : "?");
    MPI_Error_class(of_mpi, &error_class);
    printf("class of the other: %s\n", error_class == MPI_ERR_ARG ? "MPI_ERR_ARG" : "?");
    MPI_Error_class(first, &error_class);
    printf("a class is its own: %d\n", error_class == first);

    MPI_Error_string(code, text, &length);
    printf("no string: \"%s\" %d\n", text, length);
    MPI_Add_error_string(code, "the tank is empty");
    MPI_Add_error_string(first, "no fuel");
    MPI_Error_string(code, text, &length);
    printf("string: \"%s\" %d\n", text, length);
    MPI_Error_string(first, text, &length);
    printf("string: \"%s\" %d\n", text, length);
    MPI_Add_error_string(code, "the tank leaks");
    MPI_Error_string(code, text, &length);
    printf("string: \"%s\" %d\n", text, length);

    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, own);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, code);
    printf("handler has seen the code: %d\n", seen == code);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&own);

    expect("string for nothing", MPI_Add_error_string(of_mpi + 1000, "mine"), MPI_ERR_ARG);
    MPI_Finalize();
    return 0;
}
