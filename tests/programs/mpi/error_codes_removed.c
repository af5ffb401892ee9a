/* Error codes can be removed again, classes once they have no codes (MPI-4.1 section 9.5). */
#include <mpi.h>
#include <stdio.h>

static void expect(const char *what, int error, int expected)
{
    printf("%s: %s\n", what, error == expected ? "as expected" : "another class");
}

static void show(const char *what)
{
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    printf("%s: last used is MPI_ERR_LASTCODE + %d\n", what, *value - MPI_ERR_LASTCODE);
}

int main(void)
{
    int own, code, error_class;
    MPI_Add_error_class(&own); /* at any time (MPI-4.0 section 11.4.1) */
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    show("one class");
    MPI_Add_error_code(own, &code);
    show("and a code");
    MPI_Add_error_string(code, "text");
    expect("string for a class of MPI", MPI_Add_error_string(MPI_ERR_ARG, "mine"), MPI_ERR_ARG);
    expect("a class with codes", MPI_Remove_error_class(own), MPI_ERR_OTHER);
    expect("a class is no code", MPI_Remove_error_code(own), MPI_ERR_ARG);
    expect("a code is no class", MPI_Remove_error_class(code), MPI_ERR_ARG);
    expect("what is MPI's own", MPI_Remove_error_class(MPI_ERR_ARG), MPI_ERR_ARG);
    expect("the string", MPI_Remove_error_string(code), MPI_SUCCESS);
    expect("no string any more", MPI_Remove_error_string(code), MPI_ERR_ARG);
    expect("the code", MPI_Remove_error_code(code), MPI_SUCCESS);
    show("without the code");
    expect("the code again", MPI_Remove_error_code(code), MPI_ERR_ARG);
    expect("its class", MPI_Error_class(code, &error_class), MPI_ERR_ARG);
    expect("a code of no class", MPI_Add_error_code(code, &code), MPI_ERR_ARG);
    expect("the class", MPI_Remove_error_class(own), MPI_SUCCESS);
    show("nothing left");
    MPI_Finalize();
    return 0;
}
