/* Fortran's datatypes have the sizes of C's here; MPI_Type_match_size and MPI_Type_create_f90_... find types by size and
 * precision (MPI-3.1 section 17.1.9). Reductions work on all of them. */
#include <mpi.h>
#include <stdio.h>

static void show(const char *what, MPI_Datatype type)
{
    int size;
    MPI_Type_size(type, &size);
    printf("%s: %d\n", what, size);
}
#define SHOW(type) show(#type, type)

static void expect(const char *what, int error)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    printf("%s: %s\n", what, error_class == MPI_ERR_ARG ? "MPI_ERR_ARG" : error_class == MPI_ERR_TYPE ? "MPI_ERR_TYPE" : "another class");
}

int main(int argc, char **argv)
{
    MPI_Datatype type, again;
    double in = 1.5, out = 0;
    long long number = 40, sum = 0;
    MPI_Init(&argc, &argv);
    SHOW(MPI_INTEGER), SHOW(MPI_REAL), SHOW(MPI_DOUBLE_PRECISION), SHOW(MPI_COMPLEX), SHOW(MPI_DOUBLE_COMPLEX);
    SHOW(MPI_LOGICAL), SHOW(MPI_CHARACTER), SHOW(MPI_INTEGER1), SHOW(MPI_INTEGER2), SHOW(MPI_INTEGER4);
    SHOW(MPI_INTEGER8), SHOW(MPI_REAL4), SHOW(MPI_REAL8), SHOW(MPI_COMPLEX8), SHOW(MPI_COMPLEX16);
    SHOW(MPI_2INTEGER), SHOW(MPI_2REAL), SHOW(MPI_2DOUBLE_PRECISION);
    SHOW(MPI_AINT), SHOW(MPI_OFFSET), SHOW(MPI_COUNT);
    SHOW(MPI_CXX_BOOL), SHOW(MPI_CXX_FLOAT_COMPLEX), SHOW(MPI_CXX_DOUBLE_COMPLEX);

    for (int size = 1; size <= 8; size *= 2) {
        MPI_Type_match_size(MPI_TYPECLASS_INTEGER, size, &type);
        show("matching integer", type);
    }
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, &type);
    show("matching real", type);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
    show("matching real", type);
    MPI_Allreduce(&in, &out, 1, type, MPI_SUM, MPI_COMM_SELF);
    printf("reduced: %g\n", out);
    MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &type);
    show("matching complex", type);

    int ranges[] = {1, 2, 3, 4, 5, 9, 10, 18};
    for (int i = 0; i < 8; i++) {
        MPI_Type_create_f90_integer(ranges[i], &type);
        printf("range %d ", ranges[i]);
        show("integer", type);
    }
    MPI_Allreduce(&number, &sum, 1, type, MPI_SUM, MPI_COMM_SELF);
    printf("reduced: %lld\n", sum);
    MPI_Type_create_f90_integer(18, &again);
    printf("the same handle: %d\n", type == again);
    MPI_Type_create_f90_real(6, 30, &type);
    show("real 6, 30", type);
    MPI_Type_create_f90_real(MPI_UNDEFINED, 100, &type);
    show("real of range 100", type);
    MPI_Type_create_f90_real(12, MPI_UNDEFINED, &type);
    show("real of 12 digits", type);
    MPI_Type_create_f90_complex(12, 100, &type);
    show("complex 12, 100", type);

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    expect("integer of 3 bytes", MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 3, &type));
    expect("no class", MPI_Type_match_size(12345, 4, &type));
    MPI_Type_create_f90_integer(5, &type);
    expect("free", MPI_Type_free(&type));
    MPI_Finalize();
    return 0;
}
