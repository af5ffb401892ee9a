/* Every constructor is remembered with its arguments (MPI-3.1 section 4.1.13). Types that MPI_Type_get_contents hands
 * out equal those that were given, and are the program's to free. */
#include <mpi.h>
#include <stdio.h>

static const char *combiner_name(int combiner)
{
    switch (combiner) {
    case MPI_COMBINER_NAMED: return "NAMED";
    case MPI_COMBINER_DUP: return "DUP";
    case MPI_COMBINER_CONTIGUOUS: return "CONTIGUOUS";
    case MPI_COMBINER_VECTOR: return "VECTOR";
    case MPI_COMBINER_HVECTOR: return "HVECTOR";
    case MPI_COMBINER_INDEXED: return "INDEXED";
    case MPI_COMBINER_HINDEXED: return "HINDEXED";
    case MPI_COMBINER_INDEXED_BLOCK: return "INDEXED_BLOCK";
    case MPI_COMBINER_HINDEXED_BLOCK: return "HINDEXED_BLOCK";
    case MPI_COMBINER_STRUCT: return "STRUCT";
    case MPI_COMBINER_SUBARRAY: return "SUBARRAY";
    case MPI_COMBINER_DARRAY: return "DARRAY";
    case MPI_COMBINER_F90_REAL: return "F90_REAL";
    case MPI_COMBINER_F90_COMPLEX: return "F90_COMPLEX";
    case MPI_COMBINER_F90_INTEGER: return "F90_INTEGER";
    case MPI_COMBINER_RESIZED: return "RESIZED";
    default: return "?";
    }
}

static void show_number(int number)
{
    if (number == MPI_ORDER_C || number == MPI_ORDER_FORTRAN)
        printf(" %s", number == MPI_ORDER_C ? "C" : "FORTRAN");
    else if (number == MPI_DISTRIBUTE_DFLT_DARG)
        printf(" default");
    else
        printf(" %d", number);
}

static void show(const char *indent, MPI_Datatype type)
{
    int n_ints, n_aints, n_types, combiner, ints[64], size, again;
    MPI_Aint aints[64], lb, extent;
    MPI_Datatype types[64];
    MPI_Type_get_envelope(type, &n_ints, &n_aints, &n_types, &combiner);
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lb, &extent);
    printf("%s%s: %d %d %d; size %d, lb %ld, extent %ld\n", indent, combiner_name(combiner), n_ints, n_aints, n_types,
           size, (long)lb, (long)extent);
    if (combiner == MPI_COMBINER_NAMED)
        return;
    MPI_Type_get_contents(type, n_ints, n_aints, n_types, ints, aints, types);
    printf("%s   ", indent);
    for (int i = 0; i < n_ints; i++) {
        if (combiner == MPI_COMBINER_DARRAY && i > 4 && i < 7) /* distributions: library's own numbers */
            printf(" %s", ints[i] == MPI_DISTRIBUTE_BLOCK ? "block" : ints[i] == MPI_DISTRIBUTE_CYCLIC ? "cyclic" : "none");
        else
            show_number(ints[i]);
    }
    printf(" |");
    for (int i = 0; i < n_aints; i++)
        printf(" %ld", (long)aints[i]);
    printf("\n");
    for (int i = 0; i < n_types; i++) {
        show("        ", types[i]);
        MPI_Type_get_envelope(types[i], &again, &again, &again, &combiner);
        if (combiner != MPI_COMBINER_NAMED)
            MPI_Type_free(&types[i]);
        else if (types[i] != MPI_INT && types[i] != MPI_CHAR && types[i] != MPI_DOUBLE)
            printf("another type\n");
    }
}

static void show_and_free(MPI_Datatype type)
{
    show("", type);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    int lengths[] = {2, 0, 1}, places[] = {5, 3, 0}, sizes[] = {4, 6}, parts[] = {2, 3}, starts[] = {1, 2};
    int distributions[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[] = {2, 2}, n, error_class;
    MPI_Aint bytes[] = {40, 24, 0};
    MPI_Datatype type, vector, members[] = {MPI_INT, MPI_CHAR, MPI_DOUBLE};

    MPI_Init(&argc, &argv);
    show("", MPI_INT);
    show("", MPI_DOUBLE_INT);
    MPI_Type_vector(3, 2, 4, MPI_INT, &vector);
    show("", vector);
    MPI_Type_dup(vector, &type);
    show_and_free(type);
    MPI_Type_contiguous(7, vector, &type);
    show_and_free(type);
    MPI_Type_create_hvector(3, 1, 100, vector, &type);
    show_and_free(type);
    MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    show_and_free(type);
    MPI_Type_create_hindexed(3, lengths, bytes, MPI_DOUBLE, &type);
    show_and_free(type);
    MPI_Type_create_indexed_block(3, 2, places, MPI_CHAR, &type);
    show_and_free(type);
    MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &type);
    show_and_free(type);
    members[1] = vector;
    MPI_Type_create_struct(3, (int[]){1, 1, 1}, bytes, members, &type);
    show_and_free(type);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
    show_and_free(type);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
    show_and_free(type);
    MPI_Type_create_darray(4, 1, 2, sizes, distributions, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
    show_and_free(type);
    MPI_Type_create_resized(vector, -8, 64, &type);
    MPI_Type_free(&vector); /* the new type keeps what it was made of */
    show_and_free(type);
    MPI_Type_create_f90_real(6, MPI_UNDEFINED, &type);
    MPI_Type_get_envelope(type, &n, &n, &n, &error_class);
    printf("%s\n", combiner_name(error_class));

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Type_get_contents(MPI_INT, 1, 1, 1, &n, bytes, members), &error_class);
    printf("contents of a predefined type: %s\n", error_class == MPI_ERR_TYPE ? "MPI_ERR_TYPE" : "?");
    MPI_Finalize();
    return 0;
}
