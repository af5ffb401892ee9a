/* Sizes, bounds and extents of predefined and derived datatypes (MPI-3.1 sections 4.1.2 to 4.1.8). */
#include <mpi.h>
#include <stdio.h>

static void show(const char *what, MPI_Datatype type)
{
    int size;
    MPI_Aint lb, extent, true_lb, true_extent;

    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &true_lb, &true_extent);
    printf("%-24s size %4d  lb %4ld  extent %4ld  true lb %4ld  true extent %4ld\n", what, size, (long)lb, (long)extent,
           (long)true_lb, (long)true_extent);
}

static void show_and_free(const char *what, MPI_Datatype type)
{
    show(what, type);
    MPI_Type_free(&type);
    if (type != MPI_DATATYPE_NULL)
        printf("%s: the handle survives\n", what);
}

int main(int argc, char **argv)
{
    struct particle {
        char kind;
        double position[3];
        int charge;
    } p[2];
    int rank, lengths[3] = {1, 3, 1}, indices[3] = {4, 0, 9};
    int sizes[3] = {4, 5, 6}, subsizes[3] = {2, 3, 4}, starts[3] = {1, 0, 2};
    MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT}, particle, row, type, other;
    MPI_Aint at[3], base;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        MPI_Finalize();
        return 0;
    }
    show("MPI_CHAR", MPI_CHAR);
    show("MPI_SHORT", MPI_SHORT);
    show("MPI_LONG", MPI_LONG);
    show("MPI_DOUBLE", MPI_DOUBLE);
    show("MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX);
    show("MPI_2INT", MPI_2INT);
    show("MPI_DOUBLE_INT", MPI_DOUBLE_INT);
    show("MPI_SHORT_INT", MPI_SHORT_INT);

    MPI_Get_address(&p[0], &base);
    MPI_Get_address(&p[0].kind, &at[0]);
    MPI_Get_address(&p[0].position, &at[1]);
    MPI_Get_address(&p[0].charge, &at[2]);
    for (int i = 0; i < 3; i++)
        at[i] -= base;
    MPI_Type_create_struct(3, lengths, at, types, &particle);
    show("struct", particle);
    printf("sizeof the struct is %zu\n", sizeof(struct particle));

    MPI_Type_contiguous(5, particle, &type);
    show_and_free("contiguous", type);
    MPI_Type_vector(3, 2, 4, MPI_INT, &type);
    show_and_free("vector", type);
    MPI_Type_vector(3, 2, -4, MPI_INT, &type);
    show_and_free("vector backwards", type);
    MPI_Type_vector(3, 1, 2, particle, &type);
    show_and_free("vector of structs", type);
    MPI_Type_create_hvector(4, 1, 7, MPI_INT, &type);
    show_and_free("hvector unaligned", type);
    MPI_Type_indexed(3, lengths, indices, MPI_DOUBLE, &type);
    show_and_free("indexed", type);
    MPI_Type_create_hindexed(3, lengths, at, MPI_SHORT, &type);
    show_and_free("hindexed", type);
    MPI_Type_create_indexed_block(3, 2, indices, MPI_FLOAT, &type);
    show_and_free("indexed block", type);
    MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
    show_and_free("subarray", type);
    MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
    show_and_free("subarray, Fortran order", type);
    MPI_Type_create_resized(MPI_INT, -4, 32, &type);
    show("resized", type);
    MPI_Type_contiguous(3, type, &other);
    show_and_free("contiguous of resized", other);
    MPI_Type_vector(2, 2, 3, type, &other);
    show_and_free("vector of resized", other);
    show_and_free("resized again", type);
    MPI_Type_contiguous(0, MPI_INT, &type);
    show_and_free("nothing", type);
    MPI_Type_contiguous(10, MPI_BYTE, &row);
    MPI_Type_create_resized(row, 0, 16, &type);
    MPI_Type_free(&row);
    show("after freeing its part", type);
    MPI_Type_dup(type, &other);
    MPI_Type_free(&type);
    show_and_free("dup", other);
    MPI_Type_free(&particle);
    MPI_Finalize();
    return 0;
}
